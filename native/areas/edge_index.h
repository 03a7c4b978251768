// Index of closed rings in a plane, for a fast test whether a point is inside.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dunlin {

struct Spot {
  double x, y;
};

/// Point-in-polygon test: a point is inside if a ray from it to the right crosses an odd number of edges. Edges are
/// sorted into bands of y, so that a test reads only a few edges. An edge includes its lower end but not its upper end,
/// so that a corner counts once.
class EdgeIndex {
 public:
  EdgeIndex() = default;

  /// Line i ends before index `ends[i]` of `spots`. The lines together must form closed rings.
  EdgeIndex(const std::vector<Spot>& spots, const std::vector<uint32_t>& ends) {
    low_ = spots[0].y;
    double high = low_;
    for (const Spot& s : spots) {
      low_ = std::min(low_, s.y);
      high = std::max(high, s.y);
    }
    // A steep edge is in many bands. The number of bands is halved down to one, or until the index has at most 8
    // entries per corner.
    for (bands_ = std::clamp<int>(static_cast<int>(spots.size()) / 4, 1, 4096);; bands_ /= 2) {
      per_m_ = high > low_ ? bands_ / (high - low_) : 0;
      if (bands_ == 1 || Count(spots, ends) <= 8 * spots.size()) break;
    }
    Fill(spots, ends);
  }

  /// Prefetches data for a test at `y`: first Ask fetches the start of the band, later AskSides the edges in the band.
  void Ask(double y) const { __builtin_prefetch(&starts_[static_cast<size_t>(BandOf(y))]); }
  void AskSides(double y) const {
    const Side* first = sides_.data() + starts_[static_cast<size_t>(BandOf(y))];
    for (int i = 0; i < 5; i++) __builtin_prefetch(first + 2 * i);
  }

  bool Holds(double x, double y) const {
    bool inside = false;
    int band = BandOf(y);
    for (uint32_t i = starts_[band]; i < starts_[band + 1]; i++) {
      const Side& s = sides_[i];
      // There is no branch for each edge, since the processor would mispredict half of them.
      inside ^= ((s.ay > y) != (s.by > y)) & (x < s.ax + s.slope * (y - s.ay));
    }
    return inside;
  }

 private:
  struct Side {
    double ax, ay, by, slope;
  };

  int BandOf(double y) const {
    double band = (y - low_) * per_m_;
    return band > 0 ? static_cast<int>(std::min(band, bands_ - 1.0)) : 0;
  }

  template <typename Each>
  static void ForEachEdge(const std::vector<Spot>& spots, const std::vector<uint32_t>& ends, Each each) {
    for (size_t ring = 0, i = 0; ring < ends.size(); i = ends[ring++])
      for (; i + 1 < ends[ring]; i++)
        if (spots[i].y != spots[i + 1].y) each(spots[i], spots[i + 1]);
  }

  size_t Count(const std::vector<Spot>& spots, const std::vector<uint32_t>& ends) const {
    size_t count = 0;
    ForEachEdge(spots, ends, [&](const Spot& a, const Spot& b) { count += std::abs(BandOf(a.y) - BandOf(b.y)) + 1; });
    return count;
  }

  void Fill(const std::vector<Spot>& spots, const std::vector<uint32_t>& ends) {
    starts_.assign(bands_ + 2, 0);
    auto bands = [&](const Spot& a, const Spot& b, auto each) {
      for (int band = BandOf(std::min(a.y, b.y)); band <= BandOf(std::max(a.y, b.y)); band++) each(band);
    };
    ForEachEdge(spots, ends, [&](const Spot& a, const Spot& b) { bands(a, b, [&](int band) { starts_[band + 2]++; }); });
    for (int band = 2; band < bands_ + 2; band++) starts_[band] += starts_[band - 1];
    sides_.resize(starts_[bands_ + 1]);
    ForEachEdge(spots, ends, [&](const Spot& a, const Spot& b) {
      Side side{a.x, a.y, b.y, (b.x - a.x) / (b.y - a.y)};
      bands(a, b, [&](int band) { sides_[starts_[band + 1]++] = side; });
    });
    starts_.pop_back();
  }

  double low_ = 0, per_m_ = 0;
  int bands_ = 1;
  std::vector<uint32_t> starts_ = {0, 0};
  std::vector<Side> sides_;
};

}  // namespace dunlin
