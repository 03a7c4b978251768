// Outline of one or several polygons whose edges are great circles. If polygons overlap or touch, the edges between
// them are left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "earth.h"
#include "edge_index.h"

namespace dunlin {

/// Distance up to which two points are equal, in radii of the earth; the same as in src/geo/shape/segment.ts.
inline constexpr double kSame = 1e-11;

using Line = std::vector<Vec3>;

inline Vec3 MiddleOf(const std::vector<Line>& lines) {
  Vec3 sum{};
  for (const Line& line : lines)
    for (const Vec3& up : line) sum = Plus(sum, up);
  double length = Length(sum);
  return length > 1e-9 ? Times(sum, 1 / length) : Vec3{};
}

/// One polygon in the plane that touches the sphere in the polygon's middle. Points are projected from the sphere's
/// centre (gnomonic projection). Every shortest path is straight in the plane, so the test whether a position is inside
/// is exact even for wide polygons.
class Sheet {
 public:
  /// Least valid cosine of the angle between a position of a polygon and the polygon's middle. The limit is a little
  /// below 0.5, the cosine of the 60° that src/geo/shape/plane.ts allows.
  static constexpr double kLeastCos = 0.49;

  explicit Sheet(const std::vector<Line>& rings) : middle_(MiddleOf(rings)), axes_(Axes::About(middle_)), least_cos_(1) {
    std::vector<Spot> spots;
    std::vector<uint32_t> ends;
    for (const Line& ring : rings) {
      for (const Vec3& up : ring) {
        double ahead = Dot(up, middle_);
        least_cos_ = std::min(least_cos_, ahead);
        spots.push_back({Dot(up, axes_.x) / ahead, Dot(up, axes_.y) / ahead});
      }
      ends.push_back(static_cast<uint32_t>(spots.size()));
    }
    if (IsSeen()) edge_index_ = EdgeIndex(spots, ends);
    cos_ = std::min(least_cos_, 1.0);
    sin_ = std::sqrt(1 - cos_ * cos_);
  }

  bool IsSeen() const { return least_cos_ >= kLeastCos; }
  /// Whether the bounding circles of the two polygons may meet, by the cosine of the sum of their angular radii.
  bool MayMeet(const Sheet& other) const {
    return Dot(middle_, other.middle_) >= cos_ * other.cos_ - sin_ * other.sin_ - 1e-9;
  }
  bool Holds(const Vec3& up) const {
    double ahead = Dot(up, middle_);
    return ahead >= least_cos_ - 1e-9 && edge_index_.Holds(Dot(up, axes_.x) / ahead, Dot(up, axes_.y) / ahead);
  }

 private:
  Vec3 middle_;
  Axes axes_;
  double least_cos_, cos_ = 1, sin_ = 0;
  EdgeIndex edge_index_;
};

/// The outline of polygons that may overlap. Every edge is cut where an edge of another polygon meets it. Parts with
/// polygons on both sides are dropped.
class Outline {
 public:
  /// Greatest number of crossings between polygons. A zone that a person draws has fewer, and more would block the core
  /// for too long.
  static constexpr size_t kMostCuts = 100000;
  /// Greatest number of pairs of edges that are compared.
  static constexpr size_t kMostPairs = 10000000;

  Outline(const std::vector<std::vector<Line>>& polygons, const std::vector<Sheet>& sheets) : sheets_(sheets) {
    std::vector<size_t> ends;
    for (size_t p = 0; p < polygons.size(); p++) {
      for (const Line& ring : polygons[p])
        for (size_t i = 0; i + 1 < ring.size(); i++) Add(static_cast<int>(p), ring[i], ring[i + 1]);
      ends.push_back(edges_.size());
    }
    std::vector<Row> rows = RowsOf(ends);
    for (size_t p = 0, from = 0; p < polygons.size(); from = ends[p++])
      for (size_t q = p + 1; q < polygons.size() && !IsKnotted(); q++)
        if (sheets[p].MayMeet(sheets[q]))
          for (size_t i = from; i < ends[p] && !IsKnotted(); i++) PartBeside(edges_[i], rows[q]);
  }

  bool IsKnotted() const { return cuts_ > kMostCuts || pairs_ > kMostPairs; }

  /// Returns the lines of the outline, made by joining consecutive segments.
  std::vector<Line> Lines() {
    std::vector<Line> lines;
    for (Edge& edge : edges_) {
      std::sort(edge.cuts.begin(), edge.cuts.end(), [](const Cut& a, const Cut& b) { return a.share < b.share; });
      Vec3 from = edge.a;
      for (size_t i = 0; i <= edge.cuts.size(); i++) {
        Vec3 to = i < edge.cuts.size() ? edge.cuts[i].up : edge.b;
        if (from == to || !Bounds(edge, from, to)) {
          from = to;
          continue;
        }
        if (lines.empty() || lines.back().back() != from) lines.push_back({from});
        lines.back().push_back(to);
        from = to;
      }
    }
    return lines;
  }

 private:
  struct Cut {
    double share;
    Vec3 up;
  };
  struct Edge {
    int polygon;
    Vec3 a, b, side, middle;  // `side`: unit normal of the great circle's plane; `middle`: of the chord
    double length, reach;     // chords, in radii of the earth; `reach` bounds the distance from `middle`
    std::vector<Cut> cuts;
  };

