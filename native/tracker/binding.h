// Binding of claims to tracks: first contact, duplicates, change to another track, separation.
#pragma once

#include <utility>

#include "distance.h"
#include "life.h"
#include "plot.h"

namespace dunlin {

/// Least horizontal distance, m, at which a claimed track counts as apart from its sensor-only estimate. Two standard
/// deviations of the estimate are added in quadrature.
inline constexpr double kApartM = 30;

/// Time for which a track counts as reported by a fusion system after the system's last report, s: more than two
/// intervals of 1 s.
inline constexpr double kFusedBesideS = 2.5;

/// The likeliest of several confirmed tracks, with its distance, and the least distance of all other tracks, confirmed
/// or not.
struct Nearby {
  int slot = -1;
  double least = 1e18, second = 1e18;  // squared Mahalanobis distances
  bool none = false;                   // whether a search was made, and found no anonymous track at all

  /// Returns the likeliest track if its distance is below `gate` and that of every other track is greater by more than
  /// `margin`; else −1.
  int Sure(double gate, double margin) const { return least < gate && second - least > margin ? slot : -1; }
};

class ClaimBinding {
 public:
  ClaimBinding(const Settings& set, const Sensors& sensors, TrackTable& tracks, Claims& claims, LifeCycle& life, Outcomes& outcomes)
      : set_(set), sensors_(sensors), tracks_(tracks), claims_(claims), life_(life), outcomes_(outcomes) {}

  /// Returns the anonymous track that a claim without a track belongs to: the one near the reported position. −1 if
  /// there is none, or if a second one is nearly as near. Always −1 for an authentic claim, and for one that sensors did
  /// not see where it was alone (`Claim::ghost`).
  int TrackFor(const Claim& c, const Measurement& m, double now) const;
  /// Binds a claim to an anonymous track. The state of the track becomes the claim's sensor-only estimate.
  void GiveTrack(int claim, int slot);
  /// Moves a claim to a neighbouring anonymous track once that track fits the claim's reports better by `change_over`,
  /// accumulated over reports. This corrects a claim that was bound to the wrong one of two aircraft side by side.
  /// `own` is the claim's sensor-only estimate. Returns whether the claim moved.
  bool ChangeOver(int claim, int slot, const Measurement& m, const Gaussian& own, double now);
  /// Binds a claim to a neighbouring anonymous track that flies as the claim reports, and ends the claim's own track.
  /// Requires `merge_s` seconds in which no sensor saw the claim's own track, and in which the neighbour stayed the best
  /// fit; `ghost_merge_s` beside a stranger (`Claim::stranger`).
  void JoinDouble(int claim, int slot, const Measurement& m, double now);
  /// Separates a claim from the aircraft that sensors see elsewhere. The track of the sensors remains without the
  /// claim, and the claim gets a suspect track of its own. Returns the slot of the new track; −1 if there is no
  /// room.
  int SplitOff(int claim, const Measurement& m, bool height_known, double now);

  /// Updates the sensor-only estimate of a claim with a plot that agrees with this estimate, but not with the claim's
  /// reports. False if no claim has such an estimate.
  bool GivePlotToEstimate(const Plot& p);
  /// Continues a claim's sensor-only estimate after sensors lost the aircraft. The estimate takes over an anonymous
  /// track that is at the predicted position of the aircraft and far from the reported position. False if there is no
  /// such track.
  bool FindEstimateAgain(Claim& c, const Measurement& m);

  /// Merges claim `from` into claim `into`. If both have tracks, these are merged too; if only one has a track, `into`
  /// gets it.
  void JoinClaims(int32_t from, int32_t into);
  /// Resets a claim; its track becomes anonymous.
  void ForgetClaim(int32_t claim);
  /// Merges two tracks; false if a track does not exist, both are the same, or both have claims.
  bool MergeTracks(uint32_t number, uint32_t into);

