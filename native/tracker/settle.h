// Effects of an assigned scan on tracks: hits, misses, new tracks, and the learnt offset of a radar.
#pragma once

#include "binding.h"
#include "crossings.h"
#include "distance.h"
#include "flock.h"
#include "observation.h"
#include "prefetch.h"

namespace dunlin {

/// Tracks and plots are prefetched this number of candidates before they are processed.
inline constexpr int kAhead = 8;
/// Greatest factor by which one plot raises the odds that an aircraft exists: e²⁵.
inline constexpr double kMostLikelier = 7.2e10;

/// Least probability of existence of an aircraft that another fusion system reports. Several reports do not raise it
/// further, since reports of several systems may go back to one sensor.
inline constexpr double kFusedExistence = 0.9;

class Settlement {
 public:
  Settlement(const Settings& set, const Sensors& sensors, Plots& plots, TrackTable& tracks, Claims& claims, LifeCycle& life,
             ClaimBinding& binding, ScanAssociation& association, Outcomes& outcomes)
      : set_(set), sensors_(sensors), plots_(plots), tracks_(tracks), claims_(claims), life_(life), binding_(binding), association_(association),
        outcomes_(outcomes), crossings_(set, sensors), flock_(set, tracks) {}

  /// Applies the associated scan of sensor `s` at `t`, s; `now` is the time at which the scan is closed, s.
  void Settle(Sensor& s, double t, double now);
  /// Lowers the probability of existence of each track that the sensor covers but has not seen since `since`, s. For a
  /// sensor that sends scan heads and does not rotate, a track without a plot in this scan counts as not seen.
  /// `t` is the time of the scan, s.
  void MissCovered(const Sensor& s, double t, double since);

 private:
  void PrefetchAfter(int candidate) const;
  bool Locates(const Measurement& m, const TrackCold& cold) const;
  void SettleHit(Sensor& s, int candidate, double now);
  [[gnu::cold]] void SettleFused(int candidate, double now);
  bool StandsBeside(int candidate);
  void BeginFromPlot(const Sensor& s, const Plot& p, double now);
  static Measurement PlaceAtAssumedHeight(const Sensor& s, Measurement m);
  void Open(const Measurement& m, const Plot& p, bool height_known, double shown, double now);
  [[gnu::cold]] void BeginFromFused(const Plot& p, double now);
  void NoteFused(int slot, const Plot& p);
  void BeginFromBearing(const Plot& p, double now);
  void Calibrate(Sensor& s, const Plot& p, int candidate);