  /// Edges of one polygon, sorted by the position of their midpoints along one axis.
  struct Row {
    int axis = 0;
    double reach = 0;  // greatest `reach` of the edges
    std::vector<std::pair<double, size_t>> edges;
  };

  /// Sorts the edges of each polygon along the ECEF axis in which the polygon extends farthest. There an interval of
  /// given length usually contains the fewest edges, so a search compares few.
  std::vector<Row> RowsOf(const std::vector<size_t>& ends) const {
    std::vector<Row> rows(ends.size());
    for (size_t p = 0, from = 0; p < ends.size(); from = ends[p++]) {
      double longest = -1;
      for (int axis = 0; axis < 3; axis++) {
        double low = 2, high = -2;
        for (size_t i = from; i < ends[p]; i++) {
          low = std::min(low, edges_[i].middle[axis]);
          high = std::max(high, edges_[i].middle[axis]);
        }
        if (high - low > longest) rows[p].axis = axis;
        longest = std::max(longest, high - low);
      }
      for (size_t i = from; i < ends[p]; i++) {
        rows[p].edges.emplace_back(edges_[i].middle[rows[p].axis], i);
        rows[p].reach = std::max(rows[p].reach, edges_[i].reach);
      }
      std::sort(rows[p].edges.begin(), rows[p].edges.end());
    }
    return rows;
  }

  void PartBeside(Edge& one, const Row& row) {
    double at = one.middle[row.axis], reach = one.reach + row.reach;
    auto beside = std::lower_bound(row.edges.begin(), row.edges.end(), std::pair<double, size_t>{at - reach, 0});
    for (; beside != row.edges.end() && beside->first <= at + reach && !IsKnotted(); ++beside) {
      pairs_++;
      Part(one, edges_[beside->second]);
    }
  }

  void Add(int polygon, const Vec3& a, const Vec3& b) {
    Vec3 side = Cross(a, b), middle = Times(Plus(a, b), 0.5);
    double sine = Length(side);
    if (sine <= kSame) return;
    edges_.push_back({polygon, a, b, Times(side, 1 / sine), middle, Length(Minus(a, b)), 0, {}});
    // The edge is an arc that rises above its chord, and `reach` must include it.
    edges_.back().reach = edges_.back().length / 2 + (1 - Length(middle)) + 1e-9;
  }

  static double ShareOf(const Edge& e, const Vec3& up) { return Dot(Minus(up, e.a), Minus(e.b, e.a)) / (e.length * e.length); }

  void CutAt(Edge& e, const Vec3& up) {
    double share = ShareOf(e, up);
    if (share > 0 && share < 1 && Length(Minus(up, e.a)) > kSame && Length(Minus(up, e.b)) > kSame) {
      e.cuts.push_back({share, up});
      cuts_++;
    }
  }

  void Part(Edge& one, Edge& other) {
    double reach = one.reach + other.reach;
    Vec3 off = Minus(one.middle, other.middle);
    if (Dot(off, off) > reach * reach) return;
    double a = Dot(other.side, one.a), b = Dot(other.side, one.b), c = Dot(one.side, other.a), d = Dot(one.side, other.b);
    if (std::fabs(a) <= kSame) CutAt(other, one.a);
    if (std::fabs(b) <= kSame) CutAt(other, one.b);
    if (std::fabs(c) <= kSame) CutAt(one, other.a);
    if (std::fabs(d) <= kSame) CutAt(one, other.b);
    if (std::min({std::fabs(a), std::fabs(b), std::fabs(c), std::fabs(d)}) <= kSame || a * b > 0 || c * d > 0) return;
    Vec3 met = Cross(one.side, other.side);
    double length = Length(met);
    if (length < 1e-15) return;
    met = Times(met, (Dot(met, one.middle) > 0 ? 1 : -1) / length);
    if (Dot(met, one.middle) <= 0 || Dot(met, other.middle) <= 0) return;
    // Both edges get bitwise the same point, so that the outline has no gap.
    CutAt(one, met);
    CutAt(other, met);
  }

  /// Whether a part of an edge belongs to the outline of all polygons together: no other polygon contains the outer
  /// side of the part. If two edges coincide, only the edge of the first polygon belongs to the outline.
  bool Bounds(const Edge& edge, const Vec3& from, const Vec3& to) const {
    constexpr double kAside = 1e-9;  // 6 mm
    Vec3 middle = Between(from, to, 0.5), left = Plus(middle, Times(edge.side, kAside)),
         right = Minus(middle, Times(edge.side, kAside));
    const Sheet& own = sheets_[edge.polygon];
    bool in_left = own.Holds(left), in_right = own.Holds(right);
    if (in_left == in_right) return true;
    const Vec3 &inner = in_left ? left : right, &outer = in_left ? right : left;
    for (int p = 0; p < static_cast<int>(sheets_.size()); p++) {
      if (p == edge.polygon) continue;
      // An earlier polygon that contains only the inner side has a coinciding edge, which was taken instead.
      if (sheets_[p].Holds(outer) || (p < edge.polygon && sheets_[p].Holds(inner))) return false;
    }
    return true;
  }

  const std::vector<Sheet>& sheets_;
  std::vector<Edge> edges_;
  size_t cuts_ = 0, pairs_ = 0;
};

}  // namespace dunlin
