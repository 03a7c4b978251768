// An area in the form that is compared with tracks. Its outline is cut into pieces that are short enough to be straight
// in a plane.
//
// A compact area has its own plane, which touches the ellipsoid in the middle of the area. Within 50 km of the middle,
// positions in this plane are exact to a few decimetres. Tracks near the area are measured in this plane. The outline
// of a wide area is kept in ECEF and projected on a plane at the measured track. Near the track this projection is
// exact. In both planes a position is represented by the point where its vertical meets the ellipsoid, so its height
// does not shift it sideways.
#pragma once

#include <limits>

#include "../layouts.h"
#include "outline.h"

namespace dunlin {

/// Greatest distance of any part of a compact area from its middle, m.
inline constexpr double kCompactM = 50000;

/// Number of consecutive edges of an outline that are processed together, as one *stretch*. A stretch with fewer edges
/// is filled up with copies of its last corner.
inline constexpr int kStretchEdges = 8;

/// The corners of a stretch in a plane, and 1 / length² of the edge that begins at each corner. Corners of even index
/// come first, then those of odd index, so that four edges are processed together. The last corner, at which no edge
/// begins, is separate.
struct alignas(64) Corners {
  double x[kStretchEdges], y[kStretchEdges], inverse[kStretchEdges], last_x, last_y;

  static constexpr int PlaceOf(int i) { return i == kStretchEdges ? i : i / 2 + (i % 2) * (kStretchEdges / 2); }
  /// Returns the place of the corner that follows the corner at `place`.
  static int Next(int place) {
    static constexpr int kNext[kStretchEdges] = {4, 5, 6, 7, 1, 2, 3, kStretchEdges};
    return kNext[place];
  }
  Spot Of(int place) const {
    bool is_last = place == kStretchEdges;
    return {*(is_last ? &last_x : &x[place]), *(is_last ? &last_y : &y[place])};
  }
  Spot At(int i) const { return Of(PlaceOf(i)); }
  void Set(int i, const Spot& at) {
    (i == kStretchEdges ? last_x : x[PlaceOf(i)]) = at.x;
    (i == kStretchEdges ? last_y : y[PlaceOf(i)]) = at.y;
  }
  void Measure() {
    for (int i = 0; i < kStretchEdges; i++) {
      Spot from = At(i), to = At(i + 1);
      double dx = to.x - from.x, dy = to.y - from.y, length2 = dx * dx + dy * dy;
      inverse[PlaceOf(i)] = length2 > 0 ? 1 / length2 : 0;
    }
  }
};

/// A distance beyond every search, m.
inline constexpr double kNowhereM = 1e12;

/// Number of edges of a stretch, and the circle around them (the sphere for a wide area).
struct Stretch {
  int edges;
  Vec3 middle;
  double radius;
};

/// The circles around four stretches of a compact area, which are compared with a path together. If the last group has
/// fewer stretches, its other circles are kNowhereM away.
struct FourCircles {
  static constexpr size_t kEach = 4;
  double x[kEach], y[kEach], radius[kEach];

  static constexpr FourCircles Nowhere() {
    return {{kNowhereM, kNowhereM, kNowhereM, kNowhereM}, {kNowhereM, kNowhereM, kNowhereM, kNowhereM}, {}};
  }
};

/// The outline of a compact area.
struct Outlined {
  const FourCircles* circles;
  size_t fours;
  const Corners* corners;  // by stretch
};

/// The corners of a stretch of a wide area, ECEF, m.
using Ground = std::array<Vec3, kStretchEdges + 1>;

struct alignas(64) Thing {
  // Members that are read for every area are adjacent.
  Vec3 middle{};      // ECEF
  Axes axes{};
  double radius = 0;  // m, greatest distance of the area's parts from the middle
  double size = 0;    // m: radius of a circle, half the width of a corridor
  double floor = 0, ceiling = 0, near = 0;
  ThingShape shape = kThingShapeCircle;
  bool measured = false, wide = false;
  std::vector<FourCircles> circles;  // of a compact area
  std::vector<Corners> corners;  // by stretch, of a compact area
  EdgeIndex edge_index;                       // of a compact area that is one polygon
  std::vector<Sheet> sheets;     // of a wide area of polygons, and of an area of several polygons
  std::vector<Stretch> stretches;
  std::vector<Ground> ground;    // by stretch, of a wide area

