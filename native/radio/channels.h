// Channels of a radio, from its configuration file.
#pragma once

#include <array>

#include "failure.h"

namespace dunlin::radio {

struct Dwell {
  unsigned mhz = 0;
  unsigned ms = 0;
};

/// Channels to listen on, at most four. With five or more, some adapters transmit a burst at each change, and this
/// program must not transmit.
struct Channels {
  static constexpr size_t kMost = 4;
  std::array<Dwell, kMost> list{Dwell{2437, 3'000}};
  size_t count = 1;
};

/// Returns the centre frequency of a 20 MHz channel in the bands of 2.4 and 5 GHz, MHz; 0 outside 1 to 14 and 36 to
/// 177. Numbers of the 5 GHz band are not checked further: the kernel refuses frequencies that are no channel.
inline unsigned FrequencyOf(unsigned long channel) {
  if (channel == 14) return 2484;
  if (channel >= 1 && channel <= 13) return static_cast<unsigned>(2407 + 5 * channel);
  if (channel >= 36 && channel <= 177) return static_cast<unsigned>(5000 + 5 * channel);
  return 0;
}

inline unsigned UsualDwellMs(unsigned mhz) { return mhz == 2437 ? 3'000 : mhz == 5745 ? 1'200 : 250; }

/// Reads the numbers of a line up to a `#`, separated by blanks, commas or brackets. Returns their count; kMost + 1 if
/// the line is invalid or has more than kMost numbers.
inline size_t ReadNumbers(const char* text, std::array<unsigned long, Channels::kMost>& numbers) {
  size_t count = 0;
  for (;;) {
    text += std::strspn(text, " \t,[]\r\n");
    if (*text == 0 || *text == '#') return count;
    char* end;
    unsigned long number = std::strtoul(text, &end, 10);
    if (end == text || *text == '-' || *text == '+' || count == Channels::kMost) return Channels::kMost + 1;
    numbers[count++] = number;
    text = end;
  }
}

class ChannelFile {
 public:
  explicit ChannelFile(const char* path) : path_(path) {}

  /// Reads the file; returns the defaults if there is no file. Ends the program if the file is invalid.
  Channels Read() {
    std::FILE* file = std::fopen(path_, "re");
    if (!file && errno == ENOENT) return {};
    if (!file) Fail(kBadConfiguration, "cannot read %s: %s", path_, std::strerror(errno));
    char line[256];
    for (number_ = 1; std::fgets(line, sizeof line, file); number_++) Line(line);
    std::fclose(file);
    if (dwells_ && dwells_ != channels_.count)
      Fail(kBadConfiguration, "%s: dwell_ms has %zu times for %zu channels: give one time for each channel", path_, dwells_, channels_.count);
    for (size_t at = 0; at < channels_.count; at++)
      channels_.list[at].ms = dwells_ ? static_cast<unsigned>(dwell_[at]) : UsualDwellMs(channels_.list[at].mhz);
    return channels_;
  }

 private:
  void Line(const char* line) {
    line += std::strspn(line, " \t");
    if (*line == '#' || *line == '\n' || *line == 0) return;
    const char* equals = std::strchr(line, '=');
    size_t length = std::strcspn(line, " \t=");
    if (equals && length == 8 && std::strncmp(line, "channels", 8) == 0) return SetChannels(equals + 1);
    if (equals && length == 8 && std::strncmp(line, "dwell_ms", 8) == 0) return SetDwells(equals + 1);
    Fail(kBadConfiguration, "%s:%d: the line must begin with a key, channels or dwell_ms, as in 'channels = 6 149'", path_, number_);
  }

  void SetChannels(const char* text) {
    std::array<unsigned long, Channels::kMost> numbers{};
    size_t count = ReadNumbers(text, numbers);
    if (count == 0 || count > Channels::kMost)
      Fail(kBadConfiguration, "%s:%d: the key channels needs one to four channel numbers", path_, number_);
    channels_.count = count;
    for (size_t at = 0; at < count; at++) {
      channels_.list[at].mhz = FrequencyOf(numbers[at]);
      if (!channels_.list[at].mhz)
        Fail(kBadConfiguration, "%s:%d: there is no Wi-Fi channel %lu: use 1 to 14, or 36 to 177", path_, number_, numbers[at]);
    }
  }

  void SetDwells(const char* text) {
    dwells_ = ReadNumbers(text, dwell_);
    bool good = dwells_ > 0 && dwells_ <= Channels::kMost;
    for (size_t at = 0; good && at < dwells_; at++) good = dwell_[at] >= 50 && dwell_[at] <= 60'000;
    if (!good) Fail(kBadConfiguration, "%s:%d: the key dwell_ms needs one time for each channel, each 50 to 60000 ms", path_, number_);
  }

  const char* path_;
  int number_ = 0;
  Channels channels_;
  std::array<unsigned long, Channels::kMost> dwell_{};
  size_t dwells_ = 0;
};

}  // namespace dunlin::radio
