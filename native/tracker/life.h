// Life cycle of tracks: beginning, confirmation, rest and end.
#pragma once

#include <limits>
#include <vector>

#include "claims.h"
#include "outcome.h"
#include "prefetch.h"
#include "silences.h"
#include "track_table.h"

namespace dunlin {

/// Least silence of a track, s, after which a newly confirmed track may be its continuation.
inline constexpr double kStitchFromS = 2;
/// A track counts as alone if no other track is within this distance, m.
inline constexpr double kAloneM = 100;
/// Number of tracks that a pass over all tracks prefetches ahead. The pass reads a little of each track, at distant
/// addresses.
inline constexpr size_t kLiveAhead = 16;

class LifeCycle {
 public:
  LifeCycle(const Settings& set, TrackTable& tracks, Claims& claims, Outcomes& outcomes)
      : set_(set), tracks_(tracks), claims_(claims), outcomes_(outcomes) {
    silent_.reserve(tracks.capacity());
  }

  /// Opens a track without a position, received at `received`, s. Returns its slot; −1 if there is no room.
  int Open(Origin origin, double received) {
    if (tracks_.IsFull()) MakeRoom();
    return tracks_.IsFull() ? -1 : tracks_.Open(origin, received);
  }
  /// Begins a track at a measured position. Returns its slot; −1 if there is no room.
  int Begin(const Measurement& m, Origin origin, double received, double now) {
    int slot = Open(origin, received);
    if (slot < 0) return -1;
    tracks_[slot].existence_t = m.t;
    tracks_.Place(slot, m, now);
    return slot;
  }
  /// Restores a track of an earlier run by its claim alone, without a position. False if there is no room, `claim` is
  /// too large, or `received`, s, is not finite: a track of unknown age would never be closed, nor make room.
  bool Restore(uint32_t number, int32_t claim, double received);
  /// Confirms a track. An anonymous track may turn out to be the continuation of a silent track, and is then merged
  /// into that track.
  void Confirm(int slot, double now);
  /// Ends a track; `into` is the number of the track that it was merged into, 0 for none.
  void Finish(int slot, EndReason reason, uint32_t into);
  /// Advances all tracks to `now`, s: probabilities, silences, states, ends. Called every quarter of a second.
  void Sweep(double now);

  TrackState StateOf(const Track& k, double now) const;
  /// Probability that the aircraft exists within 100 m of the reported position; `g` is its state as of `now`, s.
  double Confidence(int slot, double now, const Gaussian& g) const;

 private:
  void Stitch(int slot, double now);
  void FallSilent(Track& k) const;
  bool IsAlone(int slot, double now) const;
  bool IsGone(const Track& k, double silent) const;
  void Rest(int slot, double now);
  void MakeRoom();

