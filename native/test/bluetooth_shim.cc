// Replaces the kernel's Bluetooth for a program (LD_PRELOAD). A socket of AF_BLUETOOTH becomes a socket to an emulated
// adapter at the path DUNLIN_BLUETOOTH. The shim sends each call to the emulator as text and receives an error number;
// afterwards the socket carries packets both ways.
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr unsigned long kDown = 0x400448ca;
int bluetooth = -1;

/// Sends a call to the emulator. Returns 0, or −1 with `errno` set to the error number of the answer.
int Ask(const char* text) {
  if (::send(bluetooth, text, std::strlen(text), MSG_NOSIGNAL) < 0) return -1;
  pollfd answered{bluetooth, POLLIN, 0};
  while (::poll(&answered, 1, -1) < 0) {
  }
  int32_t error = EIO;
  if (::recv(bluetooth, &error, sizeof error, 0) != sizeof error) error = EIO;
  errno = error;
  return error ? -1 : 0;
}

}  // namespace

extern "C" int socket(int family, int type, int protocol) noexcept {
  if (family != AF_BLUETOOTH) return static_cast<int>(::syscall(SYS_socket, family, type, protocol));
  int flags = type & (SOCK_CLOEXEC | SOCK_NONBLOCK);
  bluetooth = static_cast<int>(::syscall(SYS_socket, AF_UNIX, SOCK_SEQPACKET | flags, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s", std::getenv("DUNLIN_BLUETOOTH"));
  if (::connect(bluetooth, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) return -1;
  char text[64];
  std::snprintf(text, sizeof text, "socket %d %d", type & ~flags, protocol);
  return Ask(text) < 0 ? -1 : bluetooth;
}

extern "C" int bind(int fd, const sockaddr* address, socklen_t size) noexcept {
  if (fd != bluetooth || size != 6) return static_cast<int>(::syscall(SYS_bind, fd, address, size));
  uint16_t fields[3];
  std::memcpy(fields, address, sizeof fields);
  char text[64];
  std::snprintf(text, sizeof text, "bind %d %d %d", fields[0], fields[1], fields[2]);
  return Ask(text);
}

extern "C" int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  long value = va_arg(arguments, long);
  va_end(arguments);
  if (fd != bluetooth) return static_cast<int>(::syscall(SYS_ioctl, fd, request, value));
  char text[64];
  std::snprintf(text, sizeof text, request == kDown ? "down %d" : "ioctl %d", static_cast<int>(value));
  return Ask(text);
}
