// Requests to the kernel over generic netlink, one at a time.
#pragma once

#include <sys/socket.h>

#include <cerrno>

#include "attributes.h"
#include "unique_fd.h"

namespace dunlin::radio {

/// Reads the messages of one datagram and calls `take` with the attributes of each answer. True if the datagram ends
/// the answers; `error` is then the error number of the request, 0 for none.
template <typename Take>
bool ReadAnswers(Bytes datagram, uint32_t sequence, int& error, Take&& take) {
  for (size_t at = 0; at + NLMSG_HDRLEN <= datagram.size;) {
    size_t length = datagram.U32(at);
    if (length < NLMSG_HDRLEN || length > datagram.size - at) return false;
    Bytes body = datagram.Part(at + NLMSG_HDRLEN, length - NLMSG_HDRLEN);
    uint16_t type = datagram.U16(at + 4);
    bool ours = datagram.U32(at + 8) == sequence;
    at += NLMSG_ALIGN(length);
    if (!ours) continue;
    if (type == NLMSG_ERROR || type == NLMSG_DONE) {
      error = -static_cast<int32_t>(body.U32(0));
      return true;
    }
    take(body.From(GENL_HDRLEN));
  }
  return false;
}

class Netlink {
 public:
  explicit Netlink(UniqueFd fd) : fd_(std::move(fd)) {}
  static UniqueFd Kernel() { return UniqueFd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC)); }

  int fd() const { return fd_.get(); }
  void Close() { fd_.Close(); }

  /// Sends a request and calls `take` with the attributes of each answer. Returns the error number, 0 for none.
  template <typename Take>
  int Ask(Request& request, Take&& take) {
    uint32_t sequence = ++sequence_;
    Bytes bytes = request.Close(sequence);
    if (bytes.size == 0) return EMSGSIZE;
    if (::send(fd(), bytes.data, bytes.size, MSG_NOSIGNAL) < 0) return errno;
    for (int error = 0;;) {
      ssize_t size = ::recv(fd(), answer_.data(), answer_.size(), 0);
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return errno;
      if (size == 0) return EPIPE;
      if (ReadAnswers({answer_.data(), static_cast<size_t>(size)}, sequence, error, take)) return error;
    }
  }
  int Ask(Request& request) {
    return Ask(request, [](Bytes) {});
  }

 private:
  UniqueFd fd_;
  uint32_t sequence_ = 0;
  alignas(8) std::array<uint8_t, 32'768> answer_;
};

}  // namespace dunlin::radio