 private:
  /// Returns the anonymous confirmed track that best fits a reported position and velocity. Finds none if the standard
  /// deviation of the position exceeds `bind_sd_m`. `slack` is an additional standard deviation, m. `except` is the
  /// slot of a track that is left out, −1 for none. If it is not −1, tracks that the sender of `m`, a fusion system,
  /// reports separately are left out too.
  Nearby Nearest(const Measurement& m, double slack, int except, double now) const;
  /// Whether the sender of `m`, a fusion system, reports the anonymous track at `slot` separately. The report and the
  /// track are then two aircraft.
  bool IsFusedBeside(int slot, const Measurement& m) const {
    const TrackCold& cold = tracks_.cold(slot);
    return m.form == Form::kTrack && cold.fused_by == m.sensor && m.t - cold.born - cold.fused_at < kFusedBesideS;
  }
  void Adopt(int claim, int from, int into);
  void LeaveTrack(int claim, double now);

  const Settings& set_;
  const Sensors& sensors_;
  TrackTable& tracks_;
  Claims& claims_;
  LifeCycle& life_;
  Outcomes& outcomes_;
};

inline Nearby ClaimBinding::Nearest(const Measurement& m, double slack, int except, double now) const {
  Nearby found;
  // A position with a standard deviation above bind_sd_m would fit too many tracks.
  if (std::max(m.r[0], m.r[3]) > set_.bind_sd_m * set_.bind_sd_m) return found;
  found.none = true;
  double radius = std::sqrt(set_.gate * std::max(m.r[0], m.r[3])) + 3 * slack + 30 * std::max(0.0, now - m.t);
  tracks_.grid().Near(Grid::kAnonymous, m.z[0], m.z[1], radius, [&](int slot) {
    const Track& k = tracks_[slot];
    if (slot == except) return;
    found.none = false;
    if (k.life == Life::kResting || !k.placed || (except >= 0 && IsFusedBeside(slot, m))) return;
    Imm imm;
    if (!tracks_.StateAt(slot, m.t, imm)) return;
    Gaussian g;
    Combined(imm, g);
    double d2 = DistanceTo(g, m.z, m.r, slack) + VelocityDistance(g, m);
    // A track that is not confirmed cannot be chosen, but its presence makes a choice doubtful.
    if (k.life == Life::kConfirmed && (d2 < found.least || (d2 == found.least && slot < found.slot))) {
      found.second = found.least;
      found.least = d2;
      found.slot = slot;
    } else if (d2 < found.second) {
      found.second = d2;
    }
  });
  return found;
}

inline int ClaimBinding::TrackFor(const Claim& c, const Measurement& m, double now) const {
  if (c.authentic || c.ghost) return -1;
  return Nearest(m, set_.slack_m, -1, now).Sure(set_.bind_gate, set_.bind_margin);
}

inline bool ClaimBinding::ChangeOver(int index, int slot, const Measurement& m, const Gaussian& own, double now) {
  Claim& c = claims_[index];
  Nearby other = Nearest(m, set_.slack_m, slot, now);
  if (other.slot < 0 || m.t - tracks_.cold(other.slot).plotted > set_.sensed_s) {
    c.change = 0;
    return false;
  }
  double mine = DistanceTo(own, m.z, m.r, set_.slack_m) + VelocityDistance(own, m);
  uint32_t number = tracks_[other.slot].number;
  if (c.change_to != number) c.change = 0;
  c.change_to = number;
  c.change = std::max(0.0, 0.9 * c.change + mine - other.least);
  if (c.change < set_.change_over) return false;
  LeaveTrack(index, now);
  GiveTrack(index, other.slot);
  outcomes_.Parted({index, tracks_[slot].number, number});
  return true;
}

inline void ClaimBinding::JoinDouble(int index, int slot, const Measurement& m, double now) {
  Claim& c = claims_[index];
  // A claim that was separated from a track lately is not bound to a track that it merely passes.
  if (m.t - c.parted < set_.parted_s) return;
  if (m.t - tracks_.cold(slot).plotted < 1.5 * sensors_.longest_period() && tracks_.cold(slot).plots > 0) {
    c.rival = 0;
    return;
  }
  Nearby near = Nearest(m, 2 * set_.slack_m, slot, now);
  // A track that began beside the claim is no stranger, but the claim's own aircraft, which came into view.
  c.stranger = c.ghost && near.slot >= 0 && tracks_.cold(near.slot).born <= c.alone;
  // A stranger must be where the claim says, with half the slack; a neighbour 60 m beside it is not.
  if (c.stranger) near = Nearest(m, set_.slack_m / 2, slot, now);
  int other = near.Sure(set_.merge_gate, set_.merge_margin);
  if (other < 0) {
    c.rival = 0;
    if (near.none && !c.stranger && (c.reasons & kSuspectReasonNotSeenBySensor)) {
      c.ghost = true;
      c.alone = m.t;
    }
    return;
  }
  uint32_t number = tracks_[other].number;
  if (c.rival != number) {
    c.rival = number;
    c.rival_since = m.t;
  }
  if (m.t - c.rival_since >= (c.stranger ? set_.ghost_merge_s : set_.merge_s)) Adopt(index, slot, other);
}

/// Binds the claim of track `from` to the anonymous track `into` and ends `from`. The result has the number of `from`
/// if that track is confirmed and has the lower number; else the number of `into`.
inline void ClaimBinding::Adopt(int index, int from, int into) {
  Claim& c = claims_[index];
  Track &a = tracks_[from], &b = tracks_[into];
  c.located = tracks_.cold(into).plots;
  c.sensor_only.Set(b.imm, b.t, c.located);
  c.rival = 0;
  c.ghost = c.stranger = false;
  c.verdict = Verdict::kUnchecked;
  c.reasons = 0;
  bool older = a.life == Life::kConfirmed && a.number < b.number;
  uint32_t kept = older ? a.number : b.number, gone = older ? b.number : a.number;
  tracks_.SetClaim(from, -1);
  tracks_.SetClaim(into, index);
  c.track = into;
  tracks_.TakeHits(into, from);
  b.received = std::max(a.received, b.received);
  b.number = kept;
  a.number = gone;
  b.dirty = true;
  life_.Finish(from, EndReason::kMerged, kept);
  claims_.Judge(c, b);
}

/// The merged track has the number `into`, and the claim of the track that has one. Its state is that of the track
/// received last, or of the only one with a position.
inline bool ClaimBinding::MergeTracks(uint32_t number, uint32_t into) {
  int kept = tracks_.SlotOf(into), gone = tracks_.SlotOf(number);
  if (kept < 0 || gone < 0 || kept == gone || (tracks_[kept].claim >= 0 && tracks_[gone].claim >= 0)) return false;
  if (tracks_[gone].placed && (!tracks_[kept].placed || tracks_[gone].received > tracks_[kept].received)) {
    std::swap(kept, gone);
    std::swap(tracks_[kept].number, tracks_[gone].number);
  }
  Track &k = tracks_[kept], &g = tracks_[gone];
  if (g.claim >= 0) {
    int claim = g.claim;
    g.claim = -1;
    if (k.placed) {
      GiveTrack(claim, kept);
    } else {
      k.claim = claim;
      claims_[claim].track = kept;
      claims_[claim].located = 0;
    }
  }
  if (k.life == Life::kTentative && g.life != Life::kTentative) k.life = Life::kConfirmed;
  tracks_.TakeHits(kept, gone);
  k.received = std::max(k.received, g.received);
  tracks_.cold(kept).plots += tracks_.cold(gone).plots;
  if (k.claim >= 0) claims_[k.claim].located += tracks_.cold(gone).plots;
  k.dirty = true;
  life_.Finish(gone, EndReason::kMerged, into);
  return true;
}

inline void ClaimBinding::GiveTrack(int index, int slot) {
  Claim& c = claims_[index];
  tracks_.SetClaim(slot, index);
  c.track = slot;
  c.located = tracks_.cold(slot).plots;
  c.sensor_only.Set(tracks_[slot].imm, tracks_[slot].t, c.located);
  c.error = {};
  c.samples = c.change = 0;
  c.noise = 1;
  c.ghost = c.stranger = false;
}

/// Separates a claim from its track. The track continues with the state of the claim's sensor-only estimate.
inline void ClaimBinding::LeaveTrack(int index, double now) {
  Claim& c = claims_[index];
  tracks_.SetClaim(c.track, -1);
  tracks_.Reset(c.track, c.sensor_only.state(), c.sensor_only.t(), now);
  c.track = -1;
}

inline int ClaimBinding::SplitOff(int index, const Measurement& m, bool height_known, double now) {
  Claim& c = claims_[index];
  uint32_t left = tracks_[c.track].number;
  LeaveTrack(index, now);
  c.conflicts = 0;
  c.ghost = c.stranger = false;
  c.parted = m.t;
  c.sensor_only.Lose();
  c.error = {};
  c.noise = 1;
  c.samples = 0;
  c.verdict = Verdict::kSuspect;
  c.reasons |= kSuspectReasonPositionDisagrees;
  int slot = life_.Begin(m, Origin::kClaim, now, now);
  c.track = slot;
  c.located = 0;
  if (slot < 0) return slot;
  outcomes_.Parted({index, left, tracks_[slot].number});
  tracks_.SetClaim(slot, index);
  if (height_known) tracks_.NoteHeight(slot, now, true);
  tracks_.AddHit(slot, now);
  return slot;
}

inline bool ClaimBinding::GivePlotToEstimate(const Plot& p) {
  int best = -1;
  double least = set_.stitch_gate;
  tracks_.grid().Near(Grid::kClaimed, p.m.z[0], p.m.z[1], set_.shadow_m, [&](int slot) {
    const Track& k = tracks_[slot];
    const Claim& c = claims_[k.claim];
    if (c.authentic || p.m.t < c.sensor_only.t() || !tracks_.IsWithin(slot, p.m.z, p.m.t, set_.shadow_m)) return;
    Gaussian at;
    if (!c.sensor_only.At(p.m.t, set_.sensed_s, at)) return;
    double apart2 = 0, d2 = DistanceTo(at, p.m.z, p.m.r, 0);
    for (int i = 0; i < 2; i++) apart2 += std::pow(k.imm.both.p[i][0] - at.p[i], 2);
    // The estimate must be apart from the claimed track. If the two coincide, the plot belongs to another object beside
    // them.
    if (d2 < least && apart2 > 4 * std::max(at.pp[0], at.pp[3]) + kApartM * kApartM) {
      least = d2;
      best = slot;
    }
  });
  if (best < 0) return false;
  claims_[tracks_[best].claim].sensor_only.Update(p.m, sensors_, set_);
  return true;
}

inline bool ClaimBinding::FindEstimateAgain(Claim& c, const Measurement& m) {
  double gap = m.t - c.sensor_only.t();
  if (c.sensor_only.plots() < SensorOnlyEstimate::kPlots || c.misses < 2 || gap < 1 || gap > 2 * set_.sensed_s) return false;
  Gaussian at = c.sensor_only.After(gap);
  int best = -1;
  double least = set_.stitch_gate;
  tracks_.grid().Near(Grid::kAnonymous, at.p[0], at.p[1], set_.shadow_m, [&](int slot) {
    const Track& k = tracks_[slot];
    if (!k.placed || k.life == Life::kResting || tracks_.cold(slot).plots < 2 || !tracks_.IsWithin(slot, at.p, m.t, set_.shadow_m)) return;
    Gaussian g;
    Combined(k.imm, g);
    double d2 = DistanceTo(at, g.p, g.pp, 0);
    if (d2 < least && DistanceTo(g, m.z, m.r, set_.conflict_slack_m) > set_.conflict_gate / 2) {
      least = d2;
      best = slot;
    }
  });
  if (best < 0) return false;
  c.sensor_only.Set(tracks_[best].imm, tracks_[best].t, c.sensor_only.plots() + tracks_.cold(best).plots);
  uint32_t heir = tracks_[c.track].number;
  life_.Finish(best, EndReason::kMerged, heir);
  return true;
}

inline void ClaimBinding::JoinClaims(int32_t from, int32_t into) {
  if (from == into || !claims_.Has(from) || !claims_.HasRoomFor(into)) return;
  Claim &b = claims_.Use(into), &a = claims_[from];
  if (a.track >= 0 && b.track >= 0) {
    Track& kept = tracks_[b.track];
    tracks_.TakeHits(b.track, a.track);
    kept.dirty = true;
    life_.Finish(a.track, EndReason::kMerged, kept.number);
  } else if (a.track >= 0) {
    int slot = a.track;
    b = a;
    tracks_.SetClaim(slot, into);
  }
  a = Claim{};
}

inline void ClaimBinding::ForgetClaim(int32_t claim) {
  if (!claims_.Has(claim)) return;
  int slot = claims_[claim].track;
  if (slot >= 0) tracks_.SetClaim(slot, -1);
  claims_[claim] = Claim{};
}

}  // namespace dunlin
