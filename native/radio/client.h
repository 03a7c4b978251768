// The only reader of the stream. Records wait in a ring buffer of fixed size, and a record that does not fit is dropped
// as a whole. A slow client thus never delays reading the radio's socket.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "bytes.h"
#include "unique_fd.h"

namespace dunlin::radio {

class Client {
 public:
  static constexpr size_t kRoom = 256 * 1'024;

  bool is_connected() const { return static_cast<bool>(fd_); }
  bool is_waiting() const { return size_ > 0; }
  int fd() const { return fd_.get(); }
  size_t room() const { return kRoom - size_; }

  void Connect(UniqueFd fd) {
    fd_ = std::move(fd);
    begin_ = size_ = 0;
  }

  void Disconnect() {
    fd_.Close();
    begin_ = size_ = 0;
  }

  /// Queues a whole record; false if the record is empty or the buffer has no room for it.
  bool Queue(Bytes record) {
    if (record.size == 0 || record.size > room()) return false;
    size_t at = (begin_ + size_) % kRoom;
    size_t first = std::min(record.size, kRoom - at);
    std::memcpy(ring_.data() + at, record.data, first);
    std::memcpy(ring_.data(), record.data + first, record.size - first);
    size_ += record.size;
    return true;
  }

  /// Sends as much as the socket accepts without waiting; false if the client is gone.
  bool Send() {
    while (size_ > 0) {
      size_t first = std::min(size_, kRoom - begin_);
      iovec parts[] = {{ring_.data() + begin_, first}, {ring_.data(), size_ - first}};
      msghdr message{};
      message.msg_iov = parts;
      message.msg_iovlen = first < size_ ? 2 : 1;
      ssize_t sent = ::sendmsg(fd(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
      begin_ = (begin_ + static_cast<size_t>(sent)) % kRoom;
      size_ -= static_cast<size_t>(sent);
    }
    return true;
  }

 private:
  UniqueFd fd_;
  size_t begin_ = 0;
  size_t size_ = 0;
  std::array<uint8_t, kRoom> ring_;
};

}  // namespace dunlin::radio
