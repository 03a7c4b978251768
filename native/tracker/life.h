// Tracks begin, are confirmed, rest and go.
#pragma once

#include "tracker.h"

namespace dunlin {

/// In the grid a track reaches so much farther than its gate.
inline constexpr double kReachMoreM = 15;
/// A place in the grid holds so long: until then the track is found wherever it may have flown, s. At every whole second
/// all tracks are put anew, see Sweep.
inline constexpr double kLocatedS = 1;

/// Silent for so long, a track may be the beginning of one that was just confirmed.
inline constexpr double kStitchFromS = 2;

/// To be called whenever a track's state is another one.
inline void Tracker::Chart(int slot) {
  const Track& k = tracks_[slot];
  const GaussianPair& g = k.imm.both;
  int i = k.imm.calm >= 0.5 ? 0 : 1;
  double reach = std::sqrt(set_.gate * std::max(g.pp[0][i], g.pp[3][i])) + kReachMoreM;
  double speed = std::sqrt(g.v[0][i] * g.v[0][i] + g.v[1][i] * g.v[1][i]);
  courses_[slot] = {k.t, {g.p[0][i], g.p[1][i]}, {g.v[0][i], g.v[1][i]}, speed, reach, std::max(g.vv[0][i], g.vv[3][i])};
}

/// Puts the track where it is believed to be from `t` on into the grid.
inline void Tracker::Locate(int slot, double t) {
  const Track& k = tracks_[slot];
  if (!k.placed || k.life == Life::kResting) return grid_.Remove(slot);
  const Course& c = courses_[slot];
  double half = kLocatedS / 2, dt = std::max(0.0, t - c.t) + half, end = dt + half;
  double reach = c.reach + c.speed * half + 4.6 * end * std::sqrt(c.spread + set_.q_wild * end / 3);
  grid_.Put(slot, c.p[0] + c.v[0] * dt, c.p[1] + c.v[1] * dt, reach, k.claim >= 0 ? Grid::kClaimed : Grid::kAnonymous);
}

/// Whether at `t` the track flies within so many metres of a place along the ground.
inline bool Tracker::IsWithin(int slot, const double* place, double t, double metres) const {
  const Course& c = courses_[slot];
  double e = c.p[0] + c.v[0] * (t - c.t) - place[0], n = c.p[1] + c.v[1] * (t - c.t) - place[1];
  return e * e + n * n <= metres * metres;
}

/// Who claims to be the track; −1 for nobody.
inline void Tracker::SetClaim(int slot, int32_t claim) {
  tracks_[slot].claim = claim;
  grid_.SetKind(slot, claim >= 0 ? Grid::kClaimed : Grid::kAnonymous);
}

inline int Tracker::Open(Origin origin, double heard) {
  if (free_.empty()) MakeRoom();
  if (free_.empty()) return -1;
  int slot = free_.back();
  free_.pop_back();
  Track& k = tracks_[slot];
  k = Track{};
  k.number = ++last_number_;
  k.claim = k.emitter = -1;
  k.life = Life::kTentative;
  k.origin = origin;
  k.heard = heard;
  k.t = k.existence_t = heard;
  k.shown = 1 - set_.ghost_prior - set_.hidden_prior;
  k.hidden = set_.hidden_prior;
  TrackCold& cold = cold_[slot];
  cold = TrackCold{};
  seen_[slot] = 0;
  cold.born = heard;
  k.dirty = true;
  live_.push_back(slot);
  return slot;
}

/// First or anew: the state is what this one measurement says.
inline void Tracker::Place(int slot, const Measurement& m) {
  Track& k = tracks_[slot];
  Forget(slot);
  Gaussian g{};
  double up[3];
  UpAt(m.z, up);
  bool moving = m.form == Form::kFix && m.rv[0] > 0;
  double speed = set_.speed_sd_mps * set_.speed_sd_mps, climb = set_.climb_sd_mps * set_.climb_sd_mps;
  for (int i = 0; i < 3; i++) {
    g.p[i] = m.z[i];
    g.v[i] = moving ? m.v[i] : 0;
  }
  for (int i = 0, s = 0; i < 3; i++)
    for (int j = i; j < 3; j++, s++) {
      g.pp[s] = m.r[s];
      g.vv[s] = moving ? m.rv[s] : (i == j) * speed + (climb - speed) * up[i] * up[j];
    }
  for (int i : {0, 1}) SetModel(k.imm, i, g);
  k.imm.calm = set_.calm_at_birth;
  k.imm.habit = set_.calm_odds;
  k.t = m.t;
  k.placed = true;
  Remember(slot, m, 0);
  Chart(slot);
  Locate(slot, now_);
}

inline int Tracker::Begin(const Measurement& m, Origin origin, double heard) {
  int slot = Open(origin, heard);
  if (slot < 0) return -1;
  tracks_[slot].existence_t = m.t;
  Place(slot, m);
  return slot;
}

inline void Tracker::Heard(int slot, double received) {
  Track& k = tracks_[slot];
  k.heard = std::max(k.heard, received);
  cold_[slot].hits[k.hits % 8] = received;
  k.hits++;
  k.dirty = true;
}

/// Whether the last hits came close enough on each other's heels.
inline bool Tracker::HasHits(int slot, double needed) const {
  uint32_t count = static_cast<uint32_t>(std::clamp(needed, 1.0, 8.0)), hits = tracks_[slot].hits;
  if (hits < needed) return false;
  const double* times = cold_[slot].hits;
  return times[(hits - 1) % 8] - times[(hits - count) % 8] <= set_.confirm_window_s;
}

/// Whether the look at hand gave it a plot of its own.
inline bool Tracker::HasPlot(int slot) const {
  return seen_[slot] == stamp_;
}

inline void Tracker::Confirm(int slot) {
  Track& k = tracks_[slot];
  if (k.life == Life::kConfirmed) return;
  k.life = Life::kConfirmed;
  k.dirty = true;
  if (k.placed && k.claim < 0) Stitch(slot);
}

/// A new track that begins where a silent one would be by now is that one: the old name stays.
inline void Tracker::Stitch(int slot) {
  Track& k = tracks_[slot];
  Gaussian here;
  Combined(k.imm, here);
  int best = -1;
  double least = set_.stitch_gate;
  for (int other : silent_) {
    Track& o = tracks_[other];
    if (other == slot || o.life != Life::kConfirmed || !o.placed || o.claim >= 0 || HasPlot(other)) continue;
    double gap = k.t - o.t;
    if (!(gap > kStitchFromS) || gap > set_.stitch_s || o.t > cold_[slot].born) continue;
    Gaussian g;
    Combined(o.imm, g);
    double up[3], s[6], inverse[6], det, y[3];
    UpAt(g.p, up);
    Predict(g, gap, set_.stitch_q, up);
    for (int i = 0; i < 3; i++) y[i] = here.p[i] - g.p[i];
    for (int i = 0; i < 6; i++) s[i] = g.pp[i] + here.pp[i];
    if (!Invert(s, inverse, det)) continue;
    double d2 = Quadratic(inverse, y);
    if (d2 < least) {
      least = d2;
      best = other;
    }
  }
  if (best < 0) return;
  Track& o = tracks_[best];
  TrackCold &mine = cold_[slot], &theirs = cold_[best];
  Forget(best);
  o.imm = k.imm;
  o.t = k.t;
  o.heard = k.heard;
  o.existence_t = k.existence_t;
  o.shown = k.shown;
  o.hidden = k.hidden;
  o.hits += k.hits;
  o.dirty = true;
  theirs.first = mine.first;
  theirs.last = mine.last;
  theirs.plotted = mine.plotted;
  theirs.plots += mine.plots;
  theirs.entries = mine.entries;
  mine.first = mine.last = -1;
  mine.entries = 0;
  Chart(best);
  Locate(best, now_);
  Finish(slot, EndReason::kMerged, o.number);
}

/// While a claim spoke, that it was not seen could only mean that it was hidden. Now it may as well have ended.
inline void Tracker::FallSilent(Track& k) const {
  k.hidden *= set_.hidden_kept;
}

/// Whether somebody says, now, that it is there.
inline bool Tracker::IsClaimed(const Track& k, double t) const {
  return k.claim >= 0 && t - claims_[k.claim].heard < set_.claim_fresh_s;
}

/// The chance that it is there, within 100 m of the place told; `g` is its state as of now.
inline double Tracker::Confidence(int slot, double now, const Gaussian& g) const {
  const Track& k = tracks_[slot];
  if (!k.placed) return 0;
  double there = IsClaimed(k, now) ? 1 : k.Existence(), silent = now - k.heard;
  // Nobody but itself told of it, and it tells no more.
  if (k.claim >= 0 && k.heard - cold_[slot].plotted > 10) there *= std::exp(-std::max(0.0, silent - 2) / set_.word_fades_s);
  return there * (1 - std::exp(-1e4 / (g.pp[0] + g.pp[3])));
}

inline State Tracker::StateOf(const Track& k, double now) const {
  if (k.life == Life::kTentative) return State::kTentative;
  if (k.life == Life::kResting) return State::kLost;
  return now - k.heard > set_.coast_s ? State::kCoasting : State::kConfirmed;
}

inline void Tracker::Sweep(double now) {
  bool second = std::floor(now) == now;
  for (Sensor& s : sensors_) {
    if (!s.Looks(now)) continue;
    s.missed = now;
    MissCovered(s, s.told_at, s.told_at - 1.25 * s.revisit);
  }
  if (second) grid_.ForgetReaches();
  silent_.clear();
  for (size_t i = 0; i < live_.size();) {
    int slot = live_[i];
    if (i + kLiveAhead < live_.size()) {
      Prefetch(tracks_[live_[i + kLiveAhead]].heard);
      Prefetch(courses_[live_[i + kLiveAhead]]);
    }
    Track& k = tracks_[slot];
    double silent = now - k.heard;
    bool claimed = IsClaimed(k, now);
    if (k.claimed && !claimed) FallSilent(k);
    k.claimed = claimed;
    if (k.placed && k.life != Life::kResting && now > k.existence_t + 1) Age(k, now - 1, claimed, set_, decays_);
    bool gone = false;
    if (k.life == Life::kTentative) {
      bool doubtful = k.claim < 0 && k.placed && k.Existence() < set_.tentative_existence;
      gone = doubtful || silent > (k.claim >= 0 ? set_.confirm_window_s : set_.tentative_s);
    } else if (k.life == Life::kResting) {
      gone = silent > set_.close_s;
    } else if (silent > set_.lost_s || (!claimed && k.placed && k.Existence() < set_.confirmed_existence)) {
      Rest(slot);
    }
    if (gone) {
      Finish(slot, EndReason::kClosed, 0);
      continue;
    }
    if (second) Locate(slot, now);
    if (k.life == Life::kConfirmed && k.placed && k.claim < 0 && now - courses_[slot].t > kStitchFromS) silent_.push_back(slot);
    State state = StateOf(k, now);
    if (state != k.told || (second && state == State::kCoasting)) k.dirty = true;
    i++;
  }
}

/// Silent for so long that nothing but its own word brings it back.
inline void Tracker::Rest(int slot) {
  tracks_[slot].life = Life::kResting;
  tracks_[slot].dirty = true;
  Forget(slot);
  grid_.Remove(slot);
}

inline void Tracker::Finish(int slot, EndReason reason, uint32_t into) {
  Track& k = tracks_[slot];
  if (k.life == Life::kFree) return;
  if (k.claim >= 0) claims_[k.claim].track = -1;
  ends_.push_back({k.number, reason, into});
  Forget(slot);
  grid_.Remove(slot);
  k.life = Life::kFree;
  live_.erase(std::find(live_.begin(), live_.end(), slot));
  free_.push_back(slot);
}

/// The least believed makes room: what no sensor ever saw and nobody claims for long first, then the longest unheard.
inline void Tracker::MakeRoom() {
  int victim = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int slot : live_) {
    const Track& k = tracks_[slot];
    double rank = k.life == Life::kTentative ? 0 : k.life == Life::kResting ? 1e12 : 2e12;
    if (k.life != Life::kTentative && cold_[slot].plots >= 3) rank += 1e13;
    if (k.claim >= 0 && claims_[k.claim].authentic) rank += 1e14;
    if (rank + k.heard < least) {
      least = rank + k.heard;
      victim = slot;
    }
  }
  if (victim >= 0) Finish(victim, EndReason::kDropped, 0);
}

inline bool Tracker::Restore(uint32_t number, int32_t claim, double heard) {
  if (free_.empty() || claim >= limits_.claims) return false;
  uint32_t last = last_number_;
  int slot = Open(Origin::kClaim, heard);
  Track& k = tracks_[slot];
  k.number = number;
  last_number_ = std::max(last, number);
  k.life = Life::kResting;
  k.claim = claim;
  k.told = State::kLost;
  k.dirty = false;  // it is shown where it was last known to be
  if (claim >= 0) {
    claims_[claim].track = slot;
    claims_[claim].heard = heard;
  }
  return true;
}

inline bool Tracker::Drop(uint32_t number) {
  int slot = SlotOf(number);
  if (slot < 0) return false;
  Finish(slot, EndReason::kDropped, 0);
  return true;
}

}  // namespace dunlin
