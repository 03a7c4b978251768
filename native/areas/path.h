// A straight path against the edges of a thing, in a plane: the nearest place of them now, the nearest that the path
// comes to any, and where it crosses them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "flight.h"
#include "pairs.h"
#include "thing.h"

namespace dunlin {

inline constexpr double kFarOff = 1e18;

struct Path {
  Spot from;
  Spot way;       // of length 1
  double length;  // m, 0 where it stands
  Axes axes;      // of the plane, in ECEF

  Spot At(double s) const { return {from.x + way.x * s, from.y + way.y * s}; }
  /// From along and left to the axes of the plane.
  Spot Turned(const Spot& a) const { return {a.x * way.x - a.y * way.y, a.x * way.y + a.y * way.x}; }
};

/// What was found of edges, in the axes of the path: along it and to its left. Differences lead from the place on an edge
/// to that on the path; normals are of any length.
struct Found {
  double now2 = kFarOff * kFarOff, now = kFarOff;
  Spot apart{};
  double pass2 = kFarOff * kFarOff, pass = kFarOff, pass_at = 0;  // m along the path
  Spot passing{};
  double crossing = kFarOff;  // m along the path until the first edge
  Spot crossed{};
  int before = 0;             // crossings until the window begins
  double within = kFarOff;    // the first crossing within the window
  Spot entered{};
};

/// The part of the path, m, in which the height is right.
struct Window {
  double from, to;
};

/// The line of the path crosses an edge at `s`.
inline void Cross(double s, const Spot& normal, double length, const Window& window, Found& found) {
  if (!(s > 0 && s <= length)) return;
  if (s < found.crossing) {
    found.crossing = s;
    found.crossed = normal;
  }
  if (s <= window.from) found.before++;
  else if (s <= window.to && s < found.within) {
    found.within = s;
    found.entered = normal;
  }
}

/// Between 0 and `most`.
template <typename T>
inline T Clamped(T value, T most) { return Lesser(Greater(value, T{}), most); }

/// One edge in the axes of the path, or two; its nearest places.
template <typename T>
struct Seen {
  T along, left, ahead, aside, toward, inverse;

  Seen(const T& along, const T& left, const T& next_along, const T& next_left, const T& inverse)
      : along(along), left(left), ahead(next_along - along), aside(next_left - left),
        toward(-(along * ahead + left * aside)), inverse(inverse) {}

  /// To where the path is after `length`, squared; what lies apart.
  T To(T length, T one, T& off, T& off_left) const {
    T share = Clamped((toward + length * ahead) * inverse, one);
    off = length - along - share * ahead;
    off_left = -left - share * aside;
    return off * off + off_left * off_left;
  }
};

/// A corner of a stretch in the axes of the path, and the edge that begins there.
inline void CornerFrom(const Corners& corners, const Path& path, int i, double& along, double& left) {
  double x = corners.x[i] - path.from.x, y = corners.y[i] - path.from.y;
  along = x * path.way.x + y * path.way.y;
  left = y * path.way.x - x * path.way.y;
}
inline Seen<double> SeenFrom(const Corners& corners, const Path& path, int i) {
  double along, left, next_along, next_left;
  CornerFrom(corners, path, i, along, left);
  CornerFrom(corners, path, i + 1, next_along, next_left);
  return {along, left, next_along, next_left, corners.inverse[i]};
}

inline void TakeCrossings(const Corners& corners, const Path& path, const Window& window, Found& found) {
  double along, left, next_along, next_left;
  CornerFrom(corners, path, 0, along, left);
  for (int i = 0; i < kStretchEdges; i++, along = next_along, left = next_left) {
    CornerFrom(corners, path, i + 1, next_along, next_left);
    if ((left >= 0) == (next_left >= 0)) continue;
    double ahead = next_along - along, aside = next_left - left;
    Cross(along + ahead * (left / (left - next_left)), {-aside, ahead}, path.length, window, found);
  }
}

/// Squares of distances, two at a time as they are worked out.
template <int kCount>
struct Squares {
  Pair of[kCount];

