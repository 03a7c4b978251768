// The listening socket of the stream: passed by systemd, or created at a path.
#pragma once

#include <fcntl.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "failure.h"
#include "unique_fd.h"

namespace dunlin::radio {

/// Returns the one socket that systemd passed (sd_listen_fds(3)); an empty descriptor if systemd passed none to this
/// process. Ends the program if the socket is unusable.
inline UniqueFd PassedSocket() {
  const char* pid = std::getenv("LISTEN_PID");
  const char* count = std::getenv("LISTEN_FDS");
  if (!pid || !count || std::strtol(pid, nullptr, 10) != ::getpid()) return {};
  if (std::strcmp(count, "1") != 0) Fail(kWrongUse, "systemd passed %s sockets: the socket unit must have exactly one ListenStream=", count);
  constexpr int kFirst = 3;
  int listening = 0;
  socklen_t size = sizeof listening;
  if (::getsockopt(kFirst, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) < 0 || !listening)
    Fail(kWrongUse, "systemd passed no listening socket: the socket unit needs ListenStream= and Accept=no");
  ::fcntl(kFirst, F_SETFD, FD_CLOEXEC);
  ::fcntl(kFirst, F_SETFL, O_NONBLOCK);
  return UniqueFd(kFirst);
}

/// Creates a socket at a path, accessible to its owner and group. The socket appears at the path only once it listens,
/// and replaces a socket that an earlier run left there.
inline UniqueFd ListenAt(const char* path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  int length = std::snprintf(address.sun_path, sizeof address.sun_path, "%s.new", path);
  if (length >= static_cast<int>(sizeof address.sun_path)) Fail(kWrongUse, "the path of --listen is longer than 103 bytes");
  struct stat found;
  if (::lstat(path, &found) == 0 && !S_ISSOCK(found.st_mode)) Fail(kWrongUse, "the path of --listen, %s, exists and is not a socket", path);
  ::unlink(address.sun_path);
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  mode_t mask = ::umask(0117);
  bool bound = fd && ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  ::umask(mask);
  if (!bound || ::listen(fd.get(), 4) < 0 || ::rename(address.sun_path, path) < 0)
    Fail(kFailed, "cannot listen at %s: %s", path, std::strerror(errno));
  return fd;
}

/// Users whose processes may read the stream: root, `dunlin`, and the user of this program.
class Readers {
 public:
  Readers() {
    const passwd* found = ::getpwnam("dunlin");
    if (found) dunlin_ = found->pw_uid;
  }

  bool May(int socket) const {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return false;
    return peer.uid == 0 || peer.uid == dunlin_ || peer.uid == ::geteuid();
  }

 private:
  uid_t dunlin_ = 0;
};

}  // namespace dunlin::radio
