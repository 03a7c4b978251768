// Approach of a flight to one area of any shape: polygons, circle or corridor.
#pragma once

#include <vector>

#include "outlook.h"

namespace dunlin {

/// The part of a path that is within half a corridor's width of one edge: from `in` to `out`, m along the path. The
/// edge leads from `a` to `b`.
struct Span {
  double in, out;
  Spot a, b;
};

/// Result of one approach. Fields without an initial value are undefined until a function below writes them: clearing
/// all fields for every area would cost measurable time.
struct Approach {
  bool inside = false;
  bool enters = false;   // whether the flight enters the outline within the `Window` between floor and ceiling
  bool stays = false;    // whether the flight is within the outline when this window begins
  double distance;       // m, negative inside
  Spot apart;            // vector to the flight's position, from the outline's nearest point or a circle's centre
  double pass, pass_at;
  Spot passing;          // as `apart`, but to the position at the closest approach
  double crossing = kFarOff;  // m along the path to the first crossing of the edge
  Spot crossed;          // normal of the area's edge at the crossing, if there is one
  double within = kFarOff;    // m along the path to the entry
  Spot entered;          // normal of the area's edge at the entry
};

/// Horizontal speed below which a flight counts as stationary, m/s.
inline constexpr double kStandingMps = 0.01;

inline void Lay(Path& path, const Thing& thing, const Flight& flight, double horizon) {
  path.axes = thing.wide ? Axes::About(flight.up) : thing.axes;
  path.from = thing.wide ? Spot{0, 0} : thing.Flat(flight.foot);
  path.way = {Dot(flight.velocity, path.axes.x), Dot(flight.velocity, path.axes.y)};
  double speed = std::sqrt(path.way.x * path.way.x + path.way.y * path.way.y);
  bool stands = speed < kStandingMps;
  path.way = stands ? Spot{1, 0} : Times(path.way, 1 / speed);
  path.speed = stands ? 0 : speed;
  path.length = path.speed * horizon;
}

inline double Size2(const Spot& a) { return a.x * a.x + a.y * a.y; }
inline double Size(const Spot& a) { return std::sqrt(Size2(a)); }

/// Returns the factor that converts a distance in an area's plane to the distance over the ground. The plane touches
/// the earth at one point, and shortens distances more, the farther they are from this point. The plane of a compact
/// area touches the earth in the middle of the area: the factor follows from `at`, the flight's position. The plane of
/// a wide area touches the earth at the flight: the factor follows from the distance `far` itself, m.
inline double Unfolded(const Thing& thing, const Spot& at, double far) { return ArcShare(thing.wide ? far * far : Size2(at)); }

inline void ApproachCircle(const Thing& thing, const Path& path, const Window& window, Approach& a) {
  a.apart = path.from;
  a.distance = ArcOf(Size(path.from)) - thing.size;
  a.inside = a.distance <= 0 && thing.size > 0;
  double nearest = -(path.from.x * path.way.x + path.from.y * path.way.y);
  a.pass_at = std::min(std::max(nearest, 0.0), path.length);
  a.passing = path.At(a.pass_at);
  a.pass = ArcOf(Size(a.passing)) - thing.size;
  double aside = path.from.x * path.way.y - path.from.y * path.way.x, flat = FlatOf(thing.size);
  double half = std::sqrt(std::max(flat * flat - aside * aside, 0.0)), in = nearest - half, out = nearest + half;
  if (half == 0) return;
  double crossing = a.inside ? out : in;
  if (crossing > 0 && crossing <= path.length) {
    a.crossing = crossing;
    a.crossed = path.At(crossing);
  }
  a.stays = (a.inside && window.from == 0) || (in <= window.from && window.from <= out);
  if (in > window.from && in <= window.to) {
    a.enters = true;
    a.within = in;
    a.entered = path.At(in);
  }
}

template <bool kMoves>
inline void ApproachPolygons(const Kernels& kernels, const Thing& thing, const Flight& flight, const Path& path,
                             size_t nearest, const Window& window, Approach& a) {
  if (!thing.wide && Size2(path.from) > thing.radius * thing.radius) a.inside = false;
  else if (thing.sheets.empty()) a.inside = thing.edge_index.Holds(path.from.x, path.from.y);
  else
    for (const Sheet& sheet : thing.sheets) a.inside = a.inside || sheet.Holds(flight.up);
  Found found;
  // If the flight is inside now, the distance of its closest approach is 0, even if it leaves later.
  if (a.inside) found.pass2 = found.pass = 0;
  Outlook<kMoves> outlook(kernels, thing, flight, path, nearest, window, found);
  double distance = found.now * Unfolded(thing, path.from, found.now);
  a.distance = a.inside ? -distance : distance;
  a.apart = a.inside ? Spot{-found.apart.x, -found.apart.y} : found.apart;
  a.pass = found.pass > 0 ? found.pass * Unfolded(thing, path.At(found.pass_at), found.pass) : 0;
  a.pass_at = found.pass_at;
  a.passing = found.passing;
  a.crossing = found.crossing;
  if (a.crossing < kFarOff) a.crossed = found.crossed;
  a.stays = a.inside != (found.before % 2 == 1);
  a.enters = found.within < kFarOff;
  a.within = found.within;
  if (a.enters) a.entered = found.entered;
}

/// Computes the part of the path within `half`, m, of the edge `a`–`b`; false if there is none. The region around a
/// straight edge is convex, so there is at most one part.
inline bool SpanOf(const Spot& a, const Spot& b, double half, const Path& path, Span& span) {
  span = {kFarOff, -kFarOff, a, b};
  auto take = [&](double in, double out) {
    if (in > out) return;
    span.in = std::min(span.in, in);
    span.out = std::max(span.out, out);
  };
  for (const Spot* end : {&a, &b}) {
    double x = end->x - path.from.x, y = end->y - path.from.y;
    double along = x * path.way.x + y * path.way.y, aside = x * path.way.y - y * path.way.x, room = half * half - aside * aside;
    if (room >= 0) take(along - std::sqrt(room), along + std::sqrt(room));
  }
  double length = std::hypot(b.x - a.x, b.y - a.y), x = (b.x - a.x) / length, y = (b.y - a.y) / length;
  double from_x = path.from.x - a.x, from_y = path.from.y - a.y, in = -kFarOff, out = kFarOff;
  auto clip = [&](double at, double rate, double least, double most) {
    if (rate == 0) {
      if (at < least || at > most) in = kFarOff;
      return;
    }
    double one = (least - at) / rate, other = (most - at) / rate;
    in = std::max(in, std::min(one, other));
    out = std::min(out, std::max(one, other));
  };
  clip(from_x * x + from_y * y, path.way.x * x + path.way.y * y, 0, length);
  clip(from_x * y - from_y * x, path.way.x * y - path.way.y * x, -half, half);
  take(in, out);
  return span.out >= 0 && span.in <= path.length;
}

/// Vector from the nearest point of the span's edge to the position `at`.
inline Spot ApartFrom(const Span& span, const Spot& at) {
  double dx = span.b.x - span.a.x, dy = span.b.y - span.a.y, x = at.x - span.a.x, y = at.y - span.a.y;
  double share = std::min(std::max((x * dx + y * dy) / (dx * dx + dy * dy), 0.0), 1.0);
  return {x - share * dx, y - share * dy};
}

/// Follows spans that join without a gap, beginning at the span that contains `from`, m along the path. Returns the
/// last of them: its end is the exit from the corridor. Null if no span contains `from`.
inline const Span* LastOf(const std::vector<Span>& spans, double from) {
  const Span* last = nullptr;
  double until = from;
  auto take = [&](const Span& s) {
    if (s.in > until || s.out < until || (s.out == until && last)) return false;
    until = s.out;
    last = &s;
    return true;
  };
  // Spans are ordered along the corridor's line. The flight may follow that line in either direction, so both
  // directions are tried.
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < spans.size(); i++) more |= take(spans[i]);
    for (size_t i = spans.size(); i-- > 0;) more |= take(spans[i]);
  }
  return last;
}

