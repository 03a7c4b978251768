// Exclusive access to a Bluetooth adapter: the user channel of the kernel (net/bluetooth/hci_sock.c). The kernel then
// sends nothing of its own to the adapter. Only opening the channel needs a privilege.
#pragma once

#include <linux/sock_diag.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "bytes.h"
#include "failure.h"
#include "unique_fd.h"

namespace dunlin::radio {

/// Returns the number of an adapter from its name hciN; −1 for any other name.
inline int AdapterNumber(const char* name) {
  if (std::strncmp(name, "hci", 3) != 0 || name[3] < '0' || name[3] > '9') return -1;
  char* end;
  unsigned long number = std::strtoul(name + 3, &end, 10);
  return *end == 0 && number < 0xffff ? static_cast<int>(number) : -1;
}

class HciSocket {
 public:
  HciSocket(const char* name, int adapter) : name_(name), fd_(::socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, kProtocol)) {
    if (!fd_) Fail(kFailed, "cannot open a Bluetooth socket: %s", NoSocket(errno));
    // Sets the adapter down, which ends its use by other programs. If it is already down, the call fails with EALREADY,
    // which is not an error here.
    if (::ioctl(fd(), kDown, adapter) < 0 && errno != EALREADY) Fail(kFailed, "cannot set %s down: %s", name, Reason(errno));
    int room = 1 << 20;
    (void)::setsockopt(fd(), SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
    Address address{AF_BLUETOOTH, static_cast<uint16_t>(adapter), kUserChannel};
    if (::bind(fd(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0)
      Fail(kFailed, "cannot get exclusive use of %s: %s", name, Reason(errno));
  }

  const char* name() const { return name_; }
  int fd() const { return fd_.get(); }

  enum class Outcome { kPacket, kNone, kGone };

  /// Reads one waiting packet.
  Outcome Read(Bytes& packet) {
    ssize_t size = ::recv(fd(), buffer_, sizeof buffer_, MSG_DONTWAIT);
    if (size > 0) packet = {buffer_, static_cast<size_t>(size)};
    if (size < 0 && IsPassing(errno)) return Outcome::kNone;
    return size > 0 ? Outcome::kPacket : Outcome::kGone;
  }

  /// Sends one packet; false if the adapter is gone. A packet for which the kernel has no room is dropped: HciDialogue
  /// repeats unanswered commands.
  bool Send(Bytes packet) {
    return ::send(fd(), packet.data, packet.size, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || IsPassing(errno);
  }

  /// Number of received packets dropped for lack of room since the socket was opened.
  uint64_t dropped() const {
    uint32_t counts[SK_MEMINFO_VARS]{};
    socklen_t size = sizeof counts;
    return ::getsockopt(fd(), SOL_SOCKET, SO_MEMINFO, counts, &size) < 0 ? 0 : counts[SK_MEMINFO_DROPS];
  }

 private:
  /// Constants of the kernel's include/net/bluetooth/{bluetooth,hci,hci_sock}.h, which no user-space header has.
  static constexpr int kProtocol = 1;
  static constexpr uint16_t kUserChannel = 1;
  static constexpr unsigned long kDown = _IOW('H', 202, int);
  struct Address {
    sa_family_t family;
    uint16_t adapter;
    uint16_t channel;
  };

  static bool IsPassing(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR || error == ENOBUFS || error == ENOMEM;
  }

  static const char* NoSocket(int error) {
    if (error == EAFNOSUPPORT || error == EPROTONOSUPPORT)
      return "the kernel has no Bluetooth (modprobe bluetooth), or the unit or container does not allow it";
    return std::strerror(error);
  }

  static const char* Reason(int error) {
    if (error == EBUSY) return "it is in use by bluetoothd: run systemctl disable --now bluetooth, or bluetoothctl power off for this adapter";
    if (error == EUSERS) return "another program uses it exclusively: only one program can use an adapter";
    if (error == ENODEV) return "there is no such adapter: ls /sys/class/bluetooth lists the adapters";
    if (error == EPERM || error == EACCES) return "the program needs CAP_NET_ADMIN: start it through dunlin-bluetooth@NAME.socket";
    if (error == ERFKILL) return "it is blocked: run rfkill unblock bluetooth";
    if (error == EINVAL || error == EOPNOTSUPP) return "the kernel cannot give a program exclusive use of an adapter: Linux 3.14 or later is needed";
    return std::strerror(error);
  }

  const char* name_;
  UniqueFd fd_;
  /// The buffer is larger than any event (258 bytes) and any data packet of a controller.
  uint8_t buffer_[2'048];
};

}  // namespace dunlin::radio
