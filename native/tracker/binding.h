// Binding of claims to tracks: first contact, duplicates, changes to another track, splits.
#pragma once

#include <utility>

#include "distance.h"
#include "life.h"
#include "plot.h"

namespace dunlin {

/// Distance between a claim's track and its sensor-only estimate beyond which they are apart, m.
inline constexpr double kApartM = 30;

/// Time for which a track counts as reported by a fusion system after its last report, s: over two intervals of 1 s.
inline constexpr double kFusedBesideS = 2.5;

/// The likeliest of several tracks, and the distance of the next likeliest.
struct Nearby {
  int slot = -1;
  double least = 1e18, second = 1e18;  // squared Mahalanobis distances

  /// The likeliest track where it lies within `gate` and the next likeliest is more than `margin` worse; else −1.
  int Sure(double gate, double margin) const { return least < gate && second - least > margin ? slot : -1; }
};

class ClaimBinding {
 public:
  ClaimBinding(const Settings& set, const Sensors& sensors, TrackTable& tracks, Claims& claims, LifeCycle& life, Outcomes& outcomes)
      : set_(set), sensors_(sensors), tracks_(tracks), claims_(claims), life_(life), outcomes_(outcomes) {}

  /// The anonymous track that a claim without a track surely belongs to: near, and no other nearly as near. −1 for
  /// none.
  int TrackFor(const Claim& c, const Measurement& m, double now) const;
  /// Gives a claim an anonymous track. The track's state becomes the claim's sensor-only estimate.
  void GiveTrack(int claim, int slot);
  /// Moves a claim to a neighbouring anonymous track that fits its reports better over several reports: the claim then
  /// had the wrong one of two aircraft side by side. `own` is the claim's sensor-only estimate. Returns whether the
  /// claim moved.
  bool ChangeOver(int claim, int slot, const Measurement& m, const Gaussian& own, double now);
  /// Joins a claim with a neighbouring anonymous track that flies as the claim reports. The condition is that for some
  /// seconds no sensor sees an aircraft at the reported position.
  void JoinDouble(int claim, int slot, const Measurement& m, double now);
  /// Splits a claim that left the aircraft seen by sensors. The sensors' track stays without the claim, and the claim
  /// gets a suspect track of its own. Returns the slot of the new track; −1 where there is no room.
  int SplitOff(int claim, const Measurement& m, bool height_known, double now);

  /// Updates the sensor-only estimate of a claim with a plot that lies where this estimate expects it, and not where
  /// the claim reports. False where there is no such claim.
  bool GivePlotToEstimate(const Plot& p);
  /// Finds the sensor-only estimate of a claim again after sensors lost its aircraft. It is the track that sensors see
  /// where the aircraft would be by now, far from the reported position. False where there is none.
  bool FindEstimateAgain(Claim& c, const Measurement& m);

  /// Joins two claims: everything of `from` goes to `into`.
  void JoinClaims(int32_t from, int32_t into);
  /// Resets a claim; its track becomes anonymous.
  void ForgetClaim(int32_t claim);
  /// Merges two tracks; false where one does not exist or both are claimed.
  bool MergeTracks(uint32_t number, uint32_t into);

 private:
  /// The anonymous confirmed track that is likeliest to be at a reported position and velocity.
  Nearby Nearest(const Measurement& m, double slack, int except, double now) const;
  /// Whether the fusion system of a report also reports an anonymous track: the two are two aircraft.
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
  // A position with a greater standard deviation fits too many tracks.
  if (std::max(m.r[0], m.r[3]) > set_.bind_sd_m * set_.bind_sd_m) return found;
  double radius = std::sqrt(set_.gate * std::max(m.r[0], m.r[3])) + 3 * slack + 30 * std::max(0.0, now - m.t);
  tracks_.grid().Near(Grid::kAnonymous, m.z[0], m.z[1], radius, [&](int slot) {
    const Track& k = tracks_[slot];
    if (slot == except || k.life == Life::kResting || !k.placed || (except >= 0 && IsFusedBeside(slot, m))) return;
    Imm imm;
    if (!tracks_.StateAt(slot, m.t, imm)) return;
    Gaussian g;
    Combined(imm, g);
    double d2 = DistanceTo(g, m.z, m.r, slack) + VelocityDistance(g, m);
    // A track that is not confirmed cannot be chosen, but it still makes a choice doubtful.
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
  if (c.authentic) return -1;
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
  // A claim that was split off lately is not joined again because its path passes another aircraft.
  if (m.t - c.parted < set_.parted_s) return;
  if (m.t - tracks_.cold(slot).plotted < 1.5 * sensors_.longest_period() && tracks_.cold(slot).plots > 0) {
    c.rival = 0;
    return;
  }
  int other = Nearest(m, 2 * set_.slack_m, slot, now).Sure(set_.merge_gate, set_.merge_margin);
  if (other < 0) {
    c.rival = 0;
    return;
  }
  uint32_t number = tracks_[other].number;
  if (c.rival != number) {
    c.rival = number;
    c.rival_since = m.t;
  }
  if (m.t - c.rival_since >= set_.merge_s) Adopt(index, slot, other);
}

/// Gives the claim of track `from` to the anonymous track `into`, which keeps the older number. The number of a
/// tentative `from` is dropped.
inline void ClaimBinding::Adopt(int index, int from, int into) {
  Claim& c = claims_[index];
  Track &a = tracks_[from], &b = tracks_[into];
  c.sensor_only.Set(b.imm, b.t, tracks_.cold(into).plots);
  c.rival = 0;
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
  claims_.Judge(c, b, tracks_.cold(into).plots);
}

/// The track received last gives the state. The number `into` stays, and so does the claim of either.
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
    }
  }
  if (k.life == Life::kTentative && g.life != Life::kTentative) k.life = Life::kConfirmed;
  tracks_.TakeHits(kept, gone);
  k.received = std::max(k.received, g.received);
  tracks_.cold(kept).plots += tracks_.cold(gone).plots;
  k.dirty = true;
  life_.Finish(gone, EndReason::kMerged, into);
  return true;
}

inline void ClaimBinding::GiveTrack(int index, int slot) {
  Claim& c = claims_[index];
  tracks_.SetClaim(slot, index);
  c.track = slot;
  c.sensor_only.Set(tracks_[slot].imm, tracks_[slot].t, tracks_.cold(slot).plots);
  c.error = {};
  c.samples = c.change = 0;
  c.noise = 1;
}

/// Takes a claim from its track, which keeps the state of the sensor-only estimate.
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
  c.parted = m.t;
  c.sensor_only.Lose();
  c.error = {};
  c.noise = 1;
  c.samples = 0;
  c.verdict = Verdict::kSuspect;
  c.reasons |= kSuspectReasonPositionDisagrees;
  int slot = life_.Begin(m, Origin::kClaim, now, now);
  c.track = slot;
  if (slot < 0) return slot;
  outcomes_.Parted({index, left, tracks_[slot].number});
  tracks_.SetClaim(slot, index);
  tracks_[slot].height_known = height_known;
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
    // While estimate and claimed track are in one place, the plot belongs to another object beside them.
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
  if (from == into || !claims_.Has(from) || !claims_.Has(into)) return;
  Claim &a = claims_[from], &b = claims_[into];
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
