// Relations between tracks and areas (zones and assets): inside, near or approaching.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "../tracker/life.h"
#include "../tracker/prefetch.h"
#include "../tracker/tracker.h"
#include "approach.h"
#include "nearest.h"
#include "sieve.h"
#include "things.h"

namespace dunlin {

class Areas {
 public:
  /// Greatest number of rows of one track: kMost for areas whose approach is measured, and kMost for all other areas.
  static constexpr int kMostEach = 2 * Nearest::kMost;
  static constexpr double kMostHorizonS = 3600;
  static constexpr size_t kAskedFor = 8;
  /// Greatest valid height or depth of a state, m. A height beyond it counts as unknown.
  static constexpr double kMostHeightM = 1e6;

  explicit Areas(const Kernels& kernels = Kernels::Best()) : kernels_(kernels), measured_(kernels), contained_(kernels) { Ready(); }

  /// Replaces all areas. On an error it keeps the previous areas, and sets `faulty` as Things::Read does.
  AreasCode Set(const ThingRows& rows, size_t& faulty) {
    std::vector<Thing> things;
    AreasCode fault = Things::Read(rows, things, faulty);
    if (fault != kAreasCodeDone) return fault;
    things_ = std::move(things);
    Ready();
    return fault;
  }

  size_t size() const { return things_.size(); }

  /// Begins a measurement that writes to `heads` and `rows`. A head has the number of a track, the index of its first
  /// row, and the counts of its rows. The arrays have room for one head and kMostEach rows of each measured track. With
  /// `brief`, the time to entry is the only value that gets a sigma.
  void Begin(double horizon, bool brief, double* heads, double* rows) {
    horizon_ = horizon >= 0 ? std::min(horizon, kMostHorizonS) : 0;
    brief_ = brief;
    heads_ = heads;
    rows_ = rows;
    head_count_ = row_count_ = 0;
  }

  /// Measures the tracks of a tracker as of `now`, s, in the state that TrackReport publishes. Skips tracks without a
  /// position. `chosen` holds the numbers of `count` tracks to measure, in ascending order; null means all tracks.
  /// Stops and returns false if there are more than `most` tracks to measure.
  bool Measure(Tracker& tracker, const double* chosen, size_t count, double now, size_t most) {
    if (!chosen) {
      for (int slot : tracker.live())
        if (!Measure(tracker, slot, now, most)) return false;
      return true;
    }
    bool anew = false;
    next_known_ = 0;
    int next = count > 0 ? SlotOf(tracker, chosen[0], anew) : -1;
    for (size_t i = 0; i < count; i++) {
      int slot = next;
      next = i + 1 < count ? SlotOf(tracker, chosen[i + 1], anew) : -1;
      if (next >= 0) Prefetch(tracker.track(next));
      if (slot >= 0 && !Measure(tracker, slot, now, most)) return false;
    }
    return true;
  }

  /// Measures a state given in the `area_state` columns of layouts.json. Skips a state with an invalid position or
  /// speed.
  void Measure(const double* state) {
    if (!(std::fabs(state[kAreaStateLatDeg]) <= 90) || !(std::fabs(state[kAreaStateLonDeg]) <= 360)) return;
    for (int c : {kAreaStateEastMps, kAreaStateNorthMps, kAreaStateUpMps})
      if (!(std::fabs(state[c]) <= kMostSpeedMps)) return;
    bool known = std::fabs(state[kAreaStateAltHaeM]) <= kMostHeightM;
    Gaussian g{};
    auto sound = [](double value) { return std::fabs(value) <= 1e12 ? value : 0; };
    for (int i = 0; i < 3; i++) g.v[i] = state[kAreaStateEastMps + i];
    for (int i = 0; i < 6; i++) g.pp[i] = sound(state[kAreaStateCovPlaceM2 + i]);
    for (int i = 0; i < 9; i++) g.pv[i] = sound(state[kAreaStateCovMixedM2ps + i]);
    for (int i = 0; i < 6; i++) g.vv[i] = sound(state[kAreaStateCovVelocityM2ps2 + i]);
    Vec3 place = GeodeticToEcef(state[kAreaStateLatDeg], state[kAreaStateLonDeg], known ? state[kAreaStateAltHaeM] : 0);
    Mat3 axes = EnuAxes(state[kAreaStateLatDeg], state[kAreaStateLonDeg]);
    Measure(Flight(state[kAreaStateNumber], g, place, axes, known));
  }