  const Settings& set_;
  const Sensors& sensors_;
  Plots& plots_;
  TrackTable& tracks_;
  Claims& claims_;
  LifeCycle& life_;
  ClaimBinding& binding_;
  ScanAssociation& association_;
  Outcomes& outcomes_;
  Crossings crossings_;
  Flock flock_;
};

inline void Settlement::Settle(Sensor& s, double t, double now) {
  int strangers = 0;
  int count = static_cast<int>(association_.candidates().size());
  for (int i = 0; i < count; i++) {
    PrefetchAfter(i);
    const ScanCandidate& c = association_.candidates()[i];
    if (c.edge < 0) continue;
    if (plots_[c.plot].m.form == Form::kTrack) SettleFused(i, now);
    else SettleHit(s, i, now);
  }
  flock_.Steer(association_);
  // A scan with a head counts as a miss for tracks that it covers but did not see. A sensor of unknown coverage, such
  // as one that measures only bearings, misses only tracks that began from bearings.
  if (!s.rotating && s.expected >= 0) MissCovered(s, t, t);
  s.reported_at = std::max(s.reported_at, t);
  for (const ScanPlot& l : association_.plots()) {
    if (l.edge >= 0) continue;
    strangers++;
    BeginFromPlot(s, plots_[l.place], now);
  }
  if (s.rotating) s.strangers += strangers;
  else if (s.expected >= 0) s.LearnClutter(strangers);
}

/// Prefetches the data of the next hits. Plots come in any order, and the oldest history entry of a track is found only
/// by following links in memory.
inline void Settlement::PrefetchAfter(int index) const {
  size_t next = index + kAhead, later = next + kAhead;
  if (later < association_.candidates().size()) tracks_.history().AskFor(tracks_.cold(association_.candidates()[later].track).history.first());
  if (next >= association_.candidates().size()) return;
  const ScanCandidate& c = association_.candidates()[next];
  tracks_.history().AskForNext(tracks_.cold(c.track).history.first());
  Prefetch(association_.gate(next).odds);
  if (c.plot >= 0) Prefetch(plots_[c.plot]);
}

/// Whether a plot shows where its aircraft is. A lone bearing does not: it fits every position along its line, even the
/// position of an invented aircraft. It does if another sensor had a plot of the track shortly before. `cold` has the
/// last plot.
inline bool Settlement::Locates(const Measurement& m, const TrackCold& cold) const {
  if (m.form != Form::kBearing) return true;
  bool by_another = cold.plotted_by >= 0 && cold.plotted_by != m.sensor;
  return by_another && m.t - cold.plotted < 1.5 * sensors_.longest_period();
}

inline void Settlement::SettleHit(Sensor& s, int index, double now) {
  const ScanCandidate& c = association_.candidates()[index];
  Plot& p = plots_[c.plot];
  Track& k = tracks_[c.track];
  TrackCold& cold = tracks_.cold(c.track);
  double ratio = std::min(std::exp(-c.cost) / association_.gate(index).odds, kMostLikelier) * s.detection;
  dunlin::Weigh(k, ratio);
  // A plot whose assignment is doubtful does not move a claimed track, since the claim reports better positions.
  bool moves = k.claim < 0 || !association_.IsDoubtful(c);
  if (moves) Calibrate(s, p, index);
  bool flat = p.m.form == Form::kPlane || p.m.form == Form::kBearing;
  if (flat) tracks_.ForgetOldHeight(c.track, p.received);
  if (flat && !k.height_known) p.m.r[1] = 4 * kAssumedHeightSdM * kAssumedHeightSdM;
  bool tells = p.m.form == Form::kPlace || p.m.form == Form::kAngles || (p.m.form == Form::kFix && p.height_known);
  if (tells) tracks_.NoteHeight(c.track, p.received, false);
  if (moves && k.claim >= 0) claims_[k.claim].sensor_only.Update(p.m, sensors_, set_);
  if (moves) tracks_.Observe(c.track, p.m, static_cast<uint64_t>(p.sequence), p.m.t == c.t && p.m.t >= k.t ? &association_.state(index) : nullptr, now);
  tracks_.AddHit(c.track, p.received);
  bool locates = Locates(p.m, cold);
  if (cold.plotted_by == p.m.sensor && k.life == Life::kConfirmed && !s.headed) s.LearnRevisit(p.m.t - cold.plotted);
  cold.plotted_by = static_cast<int16_t>(p.m.sensor);
  cold.plotted = std::max(cold.plotted, p.m.t);
  cold.plots++;
  if (k.claim >= 0 && locates) {
    Claim& claim = claims_[k.claim];
    claim.located++;
    claim.misses = 0;
    claims_.Judge(claim, k);
  }
  outcomes_.Answered(p, k.number);
  if (k.life != Life::kTentative) return;
  bool alone = k.claim >= 0 || StandsBeside(index);
  if (!alone || k.Existence() <= set_.confirm_existence || !tracks_.HasHits(c.track, set_.confirm_hits)) return;
  if (k.origin == Origin::kCrossing && k.emitter < 0 && k.hits < set_.bearing_hits) return;
  life_.Confirm(association_.candidates()[index].track, now);
}

/// Updates a track with a report of another fusion system. The report keeps the track alive and confirms the track. It
/// is no evidence of a sensor and therefore confirms no claim. Several such reports raise the probability of existence
/// no more than one report does.
inline void Settlement::SettleFused(int index, double now) {
  const ScanCandidate& c = association_.candidates()[index];
  Plot& p = plots_[c.plot];
  Track& k = tracks_[c.track];
  if (p.height_known) tracks_.NoteHeight(c.track, p.received, false);
  // A report whose assignment is doubtful does not move a claimed track.
  if (k.claim < 0 || !association_.IsDoubtful(c))
    tracks_.Observe(c.track, p.m, static_cast<uint64_t>(p.sequence), p.m.t == c.t && p.m.t >= k.t ? &association_.state(index) : nullptr, now);
  NoteFused(c.track, p);
  outcomes_.Answered(p, k.number);
  if (k.life != Life::kTentative || !tracks_.HasHits(c.track, set_.confirm_hits)) return;
  if (k.claim >= 0 || StandsBeside(index)) life_.Confirm(association_.candidates()[index].track, now);
}

/// Whether an anonymous track is an aircraft of its own, and not a second track of a claimed aircraft beside it. True
/// if no claimed track is near. Else `beside_looks` scans are required in which this track and every claimed track
/// nearby got plots.
inline bool Settlement::StandsBeside(int index) {
  // These are copies: the loop may add candidates, which would invalidate references.
  const ScanCandidate c = association_.candidates()[index];
  const Gate own = association_.gate(index);
  bool crowded = false, apart = true;
  tracks_.grid().Near(Grid::kClaimed, own.p[0], own.p[1], 3 * std::sqrt(std::max(own.pp[0], own.pp[3])) + set_.slack_m, [&](int slot) {
    const Track& k = tracks_[slot];
    if (slot == c.track || !k.placed || k.life == Life::kResting) return;
    int other = association_.CandidateOf(slot, c.t, 0.9);
    if (other < 0) return;
    const Gate& theirs = association_.gate(other);
    if (DistanceBetween(theirs.p, theirs.pp, own.p, own.pp, set_.slack_m) > set_.beside_gate) return;
    crowded = true;
    if (!tracks_.HasPlot(slot)) apart = false;
  });
  if (!crowded) return true;
  if (apart) tracks_.cold(c.track).beside++;
  return tracks_.cold(c.track).beside >= set_.beside_looks;
}

inline void Settlement::MissCovered(const Sensor& s, double t, double since) {
  // A sweep consists of many scans, so a hit in it is recognised by its time. Otherwise a hit is a plot in this scan.
  bool swept = s.rotating || !s.headed;
  for (int slot : tracks_.live()) {
    if (!swept && tracks_.HasPlot(slot)) continue;
    Track& k = tracks_[slot];
    if (!k.placed || k.life == Life::kResting || (!s.covers && k.origin != Origin::kCrossing)) continue;
    TrackCold& cold = tracks_.cold(slot);
    if (swept && (cold.plotted >= since || cold.born > since)) continue;
    if (cold.born > t) continue;
    const GaussianPair& g = k.imm.both;
    double dt = t - k.t, p[3];
    for (int a = 0; a < 3; a++) p[a] = g.p[a][0] + g.v[a][0] * dt;
    if (!Covers(s, p, std::sqrt(std::max(g.pp[0][0], g.pp[3][0])))) continue;
    tracks_.Age(k, t, claims_.IsClaimed(k, t));
    dunlin::Weigh(k, 1 - s.detection);
    // For a claimed track with fewer than three plots, each miss also lowers `hidden`: the probability that the
    // aircraft exists, but sensors cannot see it.
    if (k.claim >= 0 && cold.plots < 3) k.hidden *= set_.hidden_doubt;
    if (k.life == Life::kConfirmed) k.dirty = true;
    if (k.claim >= 0) {
      claims_[k.claim].misses++;
      claims_.Judge(claims_[k.claim], k);
    }
  }
}

inline void Settlement::BeginFromPlot(const Sensor& s, const Plot& p, double now) {
  if (p.m.form == Form::kPlane) return Open(PlaceAtAssumedHeight(s, p.m), p, false, set_.birth_least, now);
  if (p.m.form == Form::kBearing) return BeginFromBearing(p, now);
  if (p.m.form == Form::kTrack) return BeginFromFused(p, now);
  if (!IsPlace(p.m.form) || binding_.GivePlotToEstimate(p)) return outcomes_.Answered(p, 0);
  double shown = std::clamp(set_.birth_density / (set_.birth_density + p.density), set_.birth_least, set_.birth_most);
  Open(p.m, p, p.m.form == Form::kPlace || p.height_known, shown, now);
}

inline void Settlement::NoteFused(int slot, const Plot& p) {
  Track& k = tracks_[slot];
  TrackCold& cold = tracks_.cold(slot);
  k.shown += std::max(0.0, kFusedExistence - k.Existence());
  cold.fused_by = static_cast<int16_t>(p.m.sensor);
  cold.fused_at = std::max(cold.fused_at, static_cast<float>(p.m.t - cold.born));
  tracks_.AddFused(slot, p.received);
}

/// Begins a track from a report of another fusion system.
inline void Settlement::BeginFromFused(const Plot& p, double now) {
  int slot = life_.Begin(p.m, Origin::kPlot, p.received, now);
  if (slot < 0) return outcomes_.Answered(p, 0);
  Track& k = tracks_[slot];
  if (p.height_known) tracks_.NoteHeight(slot, p.received, false);
  k.shown = k.hidden = 0;
  NoteFused(slot, p);
  outcomes_.Answered(p, k.number);
}

/// Returns the position of a plot that has a slant range but no elevation. The aircraft is assumed to fly low, with a
/// wide uncertainty of height.
inline Measurement Settlement::PlaceAtAssumedHeight(const Sensor& s, Measurement m) {
  double range = std::max(m.z[2], 2 * kAssumedHeightM);
  double sd = (s.level ? kAssumedHeightSdM : kMostSdHeightM) / range;
  m.z[1] = std::asin(kAssumedHeightM / range);
  m.r[1] = 0;
  m.r[3] = sd * sd;
  m.form = Form::kPlace;
  PlaceOfPolar(s, m);
  return m;
}

/// Begins a track at `m`, the position of plot `p`, with the probability `shown` that an aircraft is there.
inline void Settlement::Open(const Measurement& m, const Plot& p, bool height_known, double shown, double now) {
  int slot = life_.Begin(m, Origin::kPlot, p.received, now);
  if (slot < 0) return;
  Track& k = tracks_[slot];
  if (height_known) tracks_.NoteHeight(slot, p.received, false);
  k.shown = shown;
  k.hidden = 0;
  tracks_.AddHit(slot, p.received);
  tracks_.cold(slot).plots = 1;
  tracks_.cold(slot).plotted = p.m.t;
  outcomes_.Answered(p, k.number);
}

/// Begins a track if a bearing without a track crosses enough bearings of other sensors (Crossings::Add).
inline void Settlement::BeginFromBearing(const Plot& p, double now) {
  Crossings::Found found;
  int slot = crossings_.Add(p, found) ? life_.Begin(found.m, Origin::kCrossing, now, now) : -1;
  if (slot < 0) return outcomes_.Answered(p, 0);
  Track& k = tracks_[slot];
  k.emitter = found.emitter;
  k.shown = found.emitter >= 0 ? set_.birth_most : set_.birth_crossing;
  k.hidden = 0;
  tracks_.AddHit(slot, now);
  crossings_.Use(found);
  outcomes_.Answered(p, k.number);
}

/// Learns a radar's offset from a plot of an aircraft that reports its own position. The track must be confirmed, and
/// its claim recent (3 s) and not suspect.
inline void Settlement::Calibrate(Sensor& s, const Plot& p, int index) {
  const ScanCandidate& c = association_.candidates()[index];
  const Gate& gate = association_.gate(index);
  const Track& k = tracks_[c.track];
  if (p.m.form != Form::kPlace && p.m.form != Form::kPlane) return;
  if (k.claim < 0 || k.life != Life::kConfirmed || claims_[k.claim].verdict == Verdict::kSuspect) return;
  if (c.t - claims_[k.claim].received > 3) return;
  Sight sight = SightOf(s, gate.p);
  auto spread = [&](const double* a) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) sum += a[i] * gate.pp[kSym[i][j]] * a[j];
    return sum;
  };
  double sa = p.azimuth_variance, sr = p.range_variance;
  s.registration.Learn(WrapRadians(p.raw[0] - sight.azimuth), p.raw[2] - sight.range, sa + spread(sight.by_azimuth),
                       sr + spread(sight.by_range), set_);
}

}  // namespace dunlin
