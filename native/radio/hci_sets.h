// Extended advertising arrives in fragments, interleaved with the fragments of other transmitters. The fragments of an
// advertising set are held until one of them shows Remote ID. The held fragments and the rest of the set are then
// passed on. A set that ends without Remote ID is dropped.
#pragma once

#include <array>

#include "bytes.h"

namespace dunlin::radio {

/// Service data with ASTM's UUID 0xFFFA and the application code of Remote ID.
inline constexpr uint8_t kRemoteIdMark[] = {0x16, 0xfa, 0xff, 0x0d};

inline bool HasRemoteId(Bytes data) {
  for (size_t at = 0; at + sizeof kRemoteIdMark <= data.size; at++)
    if (data.data[at] == kRemoteIdMark[0] && data.Has(at, kRemoteIdMark)) return true;
  return false;
}

class HciSets {
 public:
  /// Processes one extended advertising report. Calls `pass` with each report to pass on, in order.
  template <typename Pass>
  void Take(Bytes report, Bytes data, uint64_t now, Pass&& pass) {
    bool has_more = (report.U16(0) >> 5 & 3) == 1;
    Set* set = Find(KeyOf(report), now);
    if (!set && !has_more) {
      if (HasRemoteId(data)) pass(report);
      return;
    }
    if (!set) set = &Open(KeyOf(report), now);
    if (!set->passes && set->ShowsWith(data)) {
      set->passes = true;
      set->Release(pass);
    }
    if (set->passes) pass(report);
    else if (!has_more || !set->Hold(report)) return set->Close();
    // A set that exceeds kMostData ends here. If its fragments were passed on, the daemon counts it as too long.
    if (!has_more || set->AddData(data) > kMostData) set->Close();
  }

 private:
  static constexpr size_t kMostSets = 64;
  /// Greatest length of advertising data, bytes (Bluetooth Core 5.4, volume 4, part E, section 7.7.65.13).
  static constexpr size_t kMostData = 1'650;
  static constexpr size_t kHeader = 24, kMostFragments = 16;
  static constexpr uint64_t kTimeMs = 1'000;

  struct Set {
    /// Address of the transmitter and number of the set; 0 if this place is free.
    uint64_t key = 0;
    uint64_t since = 0;
    bool passes = false;
    size_t data = 0, held = 0, tail = 0;
    /// Last bytes of the previous fragments, since the mark may be split between two fragments.
    std::array<uint8_t, sizeof kRemoteIdMark - 1> last;
    std::array<uint8_t, kMostData + kMostFragments * kHeader> reports;

    void Close() { key = 0; }

    bool ShowsWith(Bytes more) const {
      std::array<uint8_t, 2 * (sizeof kRemoteIdMark - 1)> seam;
      size_t size = tail;
      std::memcpy(seam.data(), last.data(), tail);
      for (size_t at = 0; at < more.size && at < last.size(); at++) seam[size++] = more.data[at];
      return HasRemoteId(more) || HasRemoteId({seam.data(), size});
    }

    bool Hold(Bytes report) {
      if (report.size > reports.size() - held) return false;
      std::memcpy(reports.data() + held, report.data, report.size);
      held += report.size;
      return true;
    }

    template <typename Pass>
    void Release(Pass&& pass) {
      Bytes all{reports.data(), held};
      for (size_t at = 0; at < held; at += kHeader + all.U8(at + kHeader - 1)) pass(all.Part(at, kHeader + all.U8(at + kHeader - 1)));
      held = 0;
    }

    size_t AddData(Bytes more) {
      for (size_t at = more.size > last.size() ? more.size - last.size() : 0; at < more.size; at++) {
        if (tail == last.size()) std::memmove(last.data(), last.data() + 1, --tail);
        last[tail++] = more.data[at];
      }
      return data += more.size;
    }
  };

  /// Returns the key of a report's address and advertising set. The highest bit of a key is 1, so that no key is 0.
  static uint64_t KeyOf(Bytes report) {
    uint64_t address = report.U32(3) | static_cast<uint64_t>(report.U16(7)) << 32;
    return uint64_t{1} << 63 | address << 8 | report.U8(11);
  }

  /// Returns the set with a key; null if there is none, or if it was too old and is now closed.
  Set* Find(uint64_t key, uint64_t now) {
    for (Set& set : sets_) {
      if (set.key != key) continue;
      if (now - set.since <= kTimeMs) return &set;
      set.Close();
      return nullptr;
    }
    return nullptr;
  }

  /// Opens a set in a free place, or in place of the oldest set.
  Set& Open(uint64_t key, uint64_t now) {
    Set* place = &sets_[0];
    for (Set& set : sets_)
      if (place->key && (!set.key || set.since < place->since)) place = &set;
    place->key = key;
    place->since = now;
    place->passes = false;
    place->data = place->held = place->tail = 0;
    return *place;
  }

  std::array<Set, kMostSets> sets_;
};

}  // namespace dunlin::radio
