// All tracks by slot: state, motion along the ground, position in the grid, history. Only this class changes the state
// of a track.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "evidence.h"
#include "grid.h"
#include "history.h"
#include "relayed.h"
#include "sensors.h"
#include "track.h"

namespace dunlin {

/// Margin by which the reach of a track in the grid exceeds its gate, m.
inline constexpr double kReachMoreM = 15;
/// Time for which a track's entry in the grid is valid, s: within this time a search finds the track wherever it may
/// have flown. LifeCycle::Sweep renews the entries of all tracks every whole second.
inline constexpr double kLocatedS = 1;

class TrackTable {
 public:
  TrackTable(const Settings& set, const Sensors& sensors, int tracks, int history, uint32_t last_number)
      : set_(set), sensors_(sensors), capacity_(tracks), last_number_(last_number), history_(history), grid_(tracks) {
    tracks_.reserve(tracks);
    cold_.reserve(tracks);
    courses_.reserve(tracks);
    seen_.reserve(tracks);
    live_.reserve(tracks);
    free_.reserve(tracks);
  }

  Track& operator[](int slot) { return tracks_[slot]; }
  const Track& operator[](int slot) const { return tracks_[slot]; }
  TrackCold& cold(int slot) { return cold_[slot]; }
  const TrackCold& cold(int slot) const { return cold_[slot]; }
  const Course& course(int slot) const { return courses_[slot]; }
  const History& history() const { return history_; }
  Grid& grid() { return grid_; }
  const Grid& grid() const { return grid_; }
  int capacity() const { return capacity_; }
  /// Number of slots that a track has used since the start.
  int used() const { return static_cast<int>(tracks_.size()); }
  /// Slots in use, in the order in which their tracks began.
  const std::vector<int>& live() const { return live_; }
  bool IsFull() const { return free_.empty() && used() == capacity_; }

  /// Returns the slot of the track with a number; −1 if there is none.
  int SlotOf(uint32_t number) const {
    for (int slot : live_)
      if (tracks_[slot].number == number) return slot;
    return -1;
  }

  /// Opens a tentative track without a position, received at `received`, s; returns its slot. The table must not be
  /// full.
  int Open(Origin origin, double received);
  /// Opens a track with the number that it had in an earlier run.
  int Reopen(uint32_t number, Origin origin, double received);
  /// Frees the slot of a track.
  void Close(int slot);

  /// Sets the state of a track from one measurement alone, for the first time or again. `now`: s.
  void Place(int slot, const Measurement& m, double now);
  /// Updates a track with a measurement. `predicted` is the state at m.t if already computed, else null; the call
  /// modifies it. Returns false if the measurement is too late or cannot belong to the track, or the state would become
  /// invalid.
  bool Observe(int slot, const Measurement& m, uint64_t sequence, Imm* predicted, double now);
  /// Sets the state to a Gaussian as of `t`, s, and begins the history anew.
  void Reset(int slot, const Gaussian& g, double t, double now);
  /// Updates the track with a velocity `v`, m/s, of covariance `r`, as measured at the time of the state.
  void TakeVelocityHint(int slot, const double* v, const Sym3& r);
  /// Moves state, probabilities and history of track `from` to `slot`. Track `from` is the same aircraft and is ending.
  void TakeOver(int slot, int from, double now);
  /// Deletes the history of a track.
  void Forget(int slot) { history_.Clear(cold_[slot].history); }

  /// Computes the state as of `t`, s. False if `t` is before the oldest entry of the track's history.
  bool StateAt(int slot, double t, Imm& out) const;
  /// Returns the state as of `t`, s, blended from both models.
  Gaussian At(int slot, double t) const {
    Imm imm;
    PredictImm(tracks_[slot].imm, t - tracks_[slot].t, set_, decays_, imm);
    Gaussian g;
    Combined(imm, g);
    return g;
  }

