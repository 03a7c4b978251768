// SIMD tests of polygon edges against a path. There is no include guard, because kernels.h includes this file once in
// the namespace of each vector type. The code must not instantiate templates of the standard library. The linker keeps
// one instance of a template for all processors, which could be the one for AVX2.

/// Number of groups of four circles (`FourCircles`) whose bits, one for each circle, fit in a 64-bit word.
inline constexpr size_t kFoursAWord = 16;

/// The corners of a stretch (up to kStretchEdges edges) in the axes of the path. They are in three columns: corners of
/// even index, corners of odd index, and the even corner after each odd one.
struct Sight {
  Quad along, left, odd_along, odd_left, next_along, next_left;
  Spot last;
};

/// Four edges in the axes of the path, one in each lane.
struct Edges {
  Quad along, left, ahead, aside, toward, inverse;

  Edges(Quad along, Quad left, Quad next_along, Quad next_left, Quad inverse)
      : along(along), left(left), ahead(next_along - along), aside(next_left - left),
        toward(-(along * ahead + left * aside)), inverse(inverse) {}

  Quad ShareOf(Quad at) const { return Lesser(Greater(at * inverse, Quads(0)), Quads(1)); }
  /// Squared distances from the beginning of the path.
  Quad Now() const {
    Quad share = ShareOf(toward), off = along + share * ahead, off_left = left + share * aside;
    return off * off + off_left * off_left;
  }
  /// Squared distances from the end of the path.
  Quad AtEnd(Quad length) const {
    Quad share = ShareOf(toward + length * ahead), off = length - along - share * ahead, off_left = left + share * aside;
    return off * off + off_left * off_left;
  }
};

inline Sight SightOf(const Corners& c, const Path& path) {
  constexpr int kOdd = kStretchEdges / 2;
  const Quad from_x = Quads(path.from.x), from_y = Quads(path.from.y), way_x = Quads(path.way.x), way_y = Quads(path.way.y);
  Quad x = QuadAt(c.x) - from_x, y = QuadAt(c.y) - from_y, odd_x = QuadAt(c.x + kOdd) - from_x, odd_y = QuadAt(c.y + kOdd) - from_y;
  Sight see;
  see.last = Turn(path, {c.last_x, c.last_y});
  see.along = x * way_x + y * way_y;
  see.left = y * way_x - x * way_y;
  see.odd_along = odd_x * way_x + odd_y * way_y;
  see.odd_left = odd_y * way_x - odd_x * way_y;
  see.next_along = Onward(see.along, see.last.x);
  see.next_left = Onward(see.left, see.last.y);
  return see;
}

/// Distances along the path at which it crosses edges, m; kNever for an edge that it does not cross.
inline Quad CrossingsOf(Quad along, Quad left, Quad next_along, Quad next_left, Quad length) {
  const Quad zero = Quads(0), at = along + (next_along - along) * (left / (left - next_left));
  const Marks sides = AreAtMost(zero, left) ^ AreAtMost(zero, next_left);
  return Where(sides & AreBelow(zero, at) & AreAtMost(at, length), at, Quads(Found::kNever));
}

/// Records the first edge that the path crosses, the first that it crosses within the window, and the number of
/// crossings before the window. There is no branch for each edge, since the number of crossings is unpredictable. If
/// several edges of a stretch are crossed at one point, an edge of even index counts as first.
inline void TakeCrossings(const Corners& corners, const Sight& see, const Path& path, const Window& window, Found& found) {
  const Quad length = Quads(path.length), from = Quads(window.from), to = Quads(window.to), never = Quads(Found::kNever);
  const Quad even = CrossingsOf(see.along, see.left, see.odd_along, see.odd_left, length);
  const Quad odd = CrossingsOf(see.odd_along, see.odd_left, see.next_along, see.next_left, length);
  auto place_of = [&](double at) { return __builtin_ctz(Alike(even, Quads(at)) | Alike(odd, Quads(at)) << 4); };
  const double first = LeastOf(Lesser(even, odd));
  if (!(first < Found::kNever)) return;
  if (first < found.crossing) {
    found.crossing = first;
    found.crosses = {&corners, place_of(first)};
  }
  found.before += __builtin_popcount(AtMost(even, from) | AtMost(odd, from) << 4);
  auto inside = [&](Quad at) { return Where(AreBelow(from, at) & AreAtMost(at, to), at, never); };
  const double within = LeastOf(Lesser(inside(even), inside(odd)));
  if (within < found.within) {
    found.within = within;
    found.enters = {&corners, place_of(within)};
  }
}

