// Comparison of a straight path with edges in a plane: its results, and the test of one edge.
#pragma once

#include <cmath>

#include "flight.h"
#include "pairs.h"
#include "thing.h"

namespace dunlin {

inline constexpr double kFarOff = 1e18;

inline Spot Times(const Spot& a, double by) { return {a.x * by, a.y * by}; }

struct Path {
  Spot from;
  Spot way;       // of length 1
  double speed;   // m/s, 0 if it is stationary
  double length;  // m
  Axes axes;      // of the plane, in ECEF

  Spot At(double s) const { return {from.x + way.x * s, from.y + way.y * s}; }
  /// Converts a vector, given by components along the path and to its left, into the axes of the plane.
  Spot Turned(const Spot& a) const { return {a.x * way.x - a.y * way.y, a.x * way.y + a.y * way.x}; }
};

/// The part of the path, m, in which the flight's height is between the area's floor and ceiling.
struct Window {
  double from, to;
};

/// A corner of a stretch, or the edge that begins at this corner; `place` is its index.
struct Corner {
  const Corners* corners = nullptr;
  int place = 0;
};

/// Results of comparing a path with edges, in axes along the path and to its left. The differences `apart` and
/// `passing` lead from the nearest point of an edge to the path. The normals `crossed` and `entered` have any length.
/// `Settle` and `SettlePass` compute differences and normals once, after all edges of a compact area, or of one stretch
/// of a wide area, were compared.
struct Found {
  double now2 = kFarOff * kFarOff, now = kFarOff;
  double pass2 = kFarOff * kFarOff, pass = kFarOff, pass_at = 0;  // m; `pass` is 0 if the path crosses
  double crossing = kFarOff;  // m along the path to the first crossed edge
  double within = kFarOff;    // m along the path to the first crossing within the window
  int before = 0;             // number of crossings before the window begins
  bool of_line = false;       // edges of a corridor's centre line: its crossing is no entry, so distances matter
  // Corners and edges whose differences and normals are not computed yet. `passes`: index of a corner, or `kEnd` plus
  // the index of the edge nearest to the path's end.
  Corner nearest, passes, crosses, enters;
  Spot apart{}, passing{};
  Spot crossed, entered;      // normals of the edges at `crossing` and `within`; set only if there is such a crossing

  static constexpr int kEnd = 16;
  /// A distance above all real ones.
  static constexpr double kNever = 2 * kFarOff;
};

/// Limits `value` to the range from 0 to `most`.
inline double Clamped(double value, double most) { return Lesser(Greater(value, 0.0), most); }

/// Converts a corner to the axes of the path, from the path's start.
inline Spot Turn(const Path& path, const Spot& corner) {
  double x = corner.x - path.from.x, y = corner.y - path.from.y;
  return {x * path.way.x + y * path.way.y, y * path.way.x - x * path.way.y};
}

/// Vector from the nearest point of an edge to the point of the path at `length`, m.
inline Spot ApartFrom(const Corners& corners, const Path& path, int place, double length) {
  Spot from = Turn(path, corners.Of(place)), to = Turn(path, corners.Of(Corners::Next(place)));
  double ahead = to.x - from.x, aside = to.y - from.y, toward = -(from.x * ahead + from.y * aside);
  double share = Clamped((toward + length * ahead) * corners.inverse[place], 1);
  return {length - from.x - share * ahead, -from.y - share * aside};
}

/// Normal of an edge, of any length, in the axes of the path.
inline Spot NormalOf(const Corner& edge, const Path& path) {
  Spot from = Turn(path, edge.corners->Of(edge.place)), to = Turn(path, edge.corners->Of(Corners::Next(edge.place)));
  return {from.y - to.y, to.x - from.x};
}

/// Computes the vector from the nearest edge and the normals of crossed edges.
inline void Settle(const Path& path, Found& found) {
  if (found.nearest.corners) found.apart = ApartFrom(*found.nearest.corners, path, found.nearest.place, 0);
  if (found.crosses.corners) found.crossed = NormalOf(found.crosses, path);
  if (found.enters.corners) found.entered = NormalOf(found.enters, path);
  found.nearest = found.crosses = found.enters = {};
}

/// Computes where the closest approach is, m along the path, and the vector from the nearest edge at this point.
inline void SettlePass(const Path& path, Found& found) {
  const auto [corners, place] = found.passes;
  if (!corners) return;
  if (place >= Found::kEnd) {
    found.pass_at = path.length;
    found.passing = ApartFrom(*corners, path, place - Found::kEnd, path.length);
  } else {
    Spot corner = Turn(path, corners->Of(place));
    found.pass_at = Clamped(corner.x, path.length);
    found.passing = {found.pass_at - corner.x, -corner.y};
  }
  found.passes = {};
}

}  // namespace dunlin