  /// Enters the track in the grid at its predicted position; valid from `t`, s, for kLocatedS.
  void Locate(int slot, double t);
  /// Returns the horizontal position at `t`, s, in m.
  std::array<double, 2> GroundAt(int slot, double t) const {
    const Course& c = courses_[slot];
    return {c.p[0] + c.v[0] * (t - c.t), c.p[1] + c.v[1] * (t - c.t)};
  }
  /// Whether the track is within `metres` of a position along the ground at `t`, s.
  bool IsWithin(int slot, const double* place, double t, double metres) const {
    std::array<double, 2> at = GroundAt(slot, t);
    double e = at[0] - place[0], n = at[1] - place[1];
    return e * e + n * n <= metres * metres;
  }

  /// Sets the claim of a track; −1 for none. A height that only a claim reported leaves with the claim.
  void SetClaim(int slot, int32_t claim) {
    Track& k = tracks_[slot];
    if (claim < 0) k.height_known = k.height_sensed;
    k.claim = claim;
    grid_.SetKind(slot, claim >= 0 ? Grid::kClaimed : Grid::kAnonymous);
  }

  // Evidence about the track of a slot; see evidence.h.
  void AddHit(int slot, double received) { dunlin::AddHit(tracks_[slot], cold_[slot], received); }
  void AddFused(int slot, double received) { dunlin::AddFused(tracks_[slot], cold_[slot], received); }
  void TakeHits(int slot, int from) { dunlin::TakeHits(tracks_[slot], cold_[slot], tracks_[from], cold_[from]); }
  bool HasHits(int slot, double needed) const { return dunlin::HasHits(tracks_[slot], cold_[slot], needed, set_.confirm_window_s); }
  void NoteHeight(int slot, double received, bool by_claim) { dunlin::NoteHeight(tracks_[slot], cold_[slot], received, by_claim); }
  void ForgetOldHeight(int slot, double received) { dunlin::ForgetOldHeight(tracks_[slot], cold_[slot], received); }

  /// Advances the probabilities of existence to `t`, s; see dunlin::Age.
  void Age(Track& k, double t, bool claimed) const { dunlin::Age(k, t, claimed, set_, decays_); }
  /// Learnt factor on the rates at which silent tracks end.
  double ending() const { return decays_.ending; }
  void SetEnding(double factor) { decays_.ending = factor; }

  /// Begins the next scan, in which no track has a plot yet.
  void BeginScan() { scan_++; }
  /// Number of the current scan.
  uint32_t scan() const { return scan_; }
  void GivePlot(int slot) { seen_[slot] = scan_; }
  /// Whether the current scan gave the track a plot of its own.
  bool HasPlot(int slot) const { return seen_[slot] == scan_; }

 private:
  int TakeSlot();
  bool Take(int slot, const Measurement& m, uint64_t sequence, Imm* predicted, double now);
  bool ObserveLate(int slot, const Measurement& m, uint64_t sequence, double now);
  /// Updates a state with a measurement; false if the result is not valid.
  bool Learn(Imm& imm, const Measurement& m) const { return UpdateImm(imm, m, &sensors_[0], set_) && IsSound(imm.both); }
  void Remember(int slot, const Measurement& m, uint64_t sequence) {
    history_.Append(cold_[slot].history, m, sequence, tracks_[slot].imm, set_.late_s);
  }
  void Chart(int slot);