/// Records the edge that is nearest to the start of the path. Among equally near edges, one of even index is chosen.
inline void TakeNow(const Corners& corners, const Edges& even, const Edges& odd, Found& found) {
  Quad now = even.Now(), odd_now = odd.Now();
  double least2 = LeastOf(Lesser(now, odd_now));
  if (!(least2 < found.now2)) return;
  found.now2 = least2;
  found.now = std::sqrt(least2);
  const Quad least = Quads(least2);
  found.nearest = {&corners, __builtin_ctz(Alike(now, least) | Alike(odd_now, least) << 4)};
}

/// Records the least distance between the path and the edges of a stretch. If the path crosses none of them, the
/// nearest point is a corner of an edge or an end of the path.
inline void TakePass(const Corners& corners, const Sight& see, const Edges& even, const Edges& odd, const Path& path, Found& found) {
  constexpr uint8_t kEnd = Found::kEnd, kLast = kStretchEdges;
  // The first in this order is chosen if several points are equally near.
  constexpr uint8_t kPlaces[] = {0, 1, 2, 3, 7, kEnd, kEnd + 1, kEnd + 2, kEnd + 3, 4, 5, 6, kLast, kEnd + 4, kEnd + 5, kEnd + 6, kEnd + 7};
  const Quad length = Quads(path.length), zero = Quads(0);
  auto from_corners = [&](Quad along, Quad left) {
    Quad off = Lesser(Greater(along, zero), length) - along;
    return off * off + left * left;
  };
  Quad corner = from_corners(see.along, see.left), odd_corner = from_corners(see.odd_along, see.odd_left);
  double last_off = Clamped(see.last.x, path.length) - see.last.x, last = last_off * last_off + see.last.y * see.last.y;
  Quad end = even.AtEnd(length), odd_end = odd.AtEnd(length);
  double least2 = Lesser(LeastOf(Lesser(Lesser(corner, odd_corner), Lesser(end, odd_end))), last);
  double pass2 = found.crossing < kFarOff ? 0 : least2;
  if (pass2 >= found.pass2) return;
  const Quad least = Quads(least2);
  uint32_t odd_corners = Alike(odd_corner, least);
  uint32_t bits = Alike(corner, least) | (odd_corners & 8) << 1 | Alike(end, least) << 5 | (odd_corners & 7) << 9 |
                  uint32_t{last == least2} << 12 | Alike(odd_end, least) << 13;
  found.pass2 = pass2;
  found.pass = std::sqrt(pass2);
  found.passes = {&corners, kPlaces[__builtin_ctz(bits)]};
}

/// Compares all edges of a stretch with the start of the path (`kNow`), with the whole path (`kPass`), or with both.
/// Records the results.
template <bool kNow, bool kPass>
inline void TakeEdges(const Corners& corners, const Path& path, const Window& window, Found& found) {
  const Sight see = SightOf(corners, path);
  if (kPass) {
    TakeCrossings(corners, see, path, window, found);
    if (found.crossing < kFarOff && !found.of_line) found.pass2 = found.pass = 0;
    if (!kNow && found.pass2 == 0) return;
  }
  const Edges even(see.along, see.left, see.odd_along, see.odd_left, QuadAt(corners.inverse));
  const Edges odd(see.odd_along, see.odd_left, see.next_along, see.next_left, QuadAt(corners.inverse + kStretchEdges / 2));
  if (kNow) TakeNow(corners, even, odd, found);
  if (kPass && found.pass2 > 0) TakePass(corners, see, even, odd, path, found);
}

/// Whether the edges of a stretch, judged by the circle around them, may be nearer to the path than all edges so far.
/// `now` refers to the start of the path, `pass` to the closest approach.
struct Matter {
  bool now, pass;
};
template <bool kMoves>
inline Matter MatterOf(const Outlined& thing, size_t i, const Path& path, const Found& found) {
  const FourCircles& four = thing.circles[i / FourCircles::kEach];
  double x = four.x[i % FourCircles::kEach] - path.from.x, y = four.y[i % FourCircles::kEach] - path.from.y;
  double radius = four.radius[i % FourCircles::kEach], d2 = x * x + y * y, reach = radius + found.now;
  // Edges behind the flight are nearest at the start of the path, so `pass` is false for them.
  Matter matter{d2 <= reach * reach, false};
  if (kMoves) {
    double along = x * path.way.x + y * path.way.y, at = Clamped(along, path.length);
    double passing = radius + Lesser(found.now, found.pass);
    matter.pass = (along > -radius) & (d2 - at * (along + along - at) <= passing * passing);
  }
  return matter;
}

