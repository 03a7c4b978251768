// systemd's readiness protocol (sd_notify(3)): one datagram to the AF_UNIX socket that NOTIFY_SOCKET names. Node has no
// AF_UNIX datagram sockets, so this code is native.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace dunlin {

/// Sends `state`, such as "READY=1", to the socket at `path`; a leading '@' means the abstract namespace. Never blocks
/// and never raises SIGPIPE. False if it could not be sent, for example because the socket is missing or its queue is
/// full.
inline bool SdNotify(const std::string& path, const std::string& state) {
  sockaddr_un address{};
  if (path.empty() || path.size() >= sizeof(address.sun_path)) return false;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (path[0] == '@') address.sun_path[0] = '\0';
  int socket_fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_fd < 0) return false;
  auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  ssize_t sent = ::sendto(socket_fd, state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                          reinterpret_cast<sockaddr*>(&address), length);
  ::close(socket_fd);
  return sent == static_cast<ssize_t>(state.size());
}

}  // namespace dunlin
