// Index of the plots of one scan in the sensor's polar coordinates. It finds the plots near a track without a pass over
// all. Distant plots are long and thin: half a degree is 130 m across at 15 km, where the range error is 5 m. Square
// cells along the ground would hold a hundred times the plots that a track needs. Here cells are rings of range cut
// into sectors of azimuth.
//
// Proof that no plot is missed. Along the ground the track is at distance ρ from the sensor and the plot at distance r,
// in directions that differ by Δ. The unit vector h is the plot's direction, and a is perpendicular to it. P and R are
// the covariances of track and plot. For a pair with a squared Mahalanobis distance of at most γ, the difference along
// any unit vector u is at most √(γ·uᵀ(P + R)u). Along h, with hᵀPh ≤ (√P_along + |sin Δ|·√P_across)² as seen from the
// track:
//   |r − ρ cos Δ| ≤ √(γ·(hᵀRh + hᵀPh))
// Along a, with aᵀPa ≤ P_along + P_across:
//   ρ·|sin Δ| ≤ √(γ·(aᵀRa + aᵀPa))
// The bound uses the largest aᵀRa of the scan and the largest hᵀRh of the ring. A few plots at high elevation have a
// far larger range variance than the rest. Only the rings of these plots are searched from a greater distance.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sensor.h"

namespace dunlin {

/// A direction as a number that needs no arc tangent: 0 at north, 1 at east, ±2 at south, −1 at west. When the
/// direction changes, this number never changes by more than the angle in radians.
inline double TurnOf(double east, double north) {
  double sum = std::fabs(east) + std::fabs(north), turn = sum > 0 ? east / sum : 0;
  return north >= 0 ? turn : (east >= 0 ? 2 : -2) - turn;
}

/// A horizontal position as seen from a sensor, with its variances along the line of sight and across it; m, m².
struct GroundSight {
  double turn, range, along, across;
};

inline GroundSight GroundSightOf(const Sensor& s, const double* p, const Sym3& pp) {
  Vec3 d = RotateBack(s.to_site, {p[0] - s.at[0], p[1] - s.at[1], p[2] - s.at[2]});
  double range = std::sqrt(d[0] * d[0] + d[1] * d[1]);
  double east = range > 0 ? d[0] / range : 0, north = range > 0 ? d[1] / range : 1;
  Vec3 along = Rotate(s.to_site, {east, north, 0}), across = Rotate(s.to_site, {north, -east, 0});
  return {TurnOf(d[0], d[1]), range, Quadratic(pp, along.data()), Quadratic(pp, across.data())};
}

/// Horizontal position and covariance of a plot in the site's axes, m and m²: the input of the first, cheap gate.
struct GroundPlot {
  double e, n, ee, en, nn;
  int plot;
};

inline GroundPlot GroundPlotOf(int plot, const double* z, const Sym3& r) { return {z[0], z[1], r[0], r[1], r[3], plot}; }

class PolarIndex {
 public:
  explicit PolarIndex(int capacity) {
    plots_.reserve(capacity);
    order_.reserve(capacity);
    alongs_.reserve(SideFor(capacity));
    starts_.reserve(static_cast<size_t>(SideFor(capacity)) * SideFor(capacity) + 1);
  }

  void Clear() {
    plots_.clear();
    farthest_ = along_ = widest_ = 0;
  }

  void Add(const GroundPlot& plot, const GroundSight& at) {
    plots_.push_back({plot, at, 0});
    farthest_ = std::max(farthest_, at.range);
    along_ = std::max(along_, at.along);
    widest_ = std::max(widest_, at.across / (at.range * at.range + kNearM * kNearM));
  }

  /// Sorts the added plots into cells, about two cells for each plot.
  void Build() {
    side_ = SideFor(plots_.size());
    rings_per_m_ = side_ / std::max(farthest_, 1.0);
    starts_.assign(static_cast<size_t>(side_) * side_ + 1, 0);
    alongs_.assign(side_, 0.0);
    for (Spot& spot : plots_) {
      int ring = RingOf(spot.at.range);
      spot.cell = ring * side_ + std::min(SectorOf(spot.at.turn), side_ - 1);
      starts_[spot.cell]++;
      alongs_[ring] = std::max(alongs_[ring], spot.at.along);
    }
    for (size_t i = 1; i < starts_.size(); i++) starts_[i] += starts_[i - 1];
    order_.resize(plots_.size());
    // Each cell is filled from its end. Its entry in `starts_`, which is the end at first, thus becomes the start.
    for (size_t i = plots_.size(); i-- > 0;) order_[--starts_[plots_[i].cell]] = plots_[i].plot;
  }