  double Least() const {
    Pair least = of[0];
    for (int i = 1; i < kCount; i++) least = Lesser(least, of[i]);
    return LeastOf(least);
  }
  /// Where the first of them is that is so great: those of the first lane come before those of the second.
  int Find(double square, int& lane) const {
    uint32_t lanes[2] = {};
    for (int i = 0; i < kCount; i++) {
      uint32_t bits = Bits(of[i] == Both(square));
      lanes[0] |= (bits & 1) << i;
      lanes[1] |= (bits >> 1) << i;
    }
    lane = lanes[0] == 0;
    return std::countr_zero(lanes[lane]);
  }
};

/// Takes in all edges of a stretch as they lie to where the path begins, to all of it, or both: how near they are to all, and
/// of the nearest alone what lies apart. Where the path does not cross an edge, it is nearest to it at a corner or at an end
/// of its own.
template <bool kNow, bool kPass>
inline void TakeEdges(const Corners& corners, const Path& path, const Window& window, Found& found) {
  constexpr int kPairs = kStretchEdges / 2;
  const Pair from_x = Both(path.from.x), from_y = Both(path.from.y), way_x = Both(path.way.x), way_y = Both(path.way.y);
  const Pair length = Both(path.length), one = Both(1);
  Squares<kPairs> now;
  // Of the corners and, last, of the end of the path.
  Squares<2 * kPairs + 1> pass;
  PairMask crosses{};
  auto corner = [&](int i, Pair& along, Pair& left) __attribute__((always_inline)) {
    Pair x = PairAt(corners.x + i) - from_x, y = PairAt(corners.y + i) - from_y;
    along = x * way_x + y * way_y;
    left = y * way_x - x * way_y;
  };
  auto from_corner = [&](Pair along, Pair left) __attribute__((always_inline)) {
    Pair off = Clamped(along, length) - along;
    return off * off + left * left;
  };
  for (int i = 0; i < kPairs; i++) {
    Pair along, left, next_along, next_left, off, off_left;
    corner(2 * i, along, left);
    corner(2 * i + 1, next_along, next_left);
    Seen<Pair> edge(along, left, next_along, next_left, PairAt(corners.inverse + 2 * i));
    if (kNow) now.of[i] = edge.To(Pair{}, one, off, off_left);
    if (!kPass) continue;
    pass.of[i] = from_corner(along, left);
    // The others begin an edge too.
    if (i + 1 == kPairs) pass.of[kPairs] = from_corner(next_along, next_left);
    pass.of[kPairs + 1 + i] = edge.To(length, one, off, off_left);
    crosses |= (left >= 0) ^ (next_left >= 0);
  }
  int lane;
  if (kNow) {
    double least2 = now.Least();
    if (least2 < found.now2) {
      int at = now.Find(least2, lane);
      found.now2 = least2;
      found.now = std::sqrt(least2);
      SeenFrom(corners, path, 2 * at + lane).To(0, 1, found.apart.x, found.apart.y);
    }
  }
  if (!kPass) return;
  if (Bits(crosses) != 0) TakeCrossings(corners, path, window, found);
  double least2 = pass.Least(), pass2 = found.crossing < kFarOff ? 0 : least2;
  if (pass2 >= found.pass2) return;
  int at = pass.Find(least2, lane);
  found.pass2 = pass2;
  found.pass = std::sqrt(pass2);
  if (at > kPairs) {
    found.pass_at = path.length;
    SeenFrom(corners, path, 2 * (at - kPairs - 1) + lane).To(path.length, 1, found.passing.x, found.passing.y);
  } else {
    double along, left;
    CornerFrom(corners, path, at < kPairs ? 2 * at + lane : kStretchEdges - 1 + lane, along, left);
    found.pass_at = Clamped(along, path.length);
    found.passing = {found.pass_at - along, -left};
  }
}

/// All edges of a thing, those of far stretches unseen where they cannot matter.
template <bool kMoves>
class Outlook {
 public:
  Outlook(const Thing& thing, const Flight& flight, const Path& path, const Window& window, Found& found)
      : thing_(thing), flight_(flight), path_(path), window_(window), found_(found) {
    if (thing.wide) {
      toward_ = Plus(Times(path.axes.x, path.way.x), Times(path.axes.y, path.way.y));
      bulge_ = path.length * path.length / (2 * kEarthM);
    }
    if (thing.wide) LookRound();
    else LookOver();
    if (found.now2 <= found.pass2) {
      found.pass = found.now;
      found.pass_at = 0;
      found.passing = found.apart;
    }
    for (Spot* spot : {&found.apart, &found.passing, &found.crossed, &found.entered}) *spot = path.Turned(*spot);
  }

  /// How far the path stays from a stretch, at least.
  double LeastFrom(size_t i) const {
    const Stretch& s = thing_.stretches[i];
    return std::sqrt(std::max(Least2(From(s)), 0.0)) - s.radius - bulge_;
  }
  /// The corners of a stretch in the plane of the path.
  const Corners& CornersOf(size_t i) {
    if (!thing_.wide) return thing_.corners[i];
    for (int k = 0; k <= kStretchEdges; k++) {
      Vec3 d = Minus(thing_.ground[i][k], flight_.foot);
      seen_.x[k] = Dot(d, path_.axes.x);
      seen_.y[k] = Dot(d, path_.axes.y);
    }
    seen_.Measure();
    return seen_;
  }

