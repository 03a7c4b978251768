// Grid of tracks, which finds the tracks near a position without a pass over all. Cells are squares along the ground,
// in levels of doubling size. A track is in the lowest level whose cells are at least as wide as its reach, or one
// level higher; a track of greater reach is in the highest level. In each level, a search extends by the greatest reach
// of that level's tracks. An uncertain track thus does not widen the search for precise tracks, which are in other
// levels. Claimed and anonymous tracks are kept apart, so that a search for one kind does not walk past the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace dunlin {

class Grid {
 public:
  static constexpr int kLevels = 8;
  static constexpr double kCellM = 256;
  enum Kind : int32_t { kAnonymous, kClaimed };

  explicit Grid(int capacity) : nodes_(capacity) {
    size_t size = 64;
    while (size < static_cast<size_t>(capacity) * 2) size *= 2;
    heads_.assign(size, -1);
  }

  /// Enters a track at (e, n), m. Searches find it from anywhere within `reach`, m, of that point.
  void Put(int track, double e, double n, double reach, Kind kind = kAnonymous) {
    Node& node = nodes_[track];
    int level = 0;
    double cell = kCellM;
    while (level + 1 < kLevels && cell < reach) {
      level++;
      cell *= 2;
    }
    // A track that is one level too high stays there. Its reach grows between reports and shrinks at each report, so
    // that it would otherwise change levels all the time.
    if (node.layer == LayerOf(level + 1, kind)) {
      level++;
      cell *= 2;
    }
    double cells_per_m = 1 / cell;
    int32_t x = Index(e * cells_per_m), y = Index(n * cells_per_m), layer = LayerOf(level, kind);
    reach_[layer] = std::max(reach_[layer], reach);
    node.e = static_cast<float>(e);
    node.n = static_cast<float>(n);
    node.reach = static_cast<float>(reach) + kRounding;
    if (IsIn(node, layer, x, y)) return;
    Remove(track);
    node.x = x;
    node.y = y;
    Link(track, layer);
  }

  /// Changes the kind of a track.
  void SetKind(int track, Kind kind) {
    Node& node = nodes_[track];
    if (node.layer < 0) return;
    int layer = LayerOf(node.layer / kKinds, kind);
    if (layer == node.layer) return;
    reach_[layer] = std::max<double>(reach_[layer], node.reach);
    Remove(track);
    Link(track, layer);
  }

  /// Resets the greatest reach of each level; call it before all tracks are entered anew.
  void ForgetReaches() { std::fill(reach_, reach_ + kLayers, 0.0); }

  void Remove(int track) {
    Node& node = nodes_[track];
    if (node.layer < 0) return;
    counts_[node.layer]--;
    if (node.before >= 0) nodes_[node.before].next = node.next;
    else heads_[Bucket(node.layer, node.x, node.y)] = node.next;
    if (node.next >= 0) nodes_[node.next].before = node.before;
    node.layer = -1;
  }

  /// Calls `visit(track)` once for every track of a kind whose distance from (e, n) may be within its reach plus
  /// `radius`, m. It may also be called for a few tracks slightly farther away.
  template <typename Visit>
  void Near(Kind kind, double e, double n, double radius, Visit visit) const {
    Visited(kind, e, n, radius, radius, visit, [&](const Node& node) {
      return std::fabs(node.e - e) <= radius + node.reach && std::fabs(node.n - n) <= radius + node.reach;
    });
  }

  /// Like Near, but visits tracks of both kinds within an ellipse yᵀ·[ee en; en nn]⁻¹·y ≤ 1 that is widened by `slack`,
  /// m. The ellipse suits distant plots of a radar, which are long and thin.
  template <typename Visit>
  void NearEllipse(double e, double n, double ee, double en, double nn, double slack, Visit visit) const {
    auto touches = [&](const Node& node) {
      // The Minkowski sum of two ellipses A and B lies in the ellipse 2A + 2B.
      double reach = node.reach + slack, a = 2 * (ee + reach * reach), b = 2 * en, c = 2 * (nn + reach * reach);
      double x = node.e - e, y = node.n - n;
      return c * x * x - 2 * b * x * y + a * y * y <= a * c - b * b;
    };
    for (Kind kind : {kAnonymous, kClaimed})
      Visited(kind, e, n, std::sqrt(ee) + slack, std::sqrt(nn) + slack, visit, touches);
  }

 private:
  struct Node {
    int32_t layer = -1, x = 0, y = 0, before = -1, next = -1;
    float e = 0, n = 0, reach = 0;  // m, to skip tracks in a searched cell that are not near
  };
  /// Margin for rounding a coordinate within 4 000 km to float, m.
  static constexpr float kRounding = 1;

  /// One layer for each level and kind.
  static constexpr int kKinds = 2, kLayers = kLevels * kKinds;
  static int LayerOf(int level, Kind kind) { return level * kKinds + kind; }

  void Link(int track, int layer) {
    Node& node = nodes_[track];
    node.layer = layer;
    counts_[layer]++;
    int32_t& head = heads_[Bucket(layer, node.x, node.y)];
    node.before = -1;
    node.next = head;
    if (head >= 0) nodes_[head].before = track;
    head = track;
  }

  static bool IsIn(const Node& node, int layer, int32_t x, int32_t y) {
    return node.layer == layer && node.x == x && node.y == y;
  }
  template <typename Visit, typename Touches>
  void Visited(Kind kind, double e, double n, double wide, double high, Visit visit, Touches touches) const {
    double cell = kCellM;
    for (int level = 0; level < kLevels; level++, cell *= 2) {
      int layer = LayerOf(level, kind);
      if (counts_[layer] == 0) continue;
      double across = wide + reach_[layer], along = high + reach_[layer];
      double cells_per_m = 1 / cell;
      int32_t x0 = Index((e - across) * cells_per_m), x1 = Index((e + across) * cells_per_m);
      int32_t y0 = Index((n - along) * cells_per_m), y1 = Index((n + along) * cells_per_m);
      if (static_cast<int64_t>(x1 - x0) * (y1 - y0) > 4096) {
        for (size_t i = 0; i < nodes_.size(); i++)
          if (nodes_[i].layer == layer && touches(nodes_[i])) visit(static_cast<int>(i));
        continue;
      }
      for (int32_t x = x0; x <= x1; x++)
        for (int32_t y = y0; y <= y1; y++)
          for (int32_t i = heads_[Bucket(layer, x, y)]; i >= 0; i = nodes_[i].next)
            if (IsIn(nodes_[i], layer, x, y) && touches(nodes_[i])) visit(static_cast<int>(i));
    }
  }

  static int32_t Index(double cells) {
    cells = std::min(std::max(-1e9, cells), 1e9);  // NaN becomes −1e9
    int32_t index = static_cast<int32_t>(cells);
    return index - (cells < index);  // rounds down like floor, which the oldest processors lack as an instruction
  }
  size_t Bucket(int layer, int32_t x, int32_t y) const {
    uint64_t h = static_cast<uint32_t>(x) * 0x9E3779B97F4A7C15ull ^ static_cast<uint32_t>(y) * 0xC2B2AE3D27D4EB4Full ^
                 static_cast<uint64_t>(layer) * 0x165667B19E3779F9ull;
    return (h ^ (h >> 29)) & (heads_.size() - 1);
  }

  std::vector<Node> nodes_;
  std::vector<int32_t> heads_;
  int counts_[kLayers] = {};
  double reach_[kLayers] = {};  // greatest reach in each layer, m
};

}  // namespace dunlin
