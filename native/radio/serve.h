// Main loop of the program: passes packets of a source to the client. Nothing in it allocates memory or waits for the
// client.
#pragma once

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include <csignal>

#include "listener.h"
#include "stream.h"

namespace dunlin::radio {

/// Returns a descriptor that becomes readable on SIGTERM or SIGINT.
inline UniqueFd EndSignals() {
  sigset_t ends;
  ::sigemptyset(&ends);
  ::sigaddset(&ends, SIGTERM);
  ::sigaddset(&ends, SIGINT);
  ::sigprocmask(SIG_BLOCK, &ends, nullptr);
  return UniqueFd(::signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK));
}

inline UniqueFd EachSecond() {
  UniqueFd fd(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  itimerspec each{{1, 0}, {1, 0}};
  if (!fd || ::timerfd_settime(fd.get(), 0, &each, nullptr) < 0) Fail(kFailed, "cannot start a timer: %s", std::strerror(errno));
  return fd;
}

/// Serves one source. `fd()` of a source is readable when packets wait (−1 for a file); `tuner_fd()` is readable when
/// the tuner has ended. `Read(stream)` returns false at the end of the source; `is_due(stream)` is true if `Read` has
/// work without waiting for `fd()`. `Count(received, dropped)`, `tuned_mhz()` and `note()` give statistics.
template <typename Source>
class Server {
 public:
  Server(UniqueFd listener, const Readers& readers, Source& source, Stream& stream)
      : listener_(std::move(listener)), readers_(readers), source_(source), stream_(stream), second_(EachSecond()), ends_(EndSignals()) {}

  /// Runs until the source or its tuner ends (returns true), or the program is asked to end (returns false).
  bool Run() {
    for (;;) {
      Wait();
      if (polled_[kEnd].revents) return false;
      if (polled_[kTuner].revents) return true;
      if (polled_[kSecond].revents) Tick();
      if (polled_[kListener].revents) Accept();
      if (polled_[kClient].revents) LookAtClient();
      if ((polled_[kSource].revents || source_.is_due(stream_)) && !source_.Read(stream_)) return true;
      Send();
    }
  }

  /// Writes the last counts and sends everything that is queued. Waits until the client has received it, disconnects,
  /// or the program is asked to end.
  void Finish() {
    Tick();
    while (stream_.client().is_connected() && stream_.client().is_waiting()) {
      Wait();
      if (polled_[kEnd].revents) return;
      if (polled_[kClient].revents) LookAtClient();
      Send();
    }
  }

 private:
  enum { kEnd, kSecond, kListener, kClient, kSource, kTuner, kCount };

  void Wait() {
    Client& client = stream_.client();
    short wanted = static_cast<short>(client.is_waiting() ? POLLIN | POLLOUT : POLLIN);
    polled_[kEnd] = {ends_.get(), POLLIN, 0};
    polled_[kSecond] = {second_.get(), POLLIN, 0};
    polled_[kListener] = {listener_.get(), POLLIN, 0};
    polled_[kClient] = {client.fd(), wanted, 0};
    polled_[kSource] = {source_.fd(), POLLIN, 0};
    polled_[kTuner] = {source_.tuner_fd(), POLLIN, 0};
    if (::poll(polled_, kCount, source_.is_due(stream_) ? 0 : -1) < 0 && errno != EINTR)
      Fail(kFailed, "cannot wait for the adapter and the client: %s", std::strerror(errno));
  }

  void Tick() {
    uint64_t ticks;
    if (::read(second_.get(), &ticks, sizeof ticks) < 0 && errno != EAGAIN) return;
    source_.Count(received_, dropped_);
    stream_.Report(received_, dropped_, source_.tuned_mhz(), source_.note());
  }

  /// Accepts a client. A second client is refused, since the stream is for one daemon.
  void Accept() {
    UniqueFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd) return;
    if (!readers_.May(fd.get())) {
      std::fputs("dunlin-radio: a client of another user was refused: only root, dunlin and the user of this program may read the stream\n", stderr);
      return;
    }
    if (stream_.client().is_connected()) LookAtClient();
    if (!stream_.client().is_connected()) stream_.Connect(std::move(fd));
  }

  /// Reads bytes from the client and discards them, since a client sends nothing of meaning. The read shows whether the
  /// client has disconnected.
  void LookAtClient() {
    Client& client = stream_.client();
    uint8_t dropped[256];
    ssize_t size = ::recv(client.fd(), dropped, sizeof dropped, MSG_DONTWAIT);
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) client.Disconnect();
  }

  void Send() {
    Client& client = stream_.client();
    if (client.is_connected() && !client.Send()) client.Disconnect();
  }

  UniqueFd listener_;
  const Readers& readers_;
  Source& source_;
  Stream& stream_;
  UniqueFd second_, ends_;
  pollfd polled_[kCount]{};
  uint64_t received_ = 0, dropped_ = 0;
};

}  // namespace dunlin::radio