  size_t heads() const { return head_count_; }
  size_t rows() const { return row_count_; }

 private:
  void Ready() {
    size_t edges = 0;
    for (const Thing& t : things_) {
      size_t own = 0;
      for (const Stretch& s : t.stretches) own += s.edges;
      if (t.shape == kThingShapeCorridor) edges = std::max(edges, own);
    }
    measured_.sieve.Set(things_, true);
    contained_.sieve.Set(things_, false);
    spans_.clear();
    spans_.reserve(edges);
  }

  /// Returns the slot of a track in the tracker; −1 if it has none. The slots found are cached, since each step
  /// measures the same tracks. The search in the cache begins at the last hit. A miss rebuilds the cache and sets
  /// `anew`, at most once in a measurement.
  int SlotOf(const Tracker& tracker, double number, bool& anew) {
    constexpr size_t kFew = 32;
    for (;; anew = true, next_known_ = 0) {
      if (next_known_ > 0 && !(known_[next_known_ - 1].number < number)) next_known_ = 0;
      size_t until = std::min(next_known_ + kFew, known_.size());
      while (next_known_ < until && known_[next_known_].number < number) next_known_++;
      if (next_known_ == until) {
        auto from = known_.begin() + static_cast<std::ptrdiff_t>(until);
        auto at = std::lower_bound(from, known_.end(), number, [](const Known& k, double n) { return k.number < n; });
        next_known_ = static_cast<size_t>(at - known_.begin());
      }
      if (next_known_ < known_.size() && known_[next_known_].number == number && IsAt(tracker, known_[next_known_]))
        return known_[next_known_].slot;
      if (anew) return -1;
      known_.clear();
      known_.reserve(tracker.live().capacity());
      for (int slot : tracker.live()) known_.push_back({tracker.track(slot).number, slot});
      std::sort(known_.begin(), known_.end(), [](const Known& a, const Known& b) { return a.number < b.number; });
    }
  }

  bool Measure(Tracker& tracker, int slot, double now, size_t most) {
    const Track& k = tracker.track(slot);
    if (!k.placed) return true;
    if (head_count_ >= most) return false;
    double lost = k.received + tracker.settings().lost_s;
    Gaussian g = tracker.At(slot, k.life == Life::kResting ? std::min(now, lost) : now);
    const Frame& site = tracker.site();
    Measure(Flight(k.number, g, site.ToEcef({g.p[0], g.p[1], g.p[2]}), site.axes, k.height_known));
    return true;
  }

  /// Measures one flight against all areas. Prefetches the first data of the areas that are probably nearest: areas are
  /// scattered in memory, and other work displaces them from the processor's caches between two measurements.
  void Measure(const Flight& flight) {
    Choose(flight, Times(flight.velocity, horizon_), measured_);
    Choose(flight, {0, 0, 0}, contained_);
    for (Round* round : {&measured_, &contained_})
      for (int i = 0; i < round->count; i++) Ask(things_[round->likely[i].thing]);
    for (Round* round : {&measured_, &contained_})
      for (int i = 0; i < round->count; i++) Foresee(flight, things_[round->likely[i].thing], round->prospects[i]);
    for (Round* round : {&measured_, &contained_})
      for (int i = 0; i < round->count; i++)
        if (round->prospects[i].may_hold) things_[round->likely[i].thing].edge_index.AskSides(round->prospects[i].path.from.y);
    MeasureNearest(flight, measured_);
    MeasureNearest(flight, contained_);
    const Nearest &measured = measured_.nearest, &contained = contained_.nearest;
    double* head = heads_ + kAreaHeadWidth * head_count_++;
    head[kAreaHeadNumber] = flight.number;
    head[kAreaHeadFirst] = static_cast<double>(row_count_);
    head[kAreaHeadMeasured] = measured.count;
    head[kAreaHeadContained] = contained.count;
    head[kAreaHeadMore] = measured.dropped + contained.dropped;
    double* to = rows_ + kAreaWidth * row_count_;
    contained.Write(kernels_, measured.Write(kernels_, to));
    row_count_ += static_cast<size_t>(measured.count + contained.count);
  }