  const Settings& set_;
  const Sensors& sensors_;
  mutable Decays decays_;
  int capacity_;
  uint32_t last_number_, scan_ = 0;
  // By slot. Room is reserved for all, and a slot is constructed when a track first uses it: memory pages of the others
  // are never allocated.
  std::vector<Track> tracks_;
  std::vector<TrackCold> cold_;
  std::vector<Course> courses_;
  std::vector<uint32_t> seen_;  // number of the last scan that gave a plot to each slot
  History history_;
  Grid grid_;
  std::vector<int> free_, live_;  // free: slots whose tracks have ended
};

/// Takes the slot that was freed last, or one that no track has used.
inline int TrackTable::TakeSlot() {
  if (free_.empty()) {
    tracks_.emplace_back();
    cold_.emplace_back();
    courses_.emplace_back();
    seen_.push_back(0);
    return used() - 1;
  }
  int slot = free_.back();
  free_.pop_back();
  return slot;
}

inline int TrackTable::Open(Origin origin, double received) {
  int slot = TakeSlot();
  Track& k = tracks_[slot];
  k = Track{};
  k.number = ++last_number_;
  k.claim = k.emitter = -1;
  k.life = Life::kTentative;
  k.origin = origin;
  k.received = received;
  k.t = k.existence_t = received;
  k.shown = 1 - set_.ghost_prior - set_.hidden_prior;
  k.hidden = set_.hidden_prior;
  TrackCold& cold = cold_[slot];
  cold = TrackCold{};
  seen_[slot] = 0;
  cold.born = received;
  k.dirty = true;
  live_.push_back(slot);
  return slot;
}

inline int TrackTable::Reopen(uint32_t number, Origin origin, double received) {
  uint32_t last = last_number_;
  int slot = Open(origin, received);
  tracks_[slot].number = number;
  last_number_ = std::max(last, number);
  return slot;
}

inline void TrackTable::Close(int slot) {
  Forget(slot);
  grid_.Remove(slot);
  tracks_[slot].life = Life::kFree;
  live_.erase(std::find(live_.begin(), live_.end(), slot));
  free_.push_back(slot);
}

inline void TrackTable::Place(int slot, const Measurement& m, double now) {
  Track& k = tracks_[slot];
  Forget(slot);
  Gaussian g{};
  double up[3];
  UpAt(m.z, up);
  bool moving = IsReported(m.form) && m.rv[0] > 0;
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
  k.imm.climb = set_.climb_at_birth;
  k.imm.rising = 0;
  k.t = m.t;
  k.placed = true;
  Remember(slot, m, 0);
  Chart(slot);
  Locate(slot, now);
}

inline bool TrackTable::StateAt(int slot, double t, Imm& out) const {
  const Track& k = tracks_[slot];
  if (t >= k.t) {
    PredictImm(k.imm, t - k.t, set_, decays_, out);
    return true;
  }
  int32_t e = history_.At(cold_[slot].history, t);
  if (e < 0) return false;
  PredictImm(history_[e].after, t - history_.link(e).t, set_, decays_, out);
  return true;
}

inline bool TrackTable::Observe(int slot, const Measurement& m, uint64_t sequence, Imm* predicted, double now) {
  if (m.form != Form::kTrack || m.rv[0] <= 0 || !IsRelayed(history_, cold_[slot].history.last()))
    return Take(slot, m, sequence, predicted, now);
  Measurement relayed = m;
  relayed.form = Form::kRelayed;
  return Take(slot, relayed, sequence, predicted, now);
}

inline bool TrackTable::Take(int slot, const Measurement& m, uint64_t sequence, Imm* predicted, double now) {
  Track& k = tracks_[slot];
  if (m.t < k.t) return ObserveLate(slot, m, sequence, now);
  Imm moved;
  if (!predicted) {
    PredictImm(k.imm, m.t - k.t, set_, decays_, moved);
    predicted = &moved;
  }
  if (!Learn(*predicted, m)) return false;
  if (m.form == Form::kRelayed) IntersectOthers(*predicted, m, history_, cold_[slot].history.last(), set_, decays_);
  k.imm = *predicted;
  k.t = m.t;
  Remember(slot, m, sequence);
  Chart(slot);
  Locate(slot, now);
  return true;
}

/// Inserts a late measurement at its time and applies the later ones again.
inline bool TrackTable::ObserveLate(int slot, const Measurement& m, uint64_t sequence, double now) {
  Track& k = tracks_[slot];
  if (m.t < k.t - set_.late_s) return false;
  int32_t entry = history_.Insert(cold_[slot].history, m, sequence);
  if (entry < 0) return false;
  int32_t at = history_.link(entry).before;
  for (int32_t i = entry; i >= 0; at = i, i = history_.link(i).next) {
    double dt = history_.link(i).t - history_.link(at).t;
    // A late measurement of a sensor of this box ends what was known by fusion systems alone.
    if (history_[i].m.form == Form::kRelayed && !IsRelayed(history_, at)) history_[i].m.form = Form::kTrack;
    PredictImm(history_[at].after, dt, set_, decays_, history_[i].after);
    // A measurement that cannot be applied is skipped: the state is only predicted to its time.
    if (!Learn(history_[i].after, history_[i].m)) PredictImm(history_[at].after, dt, set_, decays_, history_[i].after);
    else if (history_[i].m.form == Form::kRelayed) IntersectOthers(history_[i].after, history_[i].m, history_, at, set_, decays_);
  }
  k.imm = history_[at].after;
  k.t = history_.link(at).t;
  Chart(slot);
  Locate(slot, now);
  return true;
}

/// Resets a track to the sensor-only estimate. The history begins with that state as if it were measured at `t`.
inline void TrackTable::Reset(int slot, const Gaussian& g, double t, double now) {
  Track& k = tracks_[slot];
  Forget(slot);
  for (int i : {0, 1}) SetModel(k.imm, i, g);
  k.t = t;
  Measurement seen{};
  seen.form = Form::kPlace;
  seen.t = k.t;
  for (int i = 0; i < 3; i++) seen.z[i] = g.p[i];
  for (int i = 0; i < 6; i++) seen.r[i] = g.pp[i];
  Remember(slot, seen, 0);
  Chart(slot);
  Locate(slot, now);
  k.dirty = true;
}

inline void TrackTable::TakeVelocityHint(int slot, const double* v, const Sym3& r) {
  Track& k = tracks_[slot];
  UpdateVelocities(k.imm, v, r);
  int32_t newest = cold_[slot].history.last();
  if (newest >= 0) history_[newest].after = k.imm;
  Chart(slot);
}

inline void TrackTable::TakeOver(int slot, int from, double now) {
  Track &o = tracks_[slot], &k = tracks_[from];
  TrackCold &mine = cold_[from], &theirs = cold_[slot];
  Forget(slot);
  o.imm = k.imm;
  o.t = k.t;
  o.received = k.received;
  o.existence_t = k.existence_t;
  o.shown = k.shown;
  o.hidden = k.hidden;
  TakeHits(slot, from);
  TakeHeight(o, theirs, k, mine);
  o.dirty = true;
  theirs.history = std::exchange(mine.history, {});
  theirs.plotted = mine.plotted;
  theirs.plots += mine.plots;
  Chart(slot);
  Locate(slot, now);
}

/// Computes the `Course` of a track anew. Call it whenever the state of the track has changed.
inline void TrackTable::Chart(int slot) {
  const Track& k = tracks_[slot];
  const GaussianPair& g = k.imm.both;
  int i = k.imm.calm >= 0.5 ? 0 : 1;
  double reach = std::sqrt(set_.gate * std::max(g.pp[0][i], g.pp[3][i])) + kReachMoreM;
  double speed = std::sqrt(g.v[0][i] * g.v[0][i] + g.v[1][i] * g.v[1][i]);
  courses_[slot] = {k.t, {g.p[0][i], g.p[1][i]}, {g.v[0][i], g.v[1][i]}, speed, reach, std::max(g.vv[0][i], g.vv[3][i])};
}

inline void TrackTable::Locate(int slot, double t) {
  const Track& k = tracks_[slot];
  if (!k.placed || k.life == Life::kResting) return grid_.Remove(slot);
  const Course& c = courses_[slot];
  double half = kLocatedS / 2, dt = std::max(0.0, t - c.t) + half, end = dt + half;
  double reach = c.reach + c.speed * half + 4.6 * end * std::sqrt(c.spread + set_.q_wild * end / 3);
  grid_.Put(slot, c.p[0] + c.v[0] * dt, c.p[1] + c.v[1] * dt, reach, k.claim >= 0 ? Grid::kClaimed : Grid::kAnonymous);
}

}  // namespace dunlin