  const Settings& set_;
  TrackTable& tracks_;
  Claims& claims_;
  Outcomes& outcomes_;
  Silences silences_;
  std::vector<int> silent_;  // slots of anonymous confirmed tracks, silent for kStitchFromS as of the last sweep
};

inline void LifeCycle::Confirm(int slot, double now) {
  Track& k = tracks_[slot];
  if (k.life == Life::kConfirmed) return;
  k.life = Life::kConfirmed;
  k.dirty = true;
  if (k.placed && k.claim < 0) Stitch(slot, now);
}

/// Merges a new track into a silent track that is predicted to be at the new track's position. The number of the silent
/// track is kept.
inline void LifeCycle::Stitch(int slot, double now) {
  Track& k = tracks_[slot];
  Gaussian here;
  Combined(k.imm, here);
  int best = -1;
  double least = set_.stitch_gate;
  for (int other : silent_) {
    Track& o = tracks_[other];
    if (other == slot || o.life != Life::kConfirmed || !o.placed || o.claim >= 0 || tracks_.HasPlot(other)) continue;
    double gap = k.t - o.t;
    if (!(gap > kStitchFromS) || gap > set_.stitch_s || o.t > tracks_.cold(slot).born) continue;
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
  tracks_.TakeOver(best, slot, now);
  Finish(slot, EndReason::kMerged, tracks_[best].number);
}

/// Reduces the probability that a track exists but is hidden. Called when the claim of the track falls silent. While
/// the claim reported, an unseen track could only be hidden; now it may have ended.
inline void LifeCycle::FallSilent(Track& k) const {
  k.hidden *= 1 - std::min(1.0, (1 - set_.hidden_kept) * tracks_.ending());
}

inline double LifeCycle::Confidence(int slot, double now, const Gaussian& g) const {
  const Track& k = tracks_[slot];
  if (!k.placed) return 0;
  double there = claims_.IsClaimed(k, now) ? 1 : k.Existence(), silent = now - k.received;
  // If no sensor saw the track during the last 10 s of its claim's reports, the confidence fades from 2 s after the
  // last report on.
  if (k.claim >= 0 && k.received - tracks_.cold(slot).plotted > 10) there *= std::exp(-std::max(0.0, silent - 2) / set_.word_fades_s);
  return there * (1 - std::exp(-1e4 / (g.pp[0] + g.pp[3])));
}

inline TrackState LifeCycle::StateOf(const Track& k, double now) const {
  if (k.life == Life::kTentative) return TrackState::kTentative;
  if (k.life == Life::kResting) return TrackState::kLost;
  return now - k.received > set_.coast_s ? TrackState::kCoasting : TrackState::kConfirmed;
}

inline void LifeCycle::Sweep(double now) {
  bool second = std::floor(now) == now;
  if (second) tracks_.grid().ForgetReaches();
  silent_.clear();
  for (size_t i = 0; i < tracks_.live().size();) {
    int slot = tracks_.live()[i];
    if (i + kLiveAhead < tracks_.live().size()) {
      Prefetch(tracks_[tracks_.live()[i + kLiveAhead]].received);
      Prefetch(tracks_.course(tracks_.live()[i + kLiveAhead]));
    }
    Track& k = tracks_[slot];
    double silent = now - k.received;
    bool claimed = claims_.IsClaimed(k, now);
    if (k.claimed && !claimed) FallSilent(k);
    k.claimed = claimed;
    if (k.placed && k.life != Life::kResting && now > k.existence_t + 1) tracks_.Age(k, now - 1, claimed);
    if (k.life == Life::kConfirmed && k.placed &&
        silences_.Watch(k, tracks_.cold(slot), now, set_, [&] { return IsAlone(slot, now); }))
      tracks_.SetEnding(silences_.ending());
    if (IsGone(k, silent)) {
      Finish(slot, EndReason::kClosed, 0);
      continue;
    }
    bool faded = !claimed && k.placed && k.Existence() < set_.confirmed_existence;
    if (k.life == Life::kConfirmed && (silent > set_.lost_s || faded)) Rest(slot, now);
    if (second) tracks_.Locate(slot, now);
    if (k.life == Life::kConfirmed && k.placed && k.claim < 0 && now - tracks_.course(slot).t > kStitchFromS) silent_.push_back(slot);
    TrackState state = StateOf(k, now);
    if (state != k.reported || (second && state == TrackState::kCoasting)) k.dirty = true;
    i++;
  }
}

/// Whether a tentative or resting track ends after `silent` seconds without evidence.
inline bool LifeCycle::IsGone(const Track& k, double silent) const {
  if (k.life == Life::kResting) return silent > set_.close_s;
  if (k.life != Life::kTentative) return false;
  bool doubtful = k.claim < 0 && k.placed && k.Existence() < set_.tentative_existence;
  return doubtful || silent > (k.claim >= 0 ? set_.confirm_window_s : set_.tentative_s);
}

/// Whether no other track is within kAloneM of this track's predicted position at `now`, s.
inline bool LifeCycle::IsAlone(int slot, double now) const {
  std::array<double, 2> place = tracks_.GroundAt(slot, now);
  bool alone = true;
  for (auto kind : {Grid::kAnonymous, Grid::kClaimed})
    tracks_.grid().Near(kind, place[0], place[1], kAloneM,
               [&](int other) { alone &= other == slot || !tracks_.IsWithin(other, place.data(), now, kAloneM); });
  return alone;
}

/// Puts a track to rest that was silent for `lost_s` seconds, or that has become too improbable. Only its claim can
/// revive it. A resting track is reported as lost.
inline void LifeCycle::Rest(int slot, double now) {
  Track& k = tracks_[slot];
  if (silences_.Rest(k, set_, [&] { return IsAlone(slot, now); })) tracks_.SetEnding(silences_.ending());
  k.life = Life::kResting;
  k.dirty = true;
  tracks_.Forget(slot);
  tracks_.grid().Remove(slot);
}

inline void LifeCycle::Finish(int slot, EndReason reason, uint32_t into) {
  Track& k = tracks_[slot];
  if (k.life == Life::kFree) return;
  if (k.claim >= 0) claims_[k.claim].track = -1;
  outcomes_.Ended({k.number, reason, into});
  tracks_.Close(slot);
}

/// Ends the least believed track to make room. The order: tentative tracks, tracks with fewer than three plots, all
/// others; in each class resting tracks come before confirmed ones. Tracks of authentic claims come last of all. Among
/// equals it ends the one that has been silent longest.
inline void LifeCycle::MakeRoom() {
  int victim = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int slot : tracks_.live()) {
    const Track& k = tracks_[slot];
    double rank = k.life == Life::kTentative ? 0 : k.life == Life::kResting ? 1e12 : 2e12;
    if (k.life != Life::kTentative && tracks_.cold(slot).plots >= 3) rank += 1e13;
    if (k.claim >= 0 && claims_[k.claim].authentic) rank += 1e14;
    if (rank + k.received < least) {
      least = rank + k.received;
      victim = slot;
    }
  }
  if (victim >= 0) Finish(victim, EndReason::kDropped, 0);
}

inline bool LifeCycle::Restore(uint32_t number, int32_t claim, double received) {
  if (tracks_.IsFull() || (claim >= 0 && !claims_.HasRoomFor(claim)) || !std::isfinite(received)) return false;
  int slot = tracks_.Reopen(number, Origin::kClaim, received);
  Track& k = tracks_[slot];
  k.life = Life::kResting;
  k.claim = claim;
  k.reported = TrackState::kLost;
  k.dirty = false;  // clients already have its last known position
  if (claim >= 0) {
    Claim& c = claims_.Use(claim);
    c.track = slot;
    c.received = received;
  }
  return true;
}

}  // namespace dunlin