  /// Path of a flight past an area, and the index of the stretch (up to kStretchEdges edges of the outline) that is
  /// probably nearest.
  struct Prospect {
    Path path;
    size_t nearest;
    bool may_hold;  // whether the position may be inside a compact area that has an edge index
  };

  /// Intermediate results of one track. There is one object for the areas whose approach is measured, and one for those
  /// whose approach is not.
  struct Round {
    explicit Round(const Kernels& kernels) : sieve(kernels) {}

    Sieve sieve;
    Nearest nearest;
    int left = 0, count = 0;  // areas that may be near and are not measured yet; entries in `likely`
    Candidate likely[Sieve::kMostLikely];
    Prospect prospects[Sieve::kMostLikely];
  };

  /// Chooses the areas that are probably nearest. They are measured first, since their distances exclude most other
  /// areas.
  void Choose(const Flight& flight, const Vec3& way, Round& round) const {
    round.nearest.Clear();
    round.left = static_cast<int>(round.sieve.Look(flight.foot, way));
    round.count = round.left > 0 ? round.sieve.TakeLikely(Nearest::kMost, round.likely) : 0;
    for (int i = 0; i < round.count; i++) Prefetch(things_[round.likely[i].thing]);
  }

  void MeasureNearest(const Flight& flight, Round& round) {
    if (round.left == 0) return;
    Nearest& nearest = round.nearest;
    auto take = [&](uint32_t thing, const Prospect& prospect) {
      round.left--;
      if (MeasureOne(flight, things_[thing], thing, prospect, nearest.Room())) nearest.Take();
      return nearest.IsFull() ? nearest.Farthest() : kFarOff * kFarOff;
    };
    double farthest = kFarOff * kFarOff;
    for (int i = 0; i < round.count; i++) farthest = take(round.likely[i].thing, round.prospects[i]);
    if (round.left > 0)
      round.sieve.ForEachNearer(farthest, [&](uint32_t thing) {
        Foresee(flight, things_[thing], round.prospects[0]);
        return take(thing, round.prospects[0]);
      });
    nearest.dropped += round.left;
  }

  static void Ask(const Thing& thing) {
    for (size_t i = 0; i < thing.circles.size() && i < kAskedFor; i++) Prefetch(thing.circles[i]);
  }

  void Foresee(const Flight& f, const Thing& thing, Prospect& prospect) const {
    Lay(prospect.path, thing, f, thing.measured ? horizon_ : 0);
    prospect.nearest = 0;
    prospect.may_hold = false;
    if (thing.circles.empty() || thing.shape == kThingShapeCircle) return;
    prospect.nearest = kernels_.nearest_circle(thing.Outline(), prospect.path);
    // The two stretches beside the nearest one are usually compared as well.
    size_t last = thing.corners.size() - 1, nearest = prospect.nearest;
    for (size_t stretch : {nearest, nearest > 0 ? nearest - 1 : last, nearest < last ? nearest + 1 : 0}) Prefetch(thing.corners[stretch]);
    prospect.may_hold = thing.shape == kThingShapePolygons && thing.sheets.empty() && Size2(prospect.path.from) <= thing.radius * thing.radius;
    if (prospect.may_hold) thing.edge_index.Ask(prospect.path.from.y);
  }

