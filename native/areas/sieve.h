// Which of many things may be near, or come near: balls round them against the way that is flown, four at once. In single
// precision, with so much room that none is missed.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "pairs.h"
#include "thing.h"

namespace dunlin {

struct Candidate {
  float least;  // m: it is not nearer than that
  uint32_t thing;
};

class Sieve {
 public:
  /// So many are the likeliest of a look at most.
  static constexpr int kMostLikely = 8;
  /// Where a thing stands is told in 16 digits; see KeyOf.
  static constexpr size_t kMostThings = 0x10000;

  /// Those of the things that are measured for threat, or the others.
  void Set(const std::vector<Thing>& things, bool measured) {
    for (auto* column : {&x_, &y_, &z_, &radius_, &reach_}) column->clear();
    things_.clear();
    for (size_t i = 0; i < things.size(); i++) {
      const Thing& t = things[i];
      if (t.measured != measured) continue;
      things_.push_back(static_cast<uint32_t>(i));
      Add(t.middle, t.radius + kRoomM, (t.radius + t.near) * (1 + kRoomShare) + kRoomM);
    }
    while (x_.size() % (kFour * kRows) != 0) Add({kNowhereM, 0, 0}, 0, 0);
    least_.assign(x_.size(), kNever);
    keys_.assign(x_.size() + 2, 0);
  }

  /// Looks from a place along a way; answers how many may be near enough to be told of.
  size_t Look(const Vec3& from, const Vec3& way) {
    if (things_.empty()) return 0;
    double far2 = Dot(way, way), room = far2 / (2 * kEarthM) + kRoomShare * std::sqrt(far2);
    const Four px = Fours(from[0]), py = Fours(from[1]), pz = Fours(from[2]);
    const Four vx = Fours(way[0]), vy = Fours(way[1]), vz = Fours(way[2]);
    const Four inverse = Fours(far2 > 0 ? 1 / far2 : 0), more = Fours(room), one = Fours(1), shrunk = Fours(kSeen);
    const Four never = Fours(kNever);
    FourMask passed{};
    Four lowest[kRows] = {never, never, never, never};
    for (size_t block = 0; block < x_.size(); block += kFour * kRows)
      for (size_t row = 0; row < kRows; row++) {
        size_t i = block + kFour * row;
        Four dx = FourAt(&x_[i]) - px, dy = FourAt(&y_[i]) - py, dz = FourAt(&z_[i]) - pz;
        Four share = Greater(Lesser((dx * vx + dy * vy + dz * vz) * inverse, one), Four{});
        Four ex = dx - share * vx, ey = dy - share * vy, ez = dz - share * vz, reach = FourAt(&reach_[i]) + more;
        Four least = shrunk * Root(dx * dx + dy * dy + dz * dz) - FourAt(&radius_[i]);
        FourMask passes = ex * ex + ey * ey + ez * ez <= reach * reach;
        passed -= passes;
        least = passes ? least : never;
        lowest[row] = Lesser(least, lowest[row]);
        std::memcpy(&least_[i], &least, sizeof least);
      }
    likely_ = SecondOfEach(lowest);
    return static_cast<size_t>(passed[0] + passed[1] + passed[2] + passed[3]);
  }

  /// Takes the likeliest out, in order; answers how many there were.
  int TakeLikely(int most, Candidate* likely) {
    // Some more than those that are wanted: which of them are the least is told without asking one by one.
    size_t chosen = 0;
    for (size_t i = 0; i < least_.size(); i += kWord)
      for (uint64_t word = WordOf(i); word != 0; word &= word - 1) {
        size_t at = i + static_cast<size_t>(std::countr_zero(word));
        keys_[chosen++] = KeyOf(least_[at], at);
      }
    int count = std::min(most, static_cast<int>(chosen));
    if (chosen > kFew) {
      std::nth_element(keys_.begin(), keys_.begin() + count, keys_.begin() + static_cast<std::ptrdiff_t>(chosen));
      chosen = static_cast<size_t>(count);
    }
    keys_[chosen] = kNever;
    for (size_t i = 0; i < chosen; i++) {
      PairMask before{};
      for (size_t k = 0; k < chosen; k += 2) before -= PairAt(&keys_[k]) < Both(keys_[i]);
      size_t place = static_cast<size_t>(before[0] + before[1]), at = PlaceOf(keys_[i]);
      if (place < static_cast<size_t>(count)) likely[place] = {least_[at], static_cast<uint32_t>(at)};
    }
    for (int i = 0; i < count; i++) {
      least_[likely[i].thing] = kNever;
      likely[i].thing = things_[likely[i].thing];
    }
    return count;
  }

  /// Calls with each thing that may be nearer than the bound, which is what the last call answered.
  template <typename Each>
  void ForEachNearer(double bound, Each each) const {
    ForEachBelow(AtLeast(bound), [&](uint32_t at) { return AtLeast(each(things_[at])); });
  }

 private:
  static constexpr size_t kFour = 4;
  /// Of each lane of so many rows two are taken at least: `kMostLikely`.
  static constexpr size_t kRows = 4;
  static constexpr float kNever = 1e30f, kEver = 9e29f;
  /// So many are held each against each.
  static constexpr size_t kFew = 40;
  static constexpr size_t kWord = 64;
  /// What single precision errs by, at the earth's size and of what is far; and seen in a plane, what is far is a little nearer.
  static constexpr double kRoomM = 4, kRoomShare = 1e-5, kSeen = 0.9989;

  void Add(const Vec3& middle, double radius, double reach) {
    x_.push_back(static_cast<float>(middle[0]));
    y_.push_back(static_cast<float>(middle[1]));
    z_.push_back(static_cast<float>(middle[2]));
    radius_.push_back(static_cast<float>(radius));
    reach_.push_back(static_cast<float>(reach));
  }

  /// In the order of the least, and no two are the same: where a thing stands is told in digits that single precision has not.
  static double KeyOf(double least, size_t at) { return std::bit_cast<double>(std::bit_cast<uint64_t>(least) | at); }
  static size_t PlaceOf(double key) { return std::bit_cast<uint64_t>(key) & 0xffff; }

  /// Which of so many are likely, from one on.
  uint64_t WordOf(size_t from) const {
    uint64_t word = 0;
    size_t end = std::min(kWord, least_.size() - from);
    for (size_t i = 0; i < end; i += kFour) word |= uint64_t{Bits(FourAt(&least_[from + i]) <= Fours(likely_))} << i;
    return word;
  }

  /// Not less than the least but one of each lane.
  static float SecondOfEach(const Four (&rows)[kRows]) {
    Four second = Lesser(Greater(Lesser(rows[0], rows[1]), Lesser(rows[2], rows[3])),
                         Lesser(Greater(rows[0], rows[1]), Greater(rows[2], rows[3])));
    return std::min(kEver, std::max(std::max(second[0], second[1]), std::max(second[2], second[3])));
  }

  static float AtLeast(double bound) { return bound < kNever ? static_cast<float>(bound * (1 + 1e-6)) + 1e-3f : kNever; }

  template <typename Each>
  void ForEachBelow(float bound, Each each) const {
    for (size_t i = 0; i < least_.size(); i += kFour) {
      if (!Any(FourAt(&least_[i]) < Fours(bound))) continue;
      for (size_t k = i; k < i + kFour; k++)
        if (least_[k] < bound) bound = each(static_cast<uint32_t>(k));
    }
  }

  std::vector<float> x_, y_, z_, radius_, reach_, least_;
  std::vector<double> keys_;
  float likely_ = kEver;  // those that are no farther are some more than the likeliest
  std::vector<uint32_t> things_;
};

}  // namespace dunlin
