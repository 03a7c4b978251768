// A straight path against the edges of a thing, in a plane: the nearest place of them now, the nearest that the path
// comes to any, and where it crosses them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "flight.h"
#include "thing.h"

namespace dunlin {

inline constexpr double kFarOff = 1e18;

struct Path {
  Spot from;
  Spot way;       // of length 1
  double length;  // m, 0 where it stands
  Axes axes;      // of the plane, in ECEF

  Spot At(double s) const { return {from.x + way.x * s, from.y + way.y * s}; }
};

/// What was found of edges. Differences lead from the place on them to that on the path; normals are of any length.
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

template <bool kMoves>
inline void AlongEdges(const Corner* corners, uint32_t edges, const Path& path, const Window& window, Found& found) {
  // Relative to the path: how far along and how far to the left a corner lies.
  double x = path.from.x - corners[0].x, y = path.from.y - corners[0].y;
  double along = -(x * path.way.x + y * path.way.y), left = x * path.way.y - y * path.way.x;
  auto corner = [&](double ahead, double aside) {
    double s = std::min(std::max(ahead, 0.0), path.length), off = s - ahead, d2 = off * off + aside * aside;
    if (d2 >= found.pass2) return;
    found.pass2 = d2;
    found.pass_at = s;
    found.passing = {off * path.way.x + aside * path.way.y, off * path.way.y - aside * path.way.x};
  };
  if (kMoves) corner(along, left);
  for (uint32_t i = 0; i < edges; i++) {
    double dx = corners[i + 1].x - corners[i].x, dy = corners[i + 1].y - corners[i].y, inverse = corners[i].inverse;
    double share = std::min(std::max((x * dx + y * dy) * inverse, 0.0), 1.0);
    double off_x = x - share * dx, off_y = y - share * dy, d2 = off_x * off_x + off_y * off_y;
    if (d2 < found.now2) {
      found.now2 = d2;
      found.apart = {off_x, off_y};
    }
    x = path.from.x - corners[i + 1].x;
    y = path.from.y - corners[i + 1].y;
    if (!kMoves) continue;
    double next_along = -(x * path.way.x + y * path.way.y), next_left = x * path.way.y - y * path.way.x;
    corner(next_along, next_left);
    // The end of the path beside the middle of an edge; beside its ends the corners tell.
    double end_x = x + dx + path.length * path.way.x, end_y = y + dy + path.length * path.way.y;
    double end_share = (end_x * dx + end_y * dy) * inverse;
    if (end_share > 0 && end_share < 1) {
      double far_x = end_x - end_share * dx, far_y = end_y - end_share * dy, far2 = far_x * far_x + far_y * far_y;
      if (far2 < found.pass2) {
        found.pass2 = far2;
        found.pass_at = path.length;
        found.passing = {far_x, far_y};
      }
    }
    if ((left >= 0) != (next_left >= 0)) {
      double s = along + (next_along - along) * (left / (left - next_left));
      if (s > 0 && s <= path.length) {
        if (s < found.crossing) {
          found.crossing = s;
          found.crossed = {-dy, dx};
        }
        if (s <= window.from) found.before++;
        else if (s <= window.to && s < found.within) {
          found.within = s;
          found.entered = {-dy, dx};
        }
      }
    }
    along = next_along;
    left = next_left;
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
    const Stretch* nearest = nullptr;
    double least = kFarOff * kFarOff;
    for (const Stretch& s : thing.stretches) {
      Vec3 d = From(s);
      double d2 = Dot(d, d);
      if (d2 >= least) continue;
      least = d2;
      nearest = &s;
    }
    if (nearest) Visit(*nearest);
    for (const Stretch& s : thing.stretches)
      if (&s != nearest) Visit(s);
    if (found.now2 <= found.pass2) {
      found.pass2 = found.now2;
      found.pass_at = 0;
      found.passing = found.apart;
    }
    found.now = std::sqrt(found.now2);
    found.pass = std::sqrt(found.pass2);
  }

  /// How far the path stays from a stretch, at least.
  double LeastOf(const Stretch& s) const { return std::sqrt(std::max(Least2(From(s)), 0.0)) - s.radius - bulge_; }
  /// The corners of a stretch in the plane of the path.
  const Corner* CornersOf(const Stretch& s) {
    if (!thing_.wide) return &thing_.corners[s.first];
    for (uint32_t i = 0; i <= s.edges; i++) {
      Vec3 d = Minus(thing_.ground[s.first + i], flight_.foot);
      seen_[i] = {Dot(d, path_.axes.x), Dot(d, path_.axes.y), 0};
      if (i == 0) continue;
      double dx = seen_[i].x - seen_[i - 1].x, dy = seen_[i].y - seen_[i - 1].y, length2 = dx * dx + dy * dy;
      seen_[i - 1].inverse = length2 > 0 ? 1 / length2 : 0;
    }
    return seen_;
  }

 private:
  /// What lies beyond the horizon of the plane would be seen near again.
  static constexpr double kMostSeenM = 1.2 * kEarthM;

  Vec3 From(const Stretch& s) const {
    if (thing_.wide) return Minus(s.middle, flight_.foot);
    return {s.middle[0] - path_.from.x, s.middle[1] - path_.from.y, 0};
  }

  double Least2(const Vec3& d) const {
    double along = thing_.wide ? Dot(d, toward_) : d[0] * path_.way.x + d[1] * path_.way.y;
    double s = std::min(std::max(along, 0.0), path_.length);
    return Dot(d, d) - s * (2 * along - s);
  }

  void Visit(const Stretch& s) {
    Vec3 d = From(s);
    double d2 = Dot(d, d), reach = s.radius + found_.now, passing = s.radius + bulge_ + found_.pass;
    if (thing_.wide && d2 > kMostSeenM * kMostSeenM) return;
    if (d2 > reach * reach && !(kMoves && Least2(d) <= passing * passing)) return;
    AlongEdges<kMoves>(CornersOf(s), s.edges, path_, window_, found_);
    found_.now = std::sqrt(found_.now2);
    found_.pass = kMoves ? std::sqrt(found_.pass2) : found_.pass;
    if (found_.crossing < kFarOff) found_.pass = found_.pass2 = 0;
  }

  const Thing& thing_;
  const Flight& flight_;
  const Path& path_;
  const Window& window_;
  Found& found_;
  Vec3 toward_{};
  double bulge_ = 0;
  Corner seen_[Stretch::kMost + 1];
};

}  // namespace dunlin
