// What a look means once it is assigned: hits, misses, beginnings, a radar's offset.
#pragma once

#include "distance.h"
#include "tracker.h"

namespace dunlin {

/// What is needed so many candidates on is asked for ahead.
inline constexpr int kAhead = 8;
/// No plot makes it likelier than so many times that an aircraft is there: e²⁵.
inline constexpr double kMostLikelier = 7.2e10;

inline void Tracker::Settle(Sensor& s, double t) {
  int strangers = 0;
  int count = static_cast<int>(candidates_.size());
  for (int i = 0; i < count; i++) {
    AskAhead(i);
    if (candidates_[i].edge >= 0) SettleHit(s, i);
  }
  Flock();
  // Not seeing counts for whatever was covered; of directions alone only what directions began.
  if (!s.rotating && s.expected >= 0) MissCovered(s, t, t);
  s.told_at = std::max(s.told_at, t);
  for (LookPlot& l : look_) {
    Plot& p = plots_[l.plot];
    if (l.edge >= 0) continue;
    strangers++;
    BeginFromPlot(s, p);
  }
  if (s.rotating) s.strangers += strangers;
  else if (s.expected >= 0) s.clutter = std::max(0.05, s.clutter + 0.02 * (strangers - s.clutter));
}

/// Asks for what the hits after this one will read: plots come in any order, and what is oldest of a track is found by
/// going from one place in memory to another.
inline void Tracker::AskAhead(int index) const {
  size_t next = index + kAhead, later = next + kAhead;
  if (later < candidates_.size()) history_.AskFor(cold_[candidates_[later].track].first);
  if (next >= candidates_.size()) return;
  const Candidate& c = candidates_[next];
  history_.AskForNext(cold_[c.track].first);
  Prefetch(gates_[next].odds);
  if (c.plot >= 0) Prefetch(plots_[c.plot]);
}

/// Whether other pairs explain the plot or the track nearly as well as the one chosen.
inline bool Tracker::IsDoubtful(const Candidate& hit) const {
  double rival = std::min(look_[edges_[hit.edge].plot].rival, hit.rival);
  return rival < hit.cost + set_.doubt_margin;
}

inline void Tracker::SettleHit(Sensor& s, int index) {
  Candidate& c = candidates_[index];
  Plot& p = plots_[c.plot];
  Track& k = tracks_[c.track];
  TrackCold& cold = cold_[c.track];
  double ratio = std::min(std::exp(-c.cost) / gates_[index].odds, kMostLikelier) * s.detection;
  dunlin::Weigh(k, ratio);
  // Of several aircraft that tell where they are, a plot that may be of either moves neither: their word is better.
  bool moves = k.claim < 0 || !IsDoubtful(c);
  if (moves) Calibrate(s, p, index);
  bool flat = p.m.form == Form::kPlane || p.m.form == Form::kBearing;
  if (flat && !k.height_known) p.m.r[1] = 4 * kAssumedHeightSdM * kAssumedHeightSdM;
  if (p.m.form == Form::kPlace || p.m.form == Form::kAngles) k.height_known = true;
  if (p.m.form == Form::kFix) k.height_known |= p.height_known;
  if (moves && k.claim >= 0) Shadow(claims_[k.claim], p.m);
  if (moves) Observe(c.track, p.m, static_cast<uint64_t>(p.sequence), p.m.t == c.t && p.m.t >= k.t ? &states_[index] : nullptr);
  Heard(c.track, p.received);
  if (cold.plotted_by == p.m.sensor && k.life == Life::kConfirmed && !s.headed) s.LearnRevisit(p.m.t - cold.plotted);
  cold.plotted_by = p.m.sensor;
  cold.plotted = std::max(cold.plotted, p.m.t);
  cold.plots++;
  if (k.claim >= 0) {
    claims_[k.claim].misses = 0;
    Judge(claims_[k.claim], k);
  }
  Answered(p, k.number);
  if (k.life != Life::kTentative) return;
  bool alone = k.claim >= 0 || StandsBeside(index);
  if (!alone || k.Existence() <= set_.confirm_existence || !HasHits(c.track, set_.confirm_hits)) return;
  if (k.origin == Origin::kCrossing && k.emitter < 0 && k.hits < set_.bearing_hits) return;
  Confirm(candidates_[index].track);
}

/// Whether an anonymous track is more than the shadow of an aircraft that tells where it is: near one of those it must
/// have been seen beside it, each with a plot of its own in the same look.
inline bool Tracker::StandsBeside(int index) {
  // More candidates may come while these are looked at.
  const Candidate c = candidates_[index];
  const Gate own = gates_[index];
  bool crowded = false, apart = true;
  grid_.Near(Grid::kClaimed, own.p[0], own.p[1], 3 * std::sqrt(std::max(own.pp[0], own.pp[3])) + set_.slack_m, [&](int slot) {
    const Track& k = tracks_[slot];
    if (slot == c.track || !k.placed || k.life == Life::kResting) return;
    int other = CandidateOf(slot, c.t, 0.9);
    if (other < 0) return;
    const Gate& theirs = gates_[other];
    if (DistanceBetween(theirs.p, theirs.pp, own.p, own.pp, set_.slack_m) > set_.beside_gate) return;
    crowded = true;
    if (!HasPlot(slot)) apart = false;
  });
  if (!crowded) return true;
  if (apart) cold_[c.track].beside++;
  return cold_[c.track].beside >= set_.beside_looks;
}

/// The sensor looked at `t`; what it covers and has not seen since `since` is a little less likely there.
inline void Tracker::MissCovered(Sensor& s, double t, double since) {
  // A sweep is of many looks; else whoever has a plot of this one was seen.
  bool swept = s.rotating || !s.headed;
  for (int slot : live_) {
    if (!swept && HasPlot(slot)) continue;
    Track& k = tracks_[slot];
    if (!k.placed || k.life == Life::kResting || (!s.covers && k.origin != Origin::kCrossing)) continue;
    TrackCold& cold = cold_[slot];
    if (swept && (cold.plotted >= since || cold.born > since)) continue;
    if (cold.born > t) continue;
    const GaussianPair& g = k.imm.both;
    double dt = t - k.t, p[3];
    for (int a = 0; a < 3; a++) p[a] = g.p[a][0] + g.v[a][0] * dt;
    if (!Covers(s, p, std::sqrt(std::max(g.pp[0][0], g.pp[3][0])))) continue;
    Age(k, t, IsClaimed(k, t), set_, decays_);
    dunlin::Weigh(k, 1 - s.detection);
    // A claim that no sensor bore out yet is not hidden time and again: it is not there.
    if (k.claim >= 0 && cold.plots < 3) k.hidden *= set_.hidden_doubt;
    if (k.life == Life::kConfirmed) k.dirty = true;
    if (k.claim >= 0) {
      claims_[k.claim].misses++;
      Judge(claims_[k.claim], k);
    }
  }
}

inline void Tracker::BeginFromPlot(Sensor& s, Plot& p) {
  if (p.m.form == Form::kPlane) {
    // A slant range without a height: taken as flying low, and said to be unsure.
    Measurement m = p.m;
    double range = std::max(m.z[2], 2 * kAssumedHeightM);
    double sd = (s.level ? kAssumedHeightSdM : kMostSdHeightM) / range;
    m.z[1] = std::asin(kAssumedHeightM / range);
    m.r[1] = 0;
    m.r[3] = sd * sd;
    m.form = Form::kPlace;
    PlaceOfPolar(s, m);
    int slot = Begin(m, Origin::kPlot, p.received);
    if (slot < 0) return;
    Track& k = tracks_[slot];
    k.shown = set_.birth_least;
    k.hidden = 0;
    Heard(slot, p.received);
    cold_[slot].plots = 1;
    cold_[slot].plotted = p.m.t;
    Answered(p, k.number);
    return;
  }
  if (!IsPlace(p.m.form)) return Answered(p, p.m.form == Form::kBearing ? TakeStray(p) : 0);
  if (KeepsShadow(p)) return Answered(p, 0);
  int slot = Begin(p.m, Origin::kPlot, p.received);
  if (slot < 0) return;
  Track& k = tracks_[slot];
  k.height_known = p.m.form == Form::kPlace || p.height_known;
  k.shown = std::clamp(set_.birth_density / (set_.birth_density + p.density), set_.birth_least, set_.birth_most);
  k.hidden = 0;
  Heard(slot, p.received);
  cold_[slot].plots = 1;
  cold_[slot].plotted = p.m.t;
  Answered(p, k.number);
}

/// Learns a radar's offset from a plot of an aircraft that tells its own place.
inline void Tracker::Calibrate(Sensor& s, const Plot& p, int index) {
  const Candidate& c = candidates_[index];
  const Gate& gate = gates_[index];
  const Track& k = tracks_[c.track];
  if (p.m.form != Form::kPlace && p.m.form != Form::kPlane) return;
  if (k.claim < 0 || k.life != Life::kConfirmed || claims_[k.claim].verdict == Verdict::kSuspect) return;
  if (c.t - claims_[k.claim].heard > 3) return;
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
