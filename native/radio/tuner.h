// Changes channels in a process of its own. That process keeps CAP_NET_ADMIN but gets no frames; the reader gets frames
// but has no privileges.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <atomic>
#include <csignal>
#include <ctime>

#include "channels.h"
#include "interface.h"
#include "privileges.h"

namespace dunlin::radio {

class Tuner {
 public:
  /// Sets the first channel. If there are several, starts the process that changes channels.
  Tuner(const Interface& interface, Nl80211& nl80211, const Channels& channels) {
    int error = nl80211.SetFrequency(interface.index(), channels.list[0].mhz);
    if (error) Fail(kFailed, "%s refuses %u MHz: %s", interface.name(), channels.list[0].mhz, RefusedFrequency(error));
    void* page = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) Fail(kFailed, "cannot share memory with the tuner process: %s", std::strerror(errno));
    shared_ = new (page) Shared{channels.list[0].mhz};
    if (channels.count > 1) Fork(interface, nl80211, channels);
  }

  /// Last frequency that was set, MHz.
  unsigned mhz() const { return shared_->mhz.load(std::memory_order_relaxed); }
  /// Descriptor that becomes readable when the tuner process has ended; −1 if there is no such process.
  int fd() const { return alive_.get(); }

 private:
  struct Shared {
    std::atomic<unsigned> mhz;
  };
  static constexpr int kMostFailures = 20;

  void Fork(const Interface& interface, Nl80211& nl80211, const Channels& channels) {
    int ends[2];
    pid_t reader = ::getpid();
    if (::pipe2(ends, O_CLOEXEC) < 0) Fail(kFailed, "cannot make a pipe to the tuner process: %s", std::strerror(errno));
    pid_t child = ::fork();
    if (child < 0) Fail(kFailed, "cannot start the tuner process: %s", std::strerror(errno));
    if (child == 0) {
      // Closes the other descriptors from 3 to 63, among them the socket of systemd and the reader's end of the pipe.
      for (int fd = 3; fd < 64; fd++)
        if (fd != ends[1] && fd != nl80211.fd()) ::close(fd);
      KeepCapabilities(1u << CAP_NET_ADMIN);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != reader) std::exit(kFailed);
      Hop(interface, nl80211, channels);
    }
    ::close(ends[1]);
    alive_ = UniqueFd(ends[0]);
  }

  /// Changes channels for ever. After a failed change the adapter stays on its channel; after more than
  /// kMostFailures in a row, or when the adapter is gone, the process ends.
  [[noreturn]] void Hop(const Interface& interface, Nl80211& nl80211, const Channels& channels) {
    int failures = 0;
    for (size_t at = 0;; at = (at + 1) % channels.count) {
      const Dwell& dwell = channels.list[at];
      int error = at == 0 && failures == 0 && mhz() == dwell.mhz ? 0 : nl80211.SetFrequency(interface.index(), dwell.mhz);
      failures = error ? failures + 1 : 0;
      if (error == ENODEV || failures > kMostFailures)
        Fail(kFailed, "%s refuses %u MHz: %s", interface.name(), dwell.mhz, RefusedFrequency(error));
      if (error && failures == 1)
        std::fprintf(stderr, "dunlin-radio: %s refuses %u MHz: %s\n", interface.name(), dwell.mhz, RefusedFrequency(error));
      if (!error) shared_->mhz.store(dwell.mhz, std::memory_order_relaxed);
      timespec stay{dwell.ms / 1'000, dwell.ms % 1'000 * 1'000'000L};
      while (::nanosleep(&stay, &stay) < 0 && errno == EINTR) {
      }
    }
  }

  Shared* shared_ = nullptr;
  UniqueFd alive_;
};

}  // namespace dunlin::radio
