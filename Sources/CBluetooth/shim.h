// Only the headers: constants and packed structures. Nothing of the library is called, so nothing is linked.
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