  /// Measures one area. Returns true and writes `row` if the area is reported.
  bool MeasureOne(const Flight& f, const Thing& thing, uint32_t index, const Prospect& prospect, double* row) {
    const Path& path = prospect.path;
    double speed = path.length > 0 ? path.speed : 0;
    double from, to;
    bool ever = HeightWindow(f, thing, from, to);
    // The window is empty if the flight never reaches the area's heights.
    Window window = ever ? Window{from * speed, to * speed} : Window{kFarOff, -kFarOff};
    Approach a;
    if (thing.shape == kThingShapeCircle) ApproachCircle(thing, path, window, a);
    else if (thing.shape == kThingShapeCorridor)
      speed > 0 ? ApproachCorridor<true>(kernels_, thing, f, path, prospect.nearest, window, spans_, a) : ApproachCorridor<false>(kernels_, thing, f, path, prospect.nearest, window, spans_, a);
    else
      speed > 0 ? ApproachPolygons<true>(kernels_, thing, f, path, prospect.nearest, window, a) : ApproachPolygons<false>(kernels_, thing, f, path, prospect.nearest, window, a);
    if (!a.inside && a.distance > thing.near && !(thing.measured && (a.pass <= thing.near || a.crossing < kFarOff))) return false;
    std::fill(row, row + kAreaWidth, std::numeric_limits<double>::quiet_NaN());
    row[kAreaNumber] = f.number;
    row[kAreaThing] = index;
    row[kAreaInside] = a.inside;
    WriteHeight(f, thing, row);
    row[kAreaDistanceM] = a.distance;
    Vec3 apart = Direction(path, a.apart);
    if (!brief_) row[kAreaDistanceSigmaM] = std::sqrt(f.SpreadAlong(apart, 0));
    if (thing.measured && brief_) WriteBriefly(f, path, speed, ever ? from : kFarOff, apart, a, row);
    else if (thing.measured) WriteApproach(f, path, speed, ever ? from : kFarOff, apart, a, row);
    return true;
  }

  /// Computes the times `from` and `to` between which the flight's height is between floor and ceiling, s, within the
  /// horizon. False if it never is. An unknown height counts as always between them.
  bool HeightWindow(const Flight& f, const Thing& thing, double& from, double& to) const {
    from = 0;
    to = horizon_;
    if (std::isnan(f.height)) return true;
    double below = thing.floor - f.height, above = thing.ceiling - f.height;
    if (std::fabs(f.climb) < 1e-9) return below <= 0 && above >= 0;
    double one = below * f.per_climb, other = above * f.per_climb;
    from = Greater(Lesser(one, other), from);
    to = Lesser(Greater(one, other), to);
    return from <= to;
  }

  static void WriteHeight(const Flight& f, const Thing& thing, double* row) {
    bool known = !std::isnan(f.height);
    constexpr int kUnknown = static_cast<int>(HeightRelation::kUnknown), kWithin = static_cast<int>(HeightRelation::kWithin);
    row[kAreaHeight] = known ? kWithin - (f.height < thing.floor) + (f.height > thing.ceiling) : kUnknown;
    if (known) row[kAreaVerticalM] = Lesser(f.height - thing.floor, 0.0) + Greater(f.height - thing.ceiling, 0.0);
  }

  static Vec3 Direction(const Path& path, const Spot& spot) {
    double size2 = Size2(spot);
    if (size2 == 0) return {0, 0, 0};
    Spot unit = Times(spot, 1 / std::sqrt(size2));
    return Plus(Times(path.axes.x, unit.x), Times(path.axes.y, unit.y));
  }

  /// Writes the columns of brief rows; see WriteApproach.
  static void WriteBriefly(const Flight& f, const Path& path, double speed, double height_from, const Vec3& apart,
                           const Approach& a, double* row) {
    row[kAreaClosingMps] = -Dot(apart, f.velocity);
    bool crosses = a.crossing < kFarOff;
    if (crosses) row[kAreaEdgeInS] = a.crossing / speed;
    row[kAreaPassM] = a.inside || crosses ? 0 : std::fmax(a.pass, 0);
    row[kAreaPassInS] = a.inside ? 0 : crosses ? row[kAreaEdgeInS] : speed > 0 ? a.pass_at / speed : 0;
    if (a.stays) {
      if (!(height_from < kFarOff)) return;
      row[kAreaVolumeInS] = height_from;
      row[kAreaVolumeInSigmaS] = height_from > 0 ? std::sqrt(f.SpreadAlong(f.up, height_from)) / std::fabs(f.climb) : 0;
    } else if (a.enters && a.within / speed < kFarOff) {
      Vec3 n = Direction(path, a.entered);
      row[kAreaVolumeInS] = a.within / speed;
      row[kAreaVolumeInSigmaS] = std::sqrt(f.SpreadAlong(n, row[kAreaVolumeInS])) / std::fabs(Dot(n, f.velocity));
    }
  }

