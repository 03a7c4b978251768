// Capabilities of this process. The process that reads frames keeps none; the process that changes channels (the tuner)
// keeps CAP_NET_ADMIN.
#pragma once

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "failure.h"

namespace dunlin::radio {

/// Permanently gives up every capability except those in `kept`, a mask of CAP_ numbers below 32.
inline void KeepCapabilities(uint32_t kept) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) Fail(kFailed, "cannot set no_new_privs: %s", std::strerror(errno));
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  // PR_CAPBSET_DROP fails without CAP_SETPCAP, which the systemd unit does not grant. The unit itself limits the
  // bounding set to two capabilities.
  for (unsigned long number = 0; number < 64; number++)
    if (number >= 32 || !(kept >> number & 1)) ::prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  data[0].effective = data[0].permitted = kept;
  if (::syscall(SYS_capset, &header, data) < 0) Fail(kFailed, "cannot give up capabilities: %s", std::strerror(errno));
}

}  // namespace dunlin::radio
