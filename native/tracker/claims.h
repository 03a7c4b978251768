// Those who say themselves where they are: their reports and what these do to their tracks.
#pragma once

#include "distance.h"
#include "input.h"
#include "tracker.h"

namespace dunlin {

inline constexpr double kBiasSamples = 8;

/// While a vehicle speaks over a link that proves it, by the time of arrival, nobody else speaks for it.
inline bool Tracker::SpeaksForAnother(Claim& c, const double* o) const {
  bool proven = o[kColAuthentic] == 1;
  if (proven) c.proven = now_;
  c.authentic = now_ - c.proven < set_.proven_s;
  return c.authentic && !proven;
}

inline void Tracker::TakeFix(const double* o) {
  int32_t index = static_cast<int32_t>(o[kColClaim]);
  if (!IsSaneFix(o)) {
    rejected_++;
    return Answered(o, 0);
  }
  Claim& c = claims_[index];
  Measurement m;
  bool height_known;
  FixOf(o, m, height_known);
  if (SpeaksForAnother(c, o)) return Answered(o, 0);
  c.heard = std::max(c.heard, o[kColTime]);
  c.reports++;
  if (c.track < 0) {
    int slot = BindingFor(c, m);
    if (slot >= 0) {
      GiveTrack(index, slot);
    } else {
      slot = Begin(m, Origin::kClaim, now_);
      if (slot < 0) return Answered(o, 0);
      SetClaim(slot, index);
      tracks_[slot].height_known = height_known;
      c.track = slot;
      Heard(slot, now_);
      Answered(o, tracks_[slot].number);
      return;
    }
  }
  UseFix(c.track, c, m, o, height_known);
}

inline void Tracker::UseFix(int slot, Claim& c, Measurement& m, const double* o, bool height_known) {
  Track& k = tracks_[slot];
  int32_t index = k.claim;
  Answered(o, k.number);
  size_t answer = answers_.size() - 1;
  if (!k.placed || k.life == Life::kResting) {
    k.height_known |= height_known;
    if (k.life == Life::kResting) k.life = Life::kConfirmed;
    Place(slot, m);
    Heard(slot, now_);
    if (HasHits(slot, set_.confirm_hits)) Confirm(slot);
    return;
  }
  Gaussian truth;
  if (!c.authentic && FindShadowAgain(c, m)) Heard(slot, now_);
  // What sensors see is held against words, not against a vehicle's own proven telemetry: beside another aircraft they
  // may have seen that one.
  if (!c.authentic && FreshShadow(c, m.t, truth)) {
    Measurement vague = m;
    for (double& r : vague.r) r *= SourceNoise(m.sensor);
    if (height_known && DistanceTo(truth, m.z, vague.r, set_.conflict_slack_m) > set_.conflict_gate) {
      Heard(slot, now_);
      if (++c.conflicts >= set_.conflict_reports) {
        SplitOff(index, m, height_known);
        answers_[answer].number = tracks_[c.track].number;
      }
      return;
    }
    if (ChangeOver(index, slot, m, truth)) {
      answers_[answer].number = tracks_[c.track].number;
      return UseFixOn(c.track, c, m, o, height_known);
    }
    LearnNoise(index, truth, m);
  } else if (m.t > k.t) {
    double dt = m.t - k.t, metres = 0;
    for (int i = 0; i < 2; i++) metres += (m.z[i] - k.imm.both.p[i][0]) * (m.z[i] - k.imm.both.p[i][0]);
    if (std::sqrt(metres) > set_.jump_m + 3 * std::sqrt(m.r[0]) + set_.max_speed_mps * dt) {
      Place(slot, m);
      Heard(slot, now_);
      if (c.authentic) return;
      c.verdict = Verdict::kSuspect;
      c.reasons |= kJump;
      return;
    }
  }
  UseFixOn(slot, c, m, o, height_known);
}

/// Updates the claim's track with what it says, as far as it is believed.
inline void Tracker::UseFixOn(int slot, Claim& c, Measurement& m, const double* o, bool height_known) {
  Track& k = tracks_[slot];
  c.conflicts = 0;
  if (!height_known) {
    double up[3], off = 0;
    UpAt(m.z, up);
    for (int i = 0; i < 3; i++) off += up[i] * (k.imm.both.p[i][0] - m.z[i]);
    for (int i = 0; i < 3; i++) m.z[i] += up[i] * off;
  }
  k.height_known |= height_known;
  if (c.samples >= kBiasSamples) {
    for (int i = 0; i < 3; i++) {
      // The sensors' own error moves slowly too: it does not average out of the mean.
      double variance = c.bias_variance[i] + m.r[kSym[i][i]] * set_.noise_ewma / (2 - set_.noise_ewma);
      if (c.bias[i] * c.bias[i] > set_.offset_sigma * set_.offset_sigma * variance) {
        m.z[i] -= c.bias[i];
        m.r[kSym[i][i]] += variance;
      }
    }
  }
  for (double& r : m.r) r *= c.noise;
  Observe(slot, m, static_cast<uint64_t>(Sequence(o)), nullptr);
  Heard(slot, now_);
  if (k.life == Life::kTentative && HasHits(slot, set_.confirm_hits)) Confirm(slot);
  if (!c.authentic) LookForDouble(k.claim, slot, m);
}

inline void Tracker::JoinClaims(int32_t from, int32_t into) {
  if (from == into || from < 0 || into < 0 || from >= limits_.claims || into >= limits_.claims) return;
  Claim &a = claims_[from], &b = claims_[into];
  if (a.track >= 0 && b.track >= 0) {
    Track &gone = tracks_[a.track], &kept = tracks_[b.track];
    kept.hits += gone.hits;
    kept.dirty = true;
    Finish(a.track, EndReason::kMerged, kept.number);
  } else if (a.track >= 0) {
    int slot = a.track;
    b = a;
    SetClaim(slot, into);
  }
  a = Claim{};
}

inline void Tracker::ForgetClaim(int32_t claim) {
  if (claim < 0 || claim >= limits_.claims) return;
  int slot = claims_[claim].track;
  if (slot >= 0) SetClaim(slot, -1);
  claims_[claim] = Claim{};
}

}  // namespace dunlin
