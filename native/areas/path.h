// A straight path against edges, in a plane: what is found of them, and one edge by itself.
#pragma once

#include <cmath>

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

/// The part of the path, m, in which the height is right.
struct Window {
  double from, to;
};

/// What was found of edges, in the axes of the path: along it and to its left. Differences lead from the place on an edge
/// to that on the path; normals are of any length.
struct Found {
  double now2 = kFarOff * kFarOff, now = kFarOff;
  double pass2 = kFarOff * kFarOff, pass = kFarOff, pass_at = 0;  // m along the path; of what crosses, 0
  double crossing = kFarOff;  // m along the path until the first edge
  double within = kFarOff;    // the first crossing within the window
  int before = 0;             // crossings until the window begins
  // Where it is nearest: the place of an edge now; of a corner, or from `kEnd` on of an edge as the path ends.
  int nearest_place = 0, passed = 0;
  bool of_line = false;       // crossing a corridor's line is nothing to it: how near it comes is told nevertheless
  const Corners *nearest = nullptr, *passes = nullptr;
  Spot apart{}, passing{};
  Spot crossed, entered;      // where there is such a crossing

  static constexpr int kEnd = 16;
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
inline double Clamped(double value, double most) { return Lesser(Greater(value, 0.0), most); }

/// A corner in the axes of the path.
inline Spot Turn(const Path& path, const Spot& corner) {
  double x = corner.x - path.from.x, y = corner.y - path.from.y;
  return {x * path.way.x + y * path.way.y, y * path.way.x - x * path.way.y};
}

/// What lies apart from where the path is after `length` to the edge at a place.
inline Spot ApartFrom(const Corners& corners, const Path& path, int place, double length) {
  Spot from = Turn(path, corners.Of(place)), to = Turn(path, corners.Of(Corners::Next(place)));
  double ahead = to.x - from.x, aside = to.y - from.y, toward = -(from.x * ahead + from.y * aside);
  double share = Clamped((toward + length * ahead) * corners.inverse[place], 1);
  return {length - from.x - share * ahead, -from.y - share * aside};
}

/// Where the path's line crosses the edge at a place.
inline void TakeCrossing(const Corners& corners, const Path& path, int place, const Window& window, Found& found) {
  Spot from = Turn(path, corners.Of(place)), to = Turn(path, corners.Of(Corners::Next(place)));
  double ahead = to.x - from.x, aside = to.y - from.y;
  Cross(from.x + ahead * (from.y / (from.y - to.y)), {-aside, ahead}, path.length, window, found);
}

/// What lies apart now, of the nearest alone.
inline void Settle(const Path& path, Found& found) {
  if (!found.nearest) return;
  found.apart = ApartFrom(*found.nearest, path, found.nearest_place, 0);
  found.nearest = nullptr;
}

/// The same of where the path comes nearest.
inline void SettlePass(const Path& path, Found& found) {
  if (!found.passes) return;
  if (found.passed >= Found::kEnd) {
    found.pass_at = path.length;
    found.passing = ApartFrom(*found.passes, path, found.passed - Found::kEnd, path.length);
  } else {
    Spot corner = Turn(path, found.passes->Of(found.passed));
    found.pass_at = Clamped(corner.x, path.length);
    found.passing = {found.pass_at - corner.x, -corner.y};
  }
  found.passes = nullptr;
}

}  // namespace dunlin
