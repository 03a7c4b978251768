// SIMD tests of bounding spheres. There is no include guard, because kernels.h includes this file once in the namespace
// of each vector type. The code must not instantiate templates of the standard library. The linker keeps one instance
// of a template for all processors, which could be the one for AVX2.

/// Selects the spheres whose centre is within `reach` plus `glance.room` of the path, and returns their number. For
/// these spheres, writes to `balls.least` a lower bound of the distance from the path's start; for all others, writes
/// kNever. `lowest` gets the least value of each lane.
template <bool kMoves>
inline size_t LookThrough(const Balls& balls, const Glance& glance, Four (&lowest)[Balls::kRows]) {
  const Octet px = Octets(glance.from[0]), py = Octets(glance.from[1]), pz = Octets(glance.from[2]);
  const Octet vx = Octets(glance.way[0]), vy = Octets(glance.way[1]), vz = Octets(glance.way[2]);
  const Octet inverse = Octets(glance.inverse), room = Octets(glance.room), zero = Octets(0), one = Octets(1);
  const Octet shrunk = Octets(Balls::kSeen), never = Octets(Balls::kNever);
  Octet low[2] = {never, never}, passed = zero;
  for (size_t block = 0; block < balls.count; block += Balls::kBlock)
    for (size_t row = 0; row < 2; row++) {
      const size_t i = block + 8 * row;
      Octet dx = OctetAt(balls.x + i) - px, dy = OctetAt(balls.y + i) - py, dz = OctetAt(balls.z + i) - pz;
      Octet d2 = dx * dx + dy * dy + dz * dz, away2 = d2, reach = OctetAt(balls.reach + i) + room;
      if (kMoves) {
        Octet share = Greater(Lesser((dx * vx + dy * vy + dz * vz) * inverse, one), zero);
        Octet ex = dx - share * vx, ey = dy - share * vy, ez = dz - share * vz;
        away2 = ex * ex + ey * ey + ez * ez;
      }
      Octet least = WhereAtMost(away2, reach * reach, shrunk * Root(d2) - OctetAt(balls.radius + i), never);
      passed = CountAtMost(away2, reach * reach, passed);
      low[row] = Lesser(least, low[row]);
      Store(least, balls.least + i);
    }
  for (size_t row = 0; row < 2; row++) {
    lowest[2 * row] = LowHalf(low[row]);
    lowest[2 * row + 1] = HighHalf(low[row]);
  }
  float count[8], sum = 0;
  Store(passed, count);
  for (float each : count) sum += each;
  return static_cast<size_t>(sum);
}

/// Writes the distance and the index of each sphere whose `least` is at most `most`. Returns the number of these
/// spheres.
inline size_t TakeWithin(const Balls& balls, float most, float* leasts, uint32_t* places) {
  constexpr size_t kWord = 64;
  const Octet bound = Octets(most);
  size_t taken = 0;
  for (size_t from = 0; from < balls.count; from += kWord) {
    const size_t to = from + kWord < balls.count ? from + kWord : balls.count;
    uint64_t word = 0;
    for (size_t i = from; i < to; i += 8) word |= uint64_t{AtMost(OctetAt(balls.least + i), bound)} << (i - from);
    for (; word != 0; word &= word - 1, taken++) {
      const size_t at = from + static_cast<size_t>(__builtin_ctzll(word));
      leasts[taken] = balls.least[at];
      places[taken] = static_cast<uint32_t>(at);
    }
  }
  return taken;
}

/// Writes the stable sort order of up to 64 distances. Each pair is compared without a branch, since the order is
/// unpredictable. `leasts` must have room for eight more values after `count`.
inline void Rank(float* leasts, size_t count, uint8_t* order) {
  Store(Octets(Balls::kNever), leasts + count);
  for (size_t i = 0; i < count; i++) {
    const Octet one = Octets(leasts[i]);
    uint64_t before = 0, alike = 0;
    for (size_t k = 0; k < count; k += 8) {
      const Octet other = OctetAt(leasts + k);
      before |= uint64_t{Below(other, one)} << k;
      alike |= uint64_t{Alike(other, one)} << k;
    }
    order[__builtin_popcountll(before | (alike & ((uint64_t{1} << i) - 1)))] = static_cast<uint8_t>(i);
  }
}

/// Writes the sort order by `first`, then by `second`. Both arrays must be padded to a multiple of four.
inline void Order(const double* first, const double* second, size_t count, uint8_t* order) {
  for (size_t i = 0; i < count; i++) {
    const Quad one = Quads(first[i]), two = Quads(second[i]);
    uint32_t before = 0;
    for (size_t k = 0; k < count; k += 4) {
      const Quad other = QuadAt(first + k);
      before = before << 4 | Below(other, one) | (Alike(other, one) & Below(QuadAt(second + k), two));
    }
    order[__builtin_popcount(before)] = static_cast<uint8_t>(i);
  }
}

/// Returns the index of the first sphere, from index `from` on, whose `least` is below `bound`; `balls.count` if there
/// is none.
inline size_t NextBelow(const Balls& balls, size_t from, float bound) {
  const Octet most = Octets(bound);
  for (size_t i = from & ~size_t{7}; i < balls.count; i += 8) {
    uint32_t bits = Below(OctetAt(balls.least + i), most);
    if (i < from) bits &= 0xffu << (from - i);
    if (bits != 0) return i + static_cast<size_t>(__builtin_ctz(bits));
  }
  return balls.count;
}