template <bool kMoves>
inline void ApproachCorridor(const Kernels& kernels, const Thing& thing, const Flight& flight, const Path& path,
                             size_t nearest, const Window& window, std::vector<Span>& spans, Approach& a) {
  Found found;
  found.of_line = true;
  Outlook<kMoves> outlook(kernels, thing, flight, path, nearest, window, found);
  double unfolded = Unfolded(thing, path.from, found.now), half = thing.size / unfolded;
  a.distance = found.now * unfolded - thing.size;
  a.inside = a.distance <= 0;
  a.apart = found.apart;
  a.pass = std::max(0.0, found.pass * Unfolded(thing, path.At(found.pass_at), found.pass) - thing.size);
  // The results of `outlook` refer to the corridor's centre line, and a crossing of this line is no entry. An entry is
  // computed below, at the edge of the corridor.
  a.pass_at = found.pass_at;
  a.passing = found.passing;
  a.stays = a.inside;
  if (!kMoves || (a.pass > 0 && !a.inside)) return;
  spans.clear();
  for (size_t s = 0; s < thing.stretches.size(); s++) {
    if (outlook.LeastFrom(s) > half) continue;
    const Corners& c = outlook.CornersOf(s);
    for (int i = 0; i < thing.stretches[s].edges; i++) {
      Span span;
      if (SpanOf(c.At(i), c.At(i + 1), half, path, span)) spans.push_back(span);
    }
  }
  const Span* edge = nullptr;
  if (a.inside) edge = LastOf(spans, 0);
  a.stays = a.inside && window.from == 0;
  for (const Span& s : spans) {
    if (!a.inside && s.in > 0 && (!edge || s.in < edge->in)) edge = &s;
    a.stays = a.stays || (s.in <= window.from && window.from <= s.out);
    if (s.in <= window.from || s.in > window.to || s.in >= a.within) continue;
    a.enters = true;
    a.within = s.in;
    a.entered = ApartFrom(s, path.At(s.in));
  }
  if (!edge) return;
  double crossing = a.inside ? edge->out : edge->in;
  if (!(crossing <= path.length)) return;
  a.crossing = crossing;
  a.crossed = ApartFrom(*edge, path.At(crossing));
}

}  // namespace dunlin