  /// Writes the columns of full rows. Sigmas are of first order: they follow from the derivative of a time or distance
  /// with respect to the state.
  static void WriteApproach(const Flight& f, const Path& path, double speed, double height_from, const Vec3& apart,
                            const Approach& a, double* row) {
    row[kAreaClosingMps] = -Dot(apart, f.velocity);
    // Writes the time of a crossing and its sigma; returns the sigma of the distance to the edge, m.
    auto until = [&](double s, const Spot& normal, int column) {
      Vec3 n = Direction(path, normal);
      double t = s / speed, sigma = std::sqrt(f.SpreadAlong(n, t));
      row[column] = t;
      row[column + 1] = sigma / std::fabs(Dot(n, f.velocity));
      return sigma;
    };
    double crossing_sigma = a.crossing < kFarOff ? until(a.crossing, a.crossed, kAreaEdgeInS) : 0;
    if (a.inside) {
      row[kAreaPassM] = row[kAreaPassInS] = row[kAreaPassInSigmaS] = 0;
      row[kAreaPassSigmaM] = row[kAreaDistanceSigmaM];
    } else if (a.crossing < kFarOff) {
      row[kAreaPassM] = 0;
      row[kAreaPassSigmaM] = crossing_sigma;
      row[kAreaPassInS] = row[kAreaEdgeInS];
      row[kAreaPassInSigmaS] = row[kAreaEdgeInSigmaS];
    } else {
      WritePass(f, path, speed, a, row);
    }
    if (a.stays) {
      row[kAreaVolumeInS] = height_from;
      row[kAreaVolumeInSigmaS] = height_from > 0 ? std::sqrt(f.SpreadAlong(f.up, height_from)) / std::fabs(f.climb) : 0;
    } else if (a.enters && a.within == a.crossing && a.entered.x == a.crossed.x && a.entered.y == a.crossed.y) {
      row[kAreaVolumeInS] = row[kAreaEdgeInS];
      row[kAreaVolumeInSigmaS] = row[kAreaEdgeInSigmaS];
    } else if (a.enters) {
      until(a.within, a.entered, kAreaVolumeInS);
    }
    if (!(row[kAreaVolumeInS] < kFarOff)) row[kAreaVolumeInS] = row[kAreaVolumeInSigmaS] = std::numeric_limits<double>::quiet_NaN();
  }

  /// Writes the closest approach, at which the path is perpendicular to the vector between track and area. A position
  /// error along the path shifts the time of this approach. A velocity error changes the speed and direction of the
  /// path, which also shifts the time.
  static void WritePass(const Flight& f, const Path& path, double speed, const Approach& a, double* row) {
    double t = speed > 0 ? a.pass_at / speed : 0;
    Vec3 passing = Direction(path, a.passing);
    row[kAreaPassM] = std::fmax(a.pass, 0);
    row[kAreaPassInS] = t;
    row[kAreaPassSigmaM] = std::sqrt(f.SpreadAlong(passing, t));
    row[kAreaPassInSigmaS] = 0;
    if (!(a.pass_at > 0 && a.pass_at < path.length)) return;
    Vec3 way = Direction(path, path.way);
    Vec3 turns = Plus(Times(way, -t / speed), Times(passing, -Size(a.passing) / (speed * speed)));
    row[kAreaPassInSigmaS] = std::sqrt(f.SpreadOfSum(Times(way, -1 / speed), turns));
  }

  struct Known {
    uint32_t number;
    int slot;
  };

  static bool IsAt(const Tracker& tracker, const Known& at) {
    if (at.slot >= tracker.slots()) return false;
    const Track& k = tracker.track(at.slot);
    return k.life != Life::kFree && k.number == at.number;
  }

  const Kernels& kernels_;
  std::vector<Thing> things_;
  std::vector<Known> known_;  // sorted by number
  size_t next_known_ = 0;     // index in `known_` at which the next search begins
  Round measured_, contained_;
  std::vector<Span> spans_;
  double horizon_ = 0;
  bool brief_ = false;
  double *heads_ = nullptr, *rows_ = nullptr;
  size_t head_count_ = 0, row_count_ = 0;
};

}  // namespace dunlin
