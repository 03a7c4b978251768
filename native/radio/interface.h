// The network interface of a Wi-Fi adapter: sets it to monitor mode.
#pragma once

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "failure.h"
#include "nl80211.h"

namespace dunlin::radio {

class Interface {
 public:
  explicit Interface(const char* name) : name_(name), index_(::if_nametoindex(name)) {
    if (std::strlen(name) >= IFNAMSIZ || index_ == 0) Fail(kFailed, "there is no interface %s: ip link lists the interfaces", name);
  }

  const char* name() const { return name_; }
  uint32_t index() const { return index_; }

  /// Sets the interface down, to monitor mode, and up again.
  void Listen(Nl80211& nl80211) const {
    Set(false);
    int error = nl80211.SetMonitor(index_);
    if (error == EOPNOTSUPP) Fail(kFailed, "%s cannot monitor: its driver or chip has no monitor mode, so use another adapter", name_);
    if (error) Fail(kFailed, "cannot set %s to monitor mode: %s", name_, Reason(error));
    Set(true);
  }

 private:
  static const char* Reason(int error) {
    if (error == EBUSY) return "it is in use: NetworkManager or wpa_supplicant must leave it alone (nmcli device set NAME managed no)";
    if (error == ERFKILL) return "it is blocked: run rfkill unblock wifi";
    if (error == EPERM) return "the program needs CAP_NET_ADMIN";
    return std::strerror(error);
  }

  void Set(bool up) const {
    UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ifreq request{};
    std::strncpy(request.ifr_name, name_, IFNAMSIZ - 1);
    if (::ioctl(fd.get(), SIOCGIFFLAGS, &request) < 0) Fail(kFailed, "cannot read the state of %s: %s", name_, std::strerror(errno));
    short flags = static_cast<short>(up ? request.ifr_flags | IFF_UP : request.ifr_flags & ~IFF_UP);
    if (flags == request.ifr_flags) return;
    request.ifr_flags = flags;
    if (::ioctl(fd.get(), SIOCSIFFLAGS, &request) < 0)
      Fail(kFailed, "cannot set %s %s: %s", name_, up ? "up" : "down", Reason(errno));
  }

  const char* name_;
  uint32_t index_;
};

/// Returns the reason why the kernel refuses a frequency, as the last part of a sentence.
inline const char* RefusedFrequency(int error) {
  if (error == EBUSY) return "another interface of the adapter is up: set it down with ip link set NAME down";
  if (error == EINVAL) return "the adapter or the regulatory domain does not permit this frequency: see iw phy and iw reg get";
  return std::strerror(error);
}

}  // namespace dunlin::radio