  Outlined Outline() const { return {circles.data(), circles.size(), corners.data()}; }
  Spot Flat(const Vec3& place) const {
    Vec3 d = Minus(place, middle);
    return {Dot(d, axes.x), Dot(d, axes.y)};
  }
};

/// kCutM is the greatest length of the pieces into which edges are cut, m. In an outline longer than kCutM · kCutsEach
/// it is 1/kCutsEach of the outline's length. A piece deviates sideways from the great circle by centimetres; for an
/// outline of a continent's size, by decimetres.
inline constexpr double kCutM = 10000, kCutsEach = 512;

/// Fills an area with its outline: cuts the lines into short edges, and groups these into stretches.
class Layout {
 public:
  static void Of(Thing& thing, const std::vector<Line>& lines) {
    double length = 0;
    for (const Line& line : lines)
      for (size_t i = 0; i + 1 < line.size(); i++) length += kEarthM * Length(Minus(line[i + 1], line[i]));
    double cut = std::max(kCutM, length / kCutsEach), longest = 0;
    std::vector<Line> all;
    for (const Line& line : lines) all.push_back(Cut(line, cut, longest));
    Vec3 middle = MiddleOf(all);
    if (middle == Vec3{}) middle = {0, 0, 1};
    for (Line& line : all)
      for (Vec3& place : line) place = GroundOf(place);
    thing.middle = GroundOf(middle);
    thing.axes = Axes::About(middle);
    thing.radius = 0;
    for (const Line& line : all)
      for (const Vec3& place : line) thing.radius = std::max(thing.radius, Length(Minus(place, thing.middle)));
    thing.wide = thing.radius > kCompactM;
    // The ground between two cuts rises above the chord, and the radius must include it.
    thing.radius += longest * longest / (4 * kEarthM) + 1;
    for (const Line& line : all) Gather(thing, line);
    if (thing.wide) return;
    constexpr size_t kEach = FourCircles::kEach;
    thing.circles.assign((thing.stretches.size() + kEach - 1) / kEach, FourCircles::Nowhere());
    for (size_t i = 0; i < thing.stretches.size(); i++) {
      const Stretch& s = thing.stretches[i];
      FourCircles& four = thing.circles[i / kEach];
      four.x[i % kEach] = s.middle[0];
      four.y[i % kEach] = s.middle[1];
      four.radius[i % kEach] = s.radius;
    }
  }

 private:
  /// Cuts a line and drops edges without length.
  static Line Cut(const Line& line, double cut, double& longest) {
    Line ups = {line[0]};
    for (size_t i = 0; i + 1 < line.size(); i++) {
      double length = kEarthM * Length(Minus(line[i + 1], line[i]));
      int count = std::max(1, static_cast<int>(std::ceil(length / cut)));
      longest = std::max(longest, length / count * 1.1);
      for (int k = 1; k <= count; k++) {
        Vec3 up = k < count ? Between(line[i], line[i + 1], static_cast<double>(k) / count) : line[i + 1];
        if (up != ups.back()) ups.push_back(up);
      }
    }
    return ups;
  }

  static void Gather(Thing& thing, const Line& line) {
    constexpr double kMostM = 60000;
    for (size_t i = 0; i + 1 < line.size();) {
      size_t end = i;
      double length = 0;
      while (end + 1 < line.size() && end - i < kStretchEdges && (end == i || length < kMostM)) {
        length += Length(Minus(line[end + 1], line[end]));
        end++;
      }
      if (thing.wide) AddGround(thing, line, i, end);
      else AddCorners(thing, line, i, end);
      i = end;
    }
  }

  static void AddGround(Thing& thing, const Line& line, size_t from, size_t to) {
    Stretch s{static_cast<int>(to - from), {}, 0};
    Ground ground;
    for (size_t i = 0; i <= kStretchEdges; i++) ground[i] = line[std::min(from + i, to)];
    for (size_t i = from; i <= to; i++) s.middle = Plus(s.middle, Times(line[i], 1.0 / static_cast<double>(to - from + 1)));
    double longest = 0;
    for (size_t i = from; i <= to; i++) {
      s.radius = std::max(s.radius, Length(Minus(line[i], s.middle)));
      if (i > from) longest = std::max(longest, Length(Minus(line[i], line[i - 1])));
    }
    s.radius += longest * longest / (4 * kEarthM) + 1;
    thing.stretches.push_back(s);
    thing.ground.push_back(ground);
  }

  static void AddCorners(Thing& thing, const Line& line, size_t from, size_t to) {
    Stretch s{static_cast<int>(to - from), {}, 0};
    Corners c;
    Spot low = thing.Flat(line[from]), high = low;
    for (int i = 0; i <= kStretchEdges; i++) {
      Spot at = thing.Flat(line[std::min(from + static_cast<size_t>(i), to)]);
      c.Set(i, at);
      low = {std::min(low.x, at.x), std::min(low.y, at.y)};
      high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    c.Measure();
    s.middle = {(low.x + high.x) / 2, (low.y + high.y) / 2, 0};
    for (int i = 0; i <= kStretchEdges; i++)
      s.radius = std::max(s.radius, std::hypot(c.At(i).x - s.middle[0], c.At(i).y - s.middle[1]) + 1e-6);
    thing.stretches.push_back(s);
    thing.corners.push_back(c);
  }
};

}  // namespace dunlin