 private:
  /// What lies beyond the horizon of the plane would be seen near again.
  static constexpr double kMostSeenM = 1.2 * kEarthM;
  static constexpr size_t kWord = 64;

  void LookRound() {
    size_t nearest = 0, count = thing_.stretches.size();
    double least = kFarOff * kFarOff;
    for (size_t i = 0; i < count; i++) {
      Vec3 d = From(thing_.stretches[i]);
      double d2 = Dot(d, d);
      if (d2 >= least) continue;
      least = d2;
      nearest = i;
    }
    Visit(nearest);
    for (size_t i = 0; i < count; i++)
      if (i != nearest) Visit(i);
  }

  /// The same of a compact thing: mostly nothing but the nearest of its stretches matters, and two at once are told by.
  void LookOver() {
    const size_t count = 2 * thing_.circles.size();
    size_t nearest = NearestCircle();
    Visit(nearest);
    for (size_t from = 0; from < count; from += kWord)
      for (uint64_t word = MayMatter(from, std::min(count, from + kWord)); word != 0; word &= word - 1) {
        size_t i = from + static_cast<size_t>(std::countr_zero(word));
        if (i != nearest) Visit(i);
      }
  }

  size_t NearestCircle() const {
    const Pair from_x = Both(path_.from.x), from_y = Both(path_.from.y);
    Pair least = Both(kFarOff * kFarOff);
    PairMask nearest{}, at{0, 1};
    for (const TwoCircles& two : thing_.circles) {
      Pair x = PairAt(two.x) - from_x, y = PairAt(two.y) - from_y, d2 = x * x + y * y;
      PairMask nearer = d2 < least;
      least = nearer ? d2 : least;
      nearest = nearer ? at : nearest;
      at += 2;
    }
    return static_cast<size_t>(nearest[least[1] < least[0]]);
  }

  /// Which of the stretches, one bit each, matter as far as is found.
  uint64_t MayMatter(size_t from, size_t to) const {
    const Pair from_x = Both(path_.from.x), from_y = Both(path_.from.y), way_x = Both(path_.way.x), way_y = Both(path_.way.y);
    const Pair length = Both(path_.length), now = Both(found_.now), pass = Both(std::min(found_.now, found_.pass));
    uint64_t word = 0;
    for (size_t i = from; i < to; i += 2) {
      const TwoCircles& two = thing_.circles[i / 2];
      Pair x = PairAt(two.x) - from_x, y = PairAt(two.y) - from_y, radius = PairAt(two.radius);
      Pair d2 = x * x + y * y, reach = radius + now;
      PairMask matters = d2 <= reach * reach;
      if (kMoves) {
        Pair along = x * way_x + y * way_y, at = Clamped(along, length), passing = radius + pass;
        matters |= (along > -radius) & (d2 - at * (along + along - at) <= passing * passing);
      }
      word |= uint64_t{Bits(matters)} << (i - from);
    }
    return word;
  }

  Vec3 From(const Stretch& s) const {
    if (thing_.wide) return Minus(s.middle, flight_.foot);
    return {s.middle[0] - path_.from.x, s.middle[1] - path_.from.y, 0};
  }

  double Along(const Vec3& d) const { return thing_.wide ? Dot(d, toward_) : d[0] * path_.way.x + d[1] * path_.way.y; }

  double Least2(const Vec3& d) const {
    double along = Along(d), s = std::min(std::max(along, 0.0), path_.length);
    return Dot(d, d) - s * (2 * along - s);
  }

  void Visit(size_t i) {
    const Stretch& s = thing_.stretches[i];
    Vec3 d = From(s);
    double d2 = Dot(d, d), reach = s.radius + found_.now, passing = s.radius + bulge_ + std::min(found_.now, found_.pass);
    if (thing_.wide && d2 > kMostSeenM * kMostSeenM) return;
    // Of what lies behind it is nearest now.
    bool now = d2 <= reach * reach;
    bool pass = kMoves && Along(d) > -s.radius - bulge_ && Least2(d) <= passing * passing;
    if (!now && !pass) return;
    const Corners& corners = CornersOf(i);
    if (!pass) TakeEdges<true, false>(corners, path_, window_, found_);
    else if (now) TakeEdges<true, true>(corners, path_, window_, found_);
    else TakeEdges<false, true>(corners, path_, window_, found_);
  }

  const Thing& thing_;
  const Flight& flight_;
  const Path& path_;
  const Window& window_;
  Found& found_;
  Vec3 toward_{};
  double bulge_ = 0;
  Corners seen_;
};

}  // namespace dunlin
