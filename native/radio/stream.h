// The pcapng stream to the client: selected frames as they arrive, and statistics each second. If the statistics stop,
// the program is dead. If their member `heard` is 0, the radio received nothing since the last statistics.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <ctime>

#include "client.h"
#include "pcapng.h"

namespace dunlin::radio {

class Stream {
 public:
  static constexpr size_t kLongestRecord = kSnapLength + 64;

  Stream(const char* name, uint16_t link_type) : name_(name), link_type_(link_type) {}

  static uint64_t NowUs() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000 + static_cast<uint64_t>(now.tv_nsec) / 1'000;
  }

  Client& client() { return client_; }

  void Connect(UniqueFd fd) {
    client_.Connect(std::move(fd));
    Bytes name{reinterpret_cast<const uint8_t*>(name_), std::strlen(name_)};
    Queue(WriteHeader(record_, link_type_, name));
  }

  /// Counts frames of all transmitters; `freq_mhz` is 0 if unknown.
  void Count(size_t frames, size_t bad_fcs = 0, unsigned freq_mhz = 0) {
    received_ += frames;
    bad_fcs_ += bad_fcs;
    if (freq_mhz) freq_mhz_ = freq_mhz;
  }

  /// Passes a frame to the client if one is connected.
  void Pass(Bytes packet, size_t length, uint64_t time_us) {
    if (client_.is_connected() && !Queue(WritePacket(record_, time_us, packet, length))) lost_++;
  }

  /// Writes the packet counts of the interface since the start; the comment has the counts since the last call.
  /// `tuned_mhz` 0 means that the frequency of the last frame is reported. `note` holds further JSON members for the
  /// comment, each followed by a comma.
  void Report(uint64_t received, uint64_t dropped, unsigned tuned_mhz, const char* note) {
    if (tuned_mhz) freq_mhz_ = tuned_mhz;
    char text[128], frequency[32] = "";
    if (freq_mhz_) std::snprintf(frequency, sizeof frequency, "\"freq_mhz\":%u,", freq_mhz_);
    int size = std::snprintf(text, sizeof text, "{%s%s\"heard\":%" PRIu64 ",\"bad_fcs\":%" PRIu64 "}", frequency, note, received_,
                             bad_fcs_);
    Bytes comment{reinterpret_cast<const uint8_t*>(text), static_cast<size_t>(size)};
    received_ = bad_fcs_ = 0;
    if (client_.is_connected()) Queue(WriteStatistics(record_, NowUs(), received, dropped + lost_, comment));
  }

 private:
  bool Queue(size_t size) { return client_.Queue({record_.data(), size}); }

  const char* name_;
  uint16_t link_type_;
  Client client_;
  unsigned freq_mhz_ = 0;
  uint64_t received_ = 0, bad_fcs_ = 0, lost_ = 0;
  std::array<uint8_t, kLongestRecord> record_;
};

}  // namespace dunlin::radio
