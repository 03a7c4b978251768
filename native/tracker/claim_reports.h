// Effects of reports by cooperative transmitters (claims) on tracks.
#pragma once

#include "binding.h"
#include "observation.h"

namespace dunlin {

class ClaimReports {
 public:
  ClaimReports(const Settings& set, const Frame& site, TrackTable& tracks, Claims& claims, LifeCycle& life, ClaimBinding& binding,
               Outcomes& outcomes)
      : set_(set), site_(site), tracks_(tracks), claims_(claims), life_(life), binding_(binding), outcomes_(outcomes) {}

  /// Whether an observation has a valid claim index.
  bool IsOfClaim(const double* o) const { return claims_.HasRoomFor(o[kObservedClaim]); }
  /// Processes a reported position, received at `now`, s.
  void TakePosition(const double* o, double now);
  /// Processes a report without a position. It keeps the claim's track alive, or opens a track without a position.
  void TakeSign(const double* o, double now);

 private:
  void Use(int slot, Claim& c, Measurement& m, const double* o, bool height_known, double now);
  /// Updates the claim's track with a report, corrected by the learnt errors of the claim.
  void Update(int slot, Claim& c, Measurement& m, const double* o, bool height_known, double now);

  const Settings& set_;
  const Frame& site_;
  TrackTable& tracks_;
  Claims& claims_;
  LifeCycle& life_;
  ClaimBinding& binding_;
  Outcomes& outcomes_;
};

inline void ClaimReports::TakePosition(const double* o, double now) {
  int32_t index = static_cast<int32_t>(o[kObservedClaim]);
  if (!IsSaneFix(o)) return outcomes_.Reject(o);
  Claim& c = claims_.Use(index);
  Measurement m;
  bool height_known;
  FixOf(o, site_, m, height_known);
  if (claims_.SpeaksForAnother(c, o[kObservedAuthentic] == 1, now)) return outcomes_.Answered(o, 0);
  c.received = std::max(c.received, o[kObservedTimeS]);
  c.reports++;
  if (m.form == Form::kTrack) {
    c.fused_by = m.sensor;
    c.fused_at = m.t;
  }
  if (c.track < 0) {
    int slot = binding_.TrackFor(c, m, now);
    if (slot >= 0) {
      binding_.GiveTrack(index, slot);
    } else {
      slot = life_.Begin(m, Origin::kClaim, EvidenceTime(o, m, now), now);
      if (slot < 0) return outcomes_.Answered(o, 0);
      tracks_.SetClaim(slot, index);
      if (height_known) tracks_.NoteHeight(slot, EvidenceTime(o, m, now), true);
      c.track = slot;
      c.located = 0;
      tracks_.AddHit(slot, now);
      outcomes_.Answered(o, tracks_[slot].number);
      return;
    }
  }
  Use(c.track, c, m, o, height_known, now);
}

inline void ClaimReports::Use(int slot, Claim& c, Measurement& m, const double* o, bool height_known, double now) {
  Track& k = tracks_[slot];
  int32_t index = k.claim;
  outcomes_.Answered(o, k.number);
  size_t answer = outcomes_.Latest();
  if (!k.placed || k.life == Life::kResting) {
    if (height_known) tracks_.NoteHeight(slot, now, true);
    if (k.life == Life::kResting) k.life = Life::kConfirmed;
    tracks_.Place(slot, m, now);
    tracks_.AddHit(slot, now);
    if (tracks_.HasHits(slot, set_.confirm_hits)) life_.Confirm(slot, now);
    return;
  }
  Gaussian truth;
  if (!c.authentic && binding_.FindEstimateAgain(c, m)) tracks_.AddHit(slot, now);
  // Contradictions by sensors count against a claim, but not against authenticated telemetry of a vehicle: the sensors
  // may have seen another aircraft beside the vehicle.
  if (!c.authentic && c.sensor_only.At(m.t, set_.sensed_s, truth)) {
    Measurement vague = m;
    for (double& r : vague.r) r *= claims_.SourceNoise(m.sensor);
    if (height_known && DistanceTo(truth, m.z, vague.r, set_.conflict_slack_m) > set_.conflict_gate) {
      tracks_.AddHit(slot, now);
      if (++c.conflicts >= set_.conflict_reports) {
        int own = binding_.SplitOff(index, m, height_known, now);
        outcomes_.Readdress(answer, own >= 0 ? tracks_[own].number : 0);
      }
      return;
    }
    if (binding_.ChangeOver(index, slot, m, truth, now)) {
      outcomes_.Readdress(answer, tracks_[c.track].number);
      return Update(c.track, c, m, o, height_known, now);
    }
    // A position from another fusion system has that system's errors, from which nothing can be learnt about the
    // transmitter.
    if (m.form != Form::kTrack) claims_.LearnNoise(index, truth, m);
  } else if (m.t > k.t) {
    double dt = m.t - k.t, metres = 0;
    for (int i = 0; i < 2; i++) metres += (m.z[i] - k.imm.both.p[i][0]) * (m.z[i] - k.imm.both.p[i][0]);
    if (std::sqrt(metres) > set_.jump_m + 3 * std::sqrt(m.r[0]) + set_.max_speed_mps * dt) {
      tracks_.Place(slot, m, now);
      tracks_.AddHit(slot, now);
      if (c.authentic) return;
      c.verdict = Verdict::kSuspect;
      c.reasons |= kSuspectReasonJump;
      return;
    }
  }
  Update(slot, c, m, o, height_known, now);
}

inline void ClaimReports::Update(int slot, Claim& c, Measurement& m, const double* o, bool height_known, double now) {
  Track& k = tracks_[slot];
  c.conflicts = 0;
  if (!height_known) {
    double up[3], off = 0;
    UpAt(m.z, up);
    for (int i = 0; i < 3; i++) off += up[i] * (k.imm.both.p[i][0] - m.z[i]);
    for (int i = 0; i < 3; i++) m.z[i] += up[i] * off;
  }
  if (height_known) tracks_.NoteHeight(slot, EvidenceTime(o, m, now), true);
  bool fused = m.form == Form::kTrack;
  if (!fused) claims_.Correct(c, m);
  tracks_.Observe(slot, m, static_cast<uint64_t>(Sequence(o)), nullptr, now);
  fused ? tracks_.AddFused(slot, EvidenceTime(o, m, now)) : tracks_.AddHit(slot, now);
  if (k.life == Life::kTentative && tracks_.HasHits(slot, set_.confirm_hits)) life_.Confirm(slot, now);
  if (!c.authentic) binding_.JoinDouble(k.claim, slot, m, now);
}

inline void ClaimReports::TakeSign(const double* o, double now) {
  if (!IsOfClaim(o)) return outcomes_.Answered(o, 0);
  int32_t index = static_cast<int32_t>(o[kObservedClaim]);
  Claim& c = claims_.Use(index);
  if (claims_.SpeaksForAnother(c, o[kObservedAuthentic] == 1, now)) return outcomes_.Answered(o, 0);
  c.received = now;
  if (c.track < 0) {
    c.track = life_.Open(Origin::kClaim, now);
    if (c.track < 0) return outcomes_.Answered(o, 0);
    c.located = 0;
    tracks_.SetClaim(c.track, index);
  }
  tracks_.AddHit(c.track, now);
  if (tracks_.HasHits(c.track, set_.confirm_hits)) life_.Confirm(c.track, now);
  outcomes_.Answered(o, tracks_[c.track].number);
}

}  // namespace dunlin