  /// The cells that may contain plots of a track: a range of rings, and a range of sectors in each ring. Sector numbers
  /// outside the valid range wrap round.
  struct Reach {
    int inner, outer, first, last;
    double nearest, farthest;  // m, bounds of ρ cos Δ
    double gate, vague2;       // m², `vague2` is the upper bound of hᵀPh
  };

  Reach ReachOf(const GroundSight& track, double gate) const {
    gate *= kCaution;
    double both = track.along + track.across;
    double most = std::sqrt(gate * (along_ + both)), farthest = track.range + most;
    double beside2 = gate * (widest_ * (farthest * farthest + kNearM * kNearM) + both);
    double range2 = track.range * track.range;
    // The plot of a track so near the sensor may be on the opposite side of the sensor. Every ring up to `farthest` is
    // then searched, and ρ cos Δ has no lower bound.
    if (!(range2 > beside2 + most * most)) return {0, RingOf(farthest), 0, side_ - 1, 0, farthest, gate, 0};
    double sine = std::sqrt(beside2 / range2), vague = std::sqrt(track.along) + sine * std::sqrt(track.across);
    double nearest = std::sqrt(range2 - beside2), off = std::sqrt(gate * (along_ + vague * vague));
    // A change of the number that TurnOf returns never exceeds the angle in radians, and is always 1 for a right angle.
    // The estimate arcsin x ≤ x + (π/2 − 1)·x³ holds, since all terms of the series are positive.
    double turn = std::min(1.0, sine * (1 + 0.571 * sine * sine));
    return {RingOf(nearest - off), RingOf(track.range + off), SectorOf(track.turn - turn), SectorOf(track.turn + turn),
            nearest, track.range, gate, vague * vague};
  }

  /// Calls `visit` once with every plot in the cells of `reach`. They include all plots that may be within the track's
  /// gate (squared Mahalanobis distance).
  template <typename Visit>
  void ForEach(const Reach& reach, Visit visit) const {
    for (int ring = reach.inner; ring <= reach.outer; ring++) {
      if (IsBeyond(ring, reach)) continue;
      VisitSectors(ring, std::max(reach.first, 0), std::min(reach.last, side_ - 1), visit);
      if (reach.first < 0) VisitSectors(ring, reach.first + side_, side_ - 1, visit);
      if (reach.last >= side_) VisitSectors(ring, 0, reach.last - side_, visit);
    }
  }

 private:
  struct Spot {
    GroundPlot plot;
    GroundSight at;
    int cell;
  };
  static constexpr double kHalfTurn = 2;
  /// Added in quadrature to ranges, m. Without it, a plot close to the sensor would seem to have a huge angular error,
  /// and every search would widen.
  static constexpr double kNearM = 100;
  /// Factor that widens the gate by more than rounding errors.
  static constexpr double kCaution = 1.001;

  /// Number of rings, and of sectors in each ring. It is at least four, so that a range of sectors narrower than the
  /// whole ring never visits a sector twice.
  static int SideFor(size_t plots) { return std::max(4, static_cast<int>(std::ceil(std::sqrt(2.0 * plots)))); }

  /// Whether a ring is so far from the track that none of its plots can be in the track's gate.
  bool IsBeyond(int ring, const Reach& reach) const {
    double off = std::max({ring / rings_per_m_ - reach.farthest, reach.nearest - (ring + 1) / rings_per_m_, 0.0});
    return off * off > reach.gate * (alongs_[ring] + reach.vague2);
  }

  int RingOf(double range) const {
    return static_cast<int>(std::clamp(range * rings_per_m_, 0.0, side_ - 1.0));
  }
  /// Returns the number of the sector of a direction, which is given as a result of TurnOf. If `turn` is beyond ±2, the
  /// number is outside the valid range and must be wrapped.
  int SectorOf(double turn) const {
    return static_cast<int>((turn + 3 * kHalfTurn) * (side_ / (2 * kHalfTurn))) - side_;  // positive, so truncation rounds down
  }

  /// Visits the plots of several sectors in one pass, since the sectors of a ring are adjacent in `order_`.
  template <typename Visit>
  void VisitSectors(int ring, int first, int last, Visit& visit) const {
    for (int i = starts_[ring * side_ + first], end = starts_[ring * side_ + last + 1]; i < end; i++) visit(order_[i]);
  }

  std::vector<Spot> plots_;
  std::vector<GroundPlot> order_;  // ordered by cell, so that the plots near a track are adjacent
  std::vector<int> starts_;        // index in order_ of the first plot of each cell
  std::vector<double> alongs_;     // m², greatest range variance in each ring
  int side_ = 4;
  double rings_per_m_ = 1;
  double farthest_ = 0, along_ = 0, widest_ = 0;  // greatest values of all plots: m, m², rad²
};

}  // namespace dunlin