inline void Visit(const Corners& corners, Matter matter, const Path& path, const Window& window, Found& found) {
  if (matter.pass) TakeEdges<true, true>(corners, path, window, found);
  else if (matter.now) TakeEdges<true, false>(corners, path, window, found);
}

/// Returns the index of the stretch whose circle has its centre nearest to the start of the path; the first of equally
/// near ones.
inline size_t NearestCircle(const Outlined& thing, const Path& path) {
  const Quad from_x = Quads(path.from.x), from_y = Quads(path.from.y);
  auto square = [&](const FourCircles& four) {
    Quad x = QuadAt(four.x) - from_x, y = QuadAt(four.y) - from_y;
    return x * x + y * y;
  };
  Quad lowest = Quads(kFarOff * kFarOff);
  for (size_t i = 0; i < thing.fours; i++) lowest = Lesser(square(thing.circles[i]), lowest);
  const Quad least = Quads(LeastOf(lowest));
  for (size_t from = 0; from < thing.fours; from += kFoursAWord) {
    const size_t to = from + kFoursAWord < thing.fours ? from + kFoursAWord : thing.fours;
    uint64_t word = 0;
    for (size_t i = from; i < to; i++) word |= uint64_t{Alike(square(thing.circles[i]), least)} << (FourCircles::kEach * (i - from));
    if (word != 0) return FourCircles::kEach * from + static_cast<size_t>(__builtin_ctzll(word));
  }
  return 0;
}

/// Results of MatterOf for several groups of four circles at once, as one bit for each circle.
struct Matters {
  uint64_t now, pass;
};
template <bool kMoves>
inline Matters MattersOf(const FourCircles* circles, size_t fours, const Path& path, const Found& found) {
  const Quad from_x = Quads(path.from.x), from_y = Quads(path.from.y), way_x = Quads(path.way.x), way_y = Quads(path.way.y);
  const Quad length = Quads(path.length), now = Quads(found.now), pass = Quads(Lesser(found.now, found.pass)), zero = Quads(0);
  Matters matters{0, 0};
  for (size_t i = 0; i < fours; i++) {
    const size_t bit = FourCircles::kEach * i;
    Quad x = QuadAt(circles[i].x) - from_x, y = QuadAt(circles[i].y) - from_y, radius = QuadAt(circles[i].radius);
    Quad d2 = x * x + y * y, reach = radius + now;
    matters.now |= uint64_t{AtMost(d2, reach * reach)} << bit;
    if (kMoves) {
      Quad along = x * way_x + y * way_y, at = Lesser(Greater(along, zero), length), passing = radius + pass;
      matters.pass |= uint64_t{Below(-radius, along) & AtMost(d2 - at * (along + along - at), passing * passing)} << bit;
    }
  }
  return matters;
}

/// Compares the outline of a compact area with the path, stretch by stretch (up to kStretchEdges edges each). The
/// stretch nearest to the start of the path comes first. Its distance usually shows that the other stretches are too
/// far away to matter.
template <bool kMoves>
inline void LookOver(const Outlined& thing, size_t nearest, const Path& path, const Window& window, Found& found) {
  Visit(thing.corners[nearest], MatterOf<kMoves>(thing, nearest, path, found), path, window, found);
  for (size_t from = 0; from < thing.fours; from += kFoursAWord) {
    const size_t fours = from + kFoursAWord < thing.fours ? kFoursAWord : thing.fours - from, first = FourCircles::kEach * from;
    const Matters matters = MattersOf<kMoves>(thing.circles + from, fours, path, found);
    uint64_t word = matters.now | matters.pass;
    if (nearest / 64 == from / kFoursAWord) word &= ~(uint64_t{1} << nearest % 64);
    bool again = false;
    for (; word != 0; again = true) {
      const size_t bit = static_cast<size_t>(__builtin_ctzll(word)), i = first + bit;
      word &= word - 1;
      // Prefetches the next stretch; after the last stretch it fetches the current one again. This avoids a branch,
      // since the number of stretches is unpredictable.
      Ask(thing.corners[first + static_cast<size_t>(__builtin_ctzll(word != 0 ? word : uint64_t{1} << bit))]);
      Matter matter{(matters.now >> bit & 1) != 0, (matters.pass >> bit & 1) != 0};
      // A stretch visited since `matters` was computed may have given a smaller distance, which may exclude this one.
      if (again) matter = MatterOf<kMoves>(thing, i, path, found);
      Visit(thing.corners[i], matter, path, window, found);
    }
  }
}
