#include "CSystem.h"

// Of the kernel, and not <termios.h>: only `struct termios2` takes a speed as a number, and the two headers define the
// same names. Hence a file of its own.
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <sys/ioctl.h>

int csystem_serial_raw(int descriptor, unsigned baud) {
    struct termios2 line;
    if (ioctl(descriptor, TCGETS2, &line) < 0) return -1;
    line.c_iflag = 0;
    line.c_oflag = 0;
    line.c_lflag = 0;
    // CLOCAL: a line without a modem's carrier is no broken line. No CRTSCTS: where the wires are missing nothing would
    // ever be sent, and a USB serial device has none.
    line.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | (BOTHER << IBSHIFT);
    line.c_ispeed = baud;
    line.c_ospeed = baud;
    line.c_cc[VMIN] = 1;
    line.c_cc[VTIME] = 0;
    if (ioctl(descriptor, TCSETS2, &line) < 0) return -1;
    if (ioctl(descriptor, TIOCEXCL, 0) < 0) return -1;
    return ioctl(descriptor, TCFLSH, TCIOFLUSH);
}
