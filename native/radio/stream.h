// The pcapng stream to the client: chosen frames as they come, and each second the counts. A silent stream is a dead
// program; `heard` 0 is a deaf radio.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <ctime>

#include "client.h"
#include "pcapng.h"
#include "sieve.h"

namespace dunlin::radio {

class Stream {
 public:
  static constexpr size_t kLongestRecord = kSnapLength + 64;

  explicit Stream(const char* name) : name_(name) {}

  Client& client() { return client_; }

  void Connect(UniqueFd fd) {
    client_.Connect(std::move(fd));
    Bytes name{reinterpret_cast<const uint8_t*>(name_), std::strlen(name_)};
    Queue(WriteHeader(record_, kLinkRadiotap, name));
  }

  /// Counts a frame, and hands it on if it is about an aircraft and somebody reads.
  void Take(Bytes packet, size_t length, uint64_t time_us) {
    Sifted sifted = Sift(packet, length);
    received_++;
    if (sifted.bad_fcs) bad_fcs_++;
    if (sifted.freq_mhz) freq_mhz_ = sifted.freq_mhz;
    if (!sifted.passes || !client_.is_connected()) return;
    if (!Queue(WritePacket(record_, time_us, packet, length))) lost_++;
  }

  /// Writes the counts of the interface since the start, and in the comment those since the last call. `tuned_mhz` 0: the
  /// frequency is the last frame's.
  void Report(uint64_t received, uint64_t dropped, unsigned tuned_mhz) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    uint64_t time_us = static_cast<uint64_t>(now.tv_sec) * 1'000'000 + static_cast<uint64_t>(now.tv_nsec) / 1'000;
    if (tuned_mhz) freq_mhz_ = tuned_mhz;
    char text[96];
    int size = freq_mhz_ ? std::snprintf(text, sizeof text, "{\"freq_mhz\":%u,\"heard\":%" PRIu64 ",\"bad_fcs\":%" PRIu64 "}",
                                         freq_mhz_, received_, bad_fcs_)
                         : std::snprintf(text, sizeof text, "{\"heard\":%" PRIu64 ",\"bad_fcs\":%" PRIu64 "}", received_, bad_fcs_);
    Bytes comment{reinterpret_cast<const uint8_t*>(text), static_cast<size_t>(size)};
    received_ = bad_fcs_ = 0;
    if (client_.is_connected()) Queue(WriteStatistics(record_, time_us, received, dropped + lost_, comment));
  }

 private:
  bool Queue(size_t size) { return client_.Queue({record_.data(), size}); }

  const char* name_;
  Client client_;
  unsigned freq_mhz_ = 0;
  uint64_t received_ = 0, bad_fcs_ = 0, lost_ = 0;
  std::array<uint8_t, kLongestRecord> record_;
};

}  // namespace dunlin::radio
