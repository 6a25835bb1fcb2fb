// Only the headers: constants and packed structures. Nothing of the library is called, so nothing is linked.
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <sys/ioctl.h>

// The ioctl numbers are _IOW(…) and _IOR(…), function-like macros, which Swift does not import.
static const unsigned long cbluetooth_dev_up = HCIDEVUP;
static const unsigned long cbluetooth_dev_down = HCIDEVDOWN;
static const unsigned long cbluetooth_get_dev_list = HCIGETDEVLIST;
static const unsigned long cbluetooth_get_dev_info = HCIGETDEVINFO;
static const unsigned long cbluetooth_set_raw = HCISETRAW;
