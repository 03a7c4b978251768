// Finds the areas that may be near or come near a flight. It tests many bounding spheres at once against the flight
// path. The arithmetic is single precision, with a margin so that no area is missed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels.h"

namespace dunlin {

struct Candidate {
  float least;  // m, lower bound of the area's distance
  uint32_t thing;
};

class Sieve {
 public:
  /// Greatest number of nearest candidates that one measurement requests. The bound from `Look` admits at least as
  /// many, or all candidates if there are fewer: it admits two in each of four lanes.
  static constexpr int kMostLikely = 8;

  explicit Sieve(const Kernels& kernels) : kernels_(kernels) {}
  // Not copyable, since `balls_` points into this object.
  Sieve(const Sieve&) = delete;

  /// Takes over the areas whose approach is measured (`measured` true), or those whose approach is not (false).
  void Set(const std::vector<Thing>& things, bool measured) {
    for (auto* column : {&x_, &y_, &z_, &radius_, &reach_}) column->clear();
    things_.clear();
    for (size_t i = 0; i < things.size(); i++) {
      const Thing& t = things[i];
      if (t.measured != measured) continue;
      things_.push_back(static_cast<uint32_t>(i));
      Add(t.middle, t.radius + kRoomM, (t.radius + t.near) * (1 + kRoomShare) + kRoomM);
    }
    while (x_.size() % Balls::kBlock != 0) Add({kNowhereM, 0, 0}, 0, 0);
    least_.assign(x_.size(), Balls::kNever);
    leasts_.assign(x_.size() + kLanes, 0);
    places_.assign(x_.size(), 0);
    balls_ = {x_.data(), y_.data(), z_.data(), radius_.data(), reach_.data(), least_.data(), x_.size()};
  }

  /// Finds the areas along the path that begins at `from` and leads to `from` + `way`, ECEF, m. Returns the number of
  /// areas that may be near enough.
  size_t Look(const Vec3& from, const Vec3& way) {
    if (things_.empty()) return 0;
    double far2 = Dot(way, way), room = far2 / (2 * kEarthM) + kRoomShare * std::sqrt(far2);
    Glance glance{{from[0], from[1], from[2]}, {way[0], way[1], way[2]}, far2 > 0 ? 1 / far2 : 0, room};
    Four lowest[Balls::kRows];
    size_t passed = (far2 > 0 ? kernels_.look_through : kernels_.look_through_now)(balls_, glance, lowest);
    likely_ = SecondOfEach(lowest);
    return passed;
  }

  /// Writes up to `most` of the nearest candidates to `likely`, by ascending distance, and removes them from the
  /// search. Returns their number.
  int TakeLikely(int most, Candidate* likely) {
    // A common bound takes a few candidates more than needed, but needs no comparison of single distances.
    size_t taken = kernels_.take_within(balls_, likely_, leasts_.data(), places_.data()), count = std::min(static_cast<size_t>(most), taken);
    uint8_t order[kFew];
    if (taken > kFew) taken = KeepLeast(taken, count);
    kernels_.rank(leasts_.data(), taken, order);
    for (size_t i = 0; i < count; i++) {
      uint32_t place = places_[order[i]];
      likely[i] = {least_[place], things_[place]};
      least_[place] = Balls::kNever;
    }
    return static_cast<int>(count);
  }

  /// Calls `each` with every remaining area that may be nearer than a bound, m. The bound is `bound` for the first
  /// area, and then the value that the last call of `each` returned.
  template <typename Each>
  void ForEachNearer(double bound, Each each) const {
    float below = AtLeast(bound);
    for (size_t at = 0; (at = kernels_.next_below(balls_, at, below)) < balls_.count; at++) below = AtLeast(each(things_[at]));
  }

 private:
  /// Upper bound of real distances, m. It is below kNever, which marks excluded spheres, even after rounding.
  static constexpr float kEver = 9e29f;
  /// Greatest number of candidates that are ranked by comparing each pair.
  static constexpr size_t kFew = 40;
  /// Number of candidates that `rank` compares at once.
  static constexpr size_t kLanes = 8;
  /// Margins for errors of single precision. kRoomM, m, covers coordinates of the size of the earth. kRoomShare covers
  /// lengths: it is a share of the path's length or of a reach.
  static constexpr double kRoomM = 4, kRoomShare = 1e-5;

  void Add(const Vec3& middle, double radius, double reach) {
    x_.push_back(static_cast<float>(middle[0]));
    y_.push_back(static_cast<float>(middle[1]));
    z_.push_back(static_cast<float>(middle[2]));
    radius_.push_back(static_cast<float>(radius));
    reach_.push_back(static_cast<float>(reach));
  }

  /// Keeps the `count` nearest of the `taken` candidates, ordered by index.
  size_t KeepLeast(size_t taken, size_t count) {
    auto from = places_.begin(), middle = from + static_cast<std::ptrdiff_t>(count);
    std::nth_element(from, middle, from + static_cast<std::ptrdiff_t>(taken),
                     [&](uint32_t a, uint32_t b) { return least_[a] != least_[b] ? least_[a] < least_[b] : a < b; });
    std::sort(from, middle);
    for (size_t i = 0; i < count; i++) leasts_[i] = least_[places_[i]];
    return count;
  }

  /// Returns the least bound that two values of each lane do not exceed; at most kEver.
  static float SecondOfEach(const Four (&rows)[Balls::kRows]) {
    Four second = Lesser(Greater(Lesser(rows[0], rows[1]), Lesser(rows[2], rows[3])),
                         Lesser(Greater(rows[0], rows[1]), Greater(rows[2], rows[3])));
    return std::min(kEver, std::max(std::max(second[0], second[1]), std::max(second[2], second[3])));
  }

  static float AtLeast(double bound) { return bound < Balls::kNever ? static_cast<float>(bound * (1 + 1e-6)) + 1e-3f : Balls::kNever; }

  const Kernels& kernels_;
  Balls balls_{};
  std::vector<float> x_, y_, z_, radius_, reach_, least_;
  std::vector<float> leasts_;      // distances of the taken candidates
  std::vector<uint32_t> places_;   // indices of the taken candidates
  float likely_ = kEver;  // bound that includes a few more than the nearest candidates
  std::vector<uint32_t> things_;
};

}  // namespace dunlin
