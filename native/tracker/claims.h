// Those who say themselves where they are: which track they are, how far they are believed, when they are not.
#pragma once

#include "input.h"
#include "tracker.h"

namespace dunlin {

inline constexpr double kBiasSamples = 8;

/// Moves a state by `dt` of either sign; back in time it grows as vague as forward.
inline void Carry(Gaussian& g, double dt, double q) {
  double up[3];
  UpAt(g.p, up);
  if (dt >= 0) return Predict(g, dt, q, up);
  for (int i = 0; i < 3; i++) g.v[i] = -g.v[i];
  for (double& c : g.pv) c = -c;
  Predict(g, -dt, q, up);
  for (int i = 0; i < 3; i++) g.v[i] = -g.v[i];
  for (double& c : g.pv) c = -c;
}

/// Squared Mahalanobis distance between a place with covariance `r`, widened by `slack`, and a state.
inline double DistanceTo(const Gaussian& g, const double* z, const Sym3& r, double slack) {
  double s[6], inverse[6], log_det, y[3];
  for (int i = 0; i < 6; i++) s[i] = g.pp[i] + r[i];
  s[0] += slack * slack;
  s[3] += slack * slack;
  s[5] += slack * slack;
  for (int i = 0; i < 3; i++) y[i] = z[i] - g.p[i];
  return Invert(s, inverse, log_det) ? Quadratic(inverse, y) : 1e9;
}

/// The same of velocities, where one is told; nobody's is better than 1 m/s.
inline double VelocityDistance(const Gaussian& g, const Measurement& m) {
  if (!(m.rv[0] > 0)) return 0;
  double s[6], inverse[6], log_det, y[3];
  for (int i = 0; i < 6; i++) s[i] = g.vv[i] + m.rv[i] + (i == 0 || i == 3 || i == 5);
  for (int i = 0; i < 3; i++) y[i] = m.v[i] - g.v[i];
  return Invert(s, inverse, log_det) ? Quadratic(inverse, y) : 1e9;
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
  c.authentic = o[kColAuthentic] == 1;
  c.heard = std::max(c.heard, o[kColTime]);
  c.reports++;
  if (c.track < 0) {
    int slot = BindingFor(c, m);
    if (slot >= 0) {
      Take(index, slot);
    } else {
      slot = Begin(m, Origin::kClaim, now_);
      if (slot < 0) return Answered(o, 0);
      tracks_[slot].claim = index;
      tracks_[slot].height_known = height_known;
      c.track = slot;
      Heard(slot, now_);
      Answered(o, tracks_[slot].number);
      return;
    }
  }
  UseFix(c.track, c, m, o, height_known);
}

inline bool Tracker::FreshShadow(const Claim& c, double t, Gaussian& at) const {
  if (c.shadow_plots < 3 || std::fabs(t - c.shadow_t) > set_.sensed_s) return false;
  at = c.shadow;
  Carry(at, t - c.shadow_t, 8);
  return true;
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
  if (FreshShadow(c, m.t, truth)) {
    if (height_known && DistanceTo(truth, m.z, m.r, set_.conflict_slack_m) > set_.conflict_gate) {
      Heard(slot, now_);
      if (++c.conflicts >= set_.conflict_reports && !c.authentic) {
        SplitOff(index, m, height_known);
        answers_[answer].number = tracks_[c.track].number;
      }
      return;
    }
    if (!c.authentic && ChangeOver(index, slot, m, truth)) {
      answers_[answer].number = tracks_[c.track].number;
      return UseFixOn(c.track, c, m, o, height_known);
    }
    LearnNoise(c, truth, m);
  } else if (m.t > k.t + 0.0) {
    double dt = m.t - k.t, metres = 0;
    const Gaussian& g = k.imm.model[0];
    for (int i = 0; i < 2; i++) metres += (m.z[i] - g.p[i]) * (m.z[i] - g.p[i]);
    if (std::sqrt(metres) > set_.jump_m + 3 * std::sqrt(m.r[0]) + set_.max_speed_mps * dt) {
      Place(slot, m);
      Heard(slot, now_);
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
    for (int i = 0; i < 3; i++) off += up[i] * (k.imm.model[0].p[i] - m.z[i]);
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

/// The anonymous track that a claim first heard is without doubt: near, and no other nearly as near.
inline int Tracker::BindingFor(const Claim& c, const Measurement& m) const {
  if (c.authentic) return -1;
  return Nearest(m, set_.slack_m, -1).Sure(set_.bind_gate, set_.bind_margin);
}

/// The anonymous confirmed track that is likeliest to be where and as fast as somebody says.
inline Nearby Tracker::Nearest(const Measurement& m, double slack, int except) const {
  Nearby found;
  double radius = std::sqrt(set_.gate * std::max(m.r[0], m.r[3])) + 3 * slack + 30 * std::max(0.0, now_ - m.t);
  grid_.Near(m.z[0], m.z[1], radius, [&](int slot) {
    const Track& k = tracks_[slot];
    if (slot == except || k.claim >= 0 || k.life == Life::kResting || !k.placed) return;
    Imm imm;
    if (!StateAt(slot, m.t, imm)) return;
    Gaussian g;
    Combined(imm, g);
    double d2 = DistanceTo(g, m.z, m.r, slack) + VelocityDistance(g, m);
    // What is not confirmed is no answer, and yet a reason for doubt.
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

/// A claim that fits an anonymous track beside its own better, report after report, was given to the wrong one of two
/// that fly side by side: it changes over. True where it did.
inline bool Tracker::ChangeOver(int index, int slot, const Measurement& m, const Gaussian& own) {
  Claim& c = claims_[index];
  Nearby other = Nearest(m, set_.slack_m, slot);
  if (other.slot < 0 || m.t - cold_[other.slot].plotted > set_.sensed_s) {
    c.change = 0;
    return false;
  }
  double mine = DistanceTo(own, m.z, m.r, set_.slack_m) + VelocityDistance(own, m);
  uint32_t number = tracks_[other.slot].number;
  if (c.change_to != number) c.change = 0;
  c.change_to = number;
  c.change = std::max(0.0, 0.9 * c.change + mine - other.least);
  if (c.change < set_.change_over) return false;
  LeaveTrack(index);
  Take(index, other.slot);
  partings_.push_back({index, tracks_[slot].number, number});
  return true;
}

/// A claim that sensors do not see where it says, beside an anonymous track that flies as it says: the same aircraft,
/// once that has held for some seconds.
inline void Tracker::LookForDouble(int index, int slot, const Measurement& m) {
  Claim& c = claims_[index];
  if (m.t - cold_[slot].plotted < 1.5 * longest_period_ && cold_[slot].plots > 0) {
    c.rival = 0;
    return;
  }
  int other = Nearest(m, 2 * set_.slack_m, slot).Sure(set_.merge_gate, set_.merge_margin);
  if (other < 0) {
    c.rival = 0;
    return;
  }
  uint32_t number = tracks_[other].number;
  if (c.rival != number) {
    c.rival = number;
    c.rival_since = m.t;
  }
  if (m.t - c.rival_since >= set_.merge_s) Join(index, slot, other);
}

/// The anonymous track `into` takes on the claim of `from`; the older name stays.
inline void Tracker::Join(int index, int from, int into) {
  Claim& c = claims_[index];
  Track &a = tracks_[from], &b = tracks_[into];
  Combined(b.imm, c.shadow);
  c.shadow_t = b.t;
  c.shadow_plots = cold_[into].plots;
  c.rival = 0;
  c.verdict = Verdict::kUnchecked;
  c.reasons = 0;
  bool older = a.life == Life::kConfirmed && a.number < b.number;
  uint32_t kept = older ? a.number : b.number, gone = older ? b.number : a.number;
  a.claim = -1;
  b.claim = index;
  c.track = into;
  b.hits += a.hits;
  b.heard = std::max(a.heard, b.heard);
  b.number = kept;
  a.number = gone;
  cold_[into].dirty = true;
  Finish(from, EndReason::kMerged, kept);
  Judge(c, b);
}

/// Gives a claim an anonymous track, which is from now on what sensors alone see of it.
inline void Tracker::Take(int index, int slot) {
  Claim& c = claims_[index];
  tracks_[slot].claim = index;
  c.track = slot;
  Combined(tracks_[slot].imm, c.shadow);
  c.shadow_t = tracks_[slot].t;
  c.shadow_plots = cold_[slot].plots;
  c.error = {};
  c.samples = c.change = 0;
  c.noise = 1;
}

/// Takes a claim from its track, which is left as sensors alone see it.
inline void Tracker::LeaveTrack(int index) {
  Claim& c = claims_[index];
  Track& k = tracks_[c.track];
  k.claim = -1;
  Forget(c.track);
  for (Gaussian& g : k.imm.model) g = c.shadow;
  k.t = c.shadow_t;
  Measurement seen{};
  seen.form = Form::kPlace;
  seen.t = k.t;
  for (int i = 0; i < 3; i++) seen.z[i] = c.shadow.p[i];
  for (int i = 0; i < 6; i++) seen.r[i] = c.shadow.pp[i];
  Remember(c.track, seen, 0);
  Locate(c.track, now_);
  cold_[c.track].dirty = true;
  c.track = -1;
}

/// The claim has left what the sensors see: their track stays without it, the claim goes its own way under suspicion.
inline void Tracker::SplitOff(int index, const Measurement& m, bool height_known) {
  Claim& c = claims_[index];
  uint32_t left = tracks_[c.track].number;
  LeaveTrack(index);
  c.conflicts = 0;
  c.shadow_plots = 0;
  c.error = {};
  c.noise = 1;
  c.samples = 0;
  c.verdict = Verdict::kSuspect;
  c.reasons |= kPositionDisagrees;
  int slot = Begin(m, Origin::kClaim, now_);
  c.track = slot;
  if (slot < 0) return;
  partings_.push_back({index, left, tracks_[slot].number});
  tracks_[slot].claim = index;
  tracks_[slot].height_known = height_known;
  Heard(slot, now_);
}

/// Learns from what sensors alone believe how far the claim's places scatter and lie beside.
inline void Tracker::LearnNoise(Claim& c, const Gaussian& truth, const Measurement& m) {
  double s[6], inverse[6], log_det, y[3];
  for (int i = 0; i < 3; i++) y[i] = m.z[i] - truth.p[i];
  for (int i = 0; i < 6; i++) s[i] = truth.pp[i] + m.r[i];
  if (!Invert(s, inverse, log_det)) return;
  double a = std::max(set_.noise_ewma, 1 / (c.samples + 2));
  double over = Quadratic(inverse, y) / 3;
  double excess = (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - truth.pp[0] - truth.pp[3] - truth.pp[5]) /
                  (m.r[0] + m.r[3] + m.r[5]);
  c.error.Learn(over, excess, a);
  Scatter& source = sensors_[m.sensor].error;
  source.Learn(over, excess, 0.02);
  // One aircraft's residuals are few and move together: they must stand out further than those of all it shares a
  // source with.
  bool known = c.samples >= set_.noise_samples && c.error.over > set_.noise_stands_out;
  double noise = known ? c.error.scale
                 : source.over > set_.source_stands_out ? source.scale : 1;
  c.noise = std::clamp(noise, 1.0, set_.noise_most);
  for (int i = 0; i < 3; i++) {
    c.bias[i] += a * (y[i] - c.bias[i]);
    c.bias_variance[i] += a * (truth.pp[kSym[i][i]] - c.bias_variance[i]);
  }
  c.samples++;
}

inline void Tracker::JoinClaims(int32_t from, int32_t into) {
  if (from == into || from < 0 || into < 0 || from >= limits_.claims || into >= limits_.claims) return;
  Claim &a = claims_[from], &b = claims_[into];
  if (a.track >= 0 && b.track >= 0) {
    Track &gone = tracks_[a.track], &kept = tracks_[b.track];
    kept.hits += gone.hits;
    cold_[b.track].dirty = true;
    Finish(a.track, EndReason::kMerged, kept.number);
  } else if (a.track >= 0) {
    int slot = a.track;
    b = a;
    tracks_[slot].claim = into;
  }
  a = Claim{};
}

inline void Tracker::ForgetClaim(int32_t claim) {
  if (claim < 0 || claim >= limits_.claims) return;
  int slot = claims_[claim].track;
  if (slot >= 0) tracks_[slot].claim = -1;
  claims_[claim] = Claim{};
}

/// The same aircraft as sensors alone see it.
inline void Tracker::Shadow(Claim& c, const Measurement& m) {
  if (c.shadow_plots == 0 || std::fabs(m.t - c.shadow_t) > 10) {
    if (m.form != Form::kPlace) return;
    Gaussian& g = c.shadow;
    g = Gaussian{};
    for (int i = 0; i < 3; i++) g.p[i] = m.z[i];
    for (int i = 0; i < 6; i++) g.pp[i] = m.r[i];
    for (int i = 0; i < 3; i++) g.vv[kSym[i][i]] = set_.speed_sd_mps * set_.speed_sd_mps;
    c.shadow_t = m.t;
    c.shadow_plots = 1;
    return;
  }
  if (m.t < c.shadow_t) return;
  Gaussian g = c.shadow;
  double up[3];
  UpAt(g.p, up);
  Predict(g, m.t - c.shadow_t, 8, up);
  if (Update(g, m, sensors_.data()) <= kImpossible || !IsSound(g)) return;
  c.shadow = g;
  c.shadow_t = m.t;
  c.shadow_plots++;
}

inline void Tracker::Judge(Claim& c, const Track& k) {
  if (cold_[c.track].plots >= 3 && c.misses == 0 && !(c.reasons & kPositionDisagrees)) {
    c.verdict = Verdict::kConsistent;
    c.reasons = 0;
    return;
  }
  if (c.authentic) return;
  double gone = 1 - k.shown - k.hidden;
  if (gone > set_.ghost_verdict && c.misses >= set_.ghost_misses) {
    c.verdict = Verdict::kSuspect;
    c.reasons |= kNotSeenBySensor;
    cold_[c.track].dirty = true;
  }
}

}  // namespace dunlin
