// A straight path against the edges of a thing, in a plane: the nearest place of them now, the nearest that the path
// comes to any, and where it crosses them.
#pragma once

#include <algorithm>
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

/// The corners of a stretch in the axes of the path.
struct InPath {
  double along[kStretchEdges + 1], left[kStretchEdges + 1];

  InPath(const Corners& corners, const Path& path) {
    for (int i = 0; i <= kStretchEdges; i++) {
      double x = corners.x[i] - path.from.x, y = corners.y[i] - path.from.y;
      along[i] = x * path.way.x + y * path.way.y;
      left[i] = y * path.way.x - x * path.way.y;
    }
  }
  Seen<double> Edge(int i, const Corners& corners) const {
    return {along[i], left[i], along[i + 1], left[i + 1], corners.inverse[i]};
  }
};

/// Squares of the least distances from the beginning of the path and from all of it, what lies apart there, and whether
/// edges cross its line.
struct Least {
  double now2, pass2, pass_at;
  Spot apart, passing;
  bool crosses;
};

/// The least of some and what belongs to it, in each of two lanes.
struct LeastPair {
  Pair d2 = Both(kFarOff * kFarOff), x{}, y{};

  PairMask Take(Pair other, Pair other_x, Pair other_y) {
    PairMask nearer = other < d2;
    d2 = nearer ? other : d2;
    x = nearer ? other_x : x;
    y = nearer ? other_y : y;
    return nearer;
  }
  int Lane() const { return d2[1] < d2[0]; }
  Spot At(int lane) const { return {x[lane], y[lane]}; }
};

/// All edges of a stretch, from where the path begins, from all of it, or both. Where the path does not cross an edge, it is
/// nearest to it at a corner or at an end of its own.
template <bool kNow, bool kPass>
inline Least LeastAlong(const Corners& corners, const Path& path) {
  const Pair from_x = Both(path.from.x), from_y = Both(path.from.y), way_x = Both(path.way.x), way_y = Both(path.way.y);
  const Pair length = Both(path.length), one = Both(1);
  LeastPair now, pass;
  Pair pass_at{};
  PairMask crosses{};
  auto corner = [&](int i, Pair& along, Pair& left) __attribute__((always_inline)) {
    Pair x = PairAt(corners.x + i) - from_x, y = PairAt(corners.y + i) - from_y;
    along = x * way_x + y * way_y;
    left = y * way_x - x * way_y;
  };
  auto at_corner = [&](Pair along, Pair left) __attribute__((always_inline)) {
    Pair at = Clamped(along, length), off = at - along;
    pass_at = pass.Take(off * off + left * left, off, -left) ? at : pass_at;
  };
  for (int i = 0; i < kStretchEdges; i += 2) {
    Pair along, left, next_along, next_left, off, off_left;
    corner(i, along, left);
    corner(i + 1, next_along, next_left);
    Seen<Pair> edge(along, left, next_along, next_left, PairAt(corners.inverse + i));
    if (kNow) {
      Pair d2 = edge.To(Pair{}, one, off, off_left);
      now.Take(d2, off, off_left);
    }
    if (!kPass) continue;
    at_corner(along, left);
    // The others begin an edge too.
    if (i + 2 == kStretchEdges) at_corner(next_along, next_left);
    Pair d2 = edge.To(length, one, off, off_left);
    pass_at = pass.Take(d2, off, off_left) ? length : pass_at;
    crosses |= (left >= 0) ^ (next_left >= 0);
  }
  int a = now.Lane(), b = pass.Lane();
  return {now.d2[a], pass.d2[b], pass_at[b], now.At(a), pass.At(b), kPass && (crosses[0] || crosses[1])};
}

inline void TakeCrossings(const Corners& corners, const Path& path, const Window& window, Found& found) {
  InPath in(corners, path);
  for (int i = 0; i < kStretchEdges; i++) {
    if ((in.left[i] >= 0) == (in.left[i + 1] >= 0)) continue;
    Seen<double> edge = in.Edge(i, corners);
    Cross(in.along[i] + edge.ahead * (in.left[i] / (in.left[i] - in.left[i + 1])), {-edge.aside, edge.ahead}, path.length, window,
          found);
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
    size_t nearest = 0, count = thing.stretches.size();
    double least = kFarOff * kFarOff;
    for (size_t i = 0; i < count; i++) {
      Vec3 d = From(thing.stretches[i]);
      double d2 = Dot(d, d);
      if (d2 >= least) continue;
      least = d2;
      nearest = i;
    }
    Visit(nearest);
    for (size_t i = 0; i < count; i++)
      if (i != nearest) Visit(i);
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
    Least least = !pass ? LeastAlong<true, false>(corners, path_)
                  : now ? LeastAlong<true, true>(corners, path_)
                        : LeastAlong<false, true>(corners, path_);
    if (least.now2 < found_.now2) {
      found_.now2 = least.now2;
      found_.now = std::sqrt(least.now2);
      found_.apart = least.apart;
    }
    if (!pass) return;
    if (least.crosses) TakeCrossings(corners, path_, window_, found_);
    if (found_.crossing < kFarOff) least.pass2 = 0;
    if (least.pass2 >= found_.pass2) return;
    found_.pass2 = least.pass2;
    found_.pass = std::sqrt(least.pass2);
    found_.pass_at = least.pass_at;
    found_.passing = least.passing;
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
