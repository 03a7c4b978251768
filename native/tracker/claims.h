// All claims, with the verdict on each and its learnt errors.
#pragma once

#include <vector>

#include "claim.h"
#include "sensors.h"
#include "track.h"

namespace dunlin {

/// Least number of comparisons with sensors before a claim's learnt offset is subtracted.
inline constexpr double kBiasSamples = 8;

class Claims {
 public:
  Claims(const Settings& set, Sensors& sensors, int most) : set_(set), sensors_(sensors), most_(most) { claims_.reserve(most); }

  Claim& operator[](int i) { return claims_[i]; }
  const Claim& operator[](int i) const { return claims_[i]; }
  /// Number of indices in use: one more than the highest one that was used.
  int used() const { return static_cast<int>(claims_.size()); }
  bool Has(int32_t i) const { return i >= 0 && i < used(); }
  bool HasRoomFor(double i) const { return i >= 0 && i < most_; }
  /// Returns the claim of an index for which there is room, whether it was used or not.
  Claim& Use(int32_t i) {
    if (i >= used()) claims_.resize(i + 1);
    return claims_[i];
  }

  /// Whether a recent report of the track's claim confirms the track at `t`, s.
  bool IsClaimed(const Track& k, double t) const { return k.claim >= 0 && t - claims_[k.claim].received < set_.claim_fresh_s; }

  /// Whether a report must be ignored: the vehicle itself reported over an authenticated link less than `proven_s` ago,
  /// and this report came over a link without authentication (`proven` is false). `now`: s.
  bool SpeaksForAnother(Claim& c, bool proven, double now) const {
    if (proven) c.proven = now;
    c.authentic = now - c.proven < set_.proven_s;
    if (c.authentic) c.ghost = c.stranger = false;
    return c.authentic && !proven;
  }

  /// Error variance of all claims that a sensor receives, in units of their declared variance, 1 to `noise_most`. It is
  /// 1 while the scatter is no greater than `source_stands_out`. With few claims it is also 1: the error of one claim
  /// would then look like an error of the sensor.
  double SourceNoise(int sensor) const {
    const Scatter& source = sensors_[sensor].error;
    bool many = source.alone < set_.source_alone;
    return many && source.over > set_.source_stands_out ? std::clamp(source.scale, 1.0, set_.noise_most) : 1;
  }

  /// Learns the scatter and the offset of a claim's positions by comparison with `truth`, the sensor-only estimate.
  void LearnNoise(int who, const Gaussian& truth, const Measurement& m) {
    Claim& c = claims_[who];
    double s[6], inverse[6], det, y[3];
    for (int i = 0; i < 3; i++) y[i] = m.z[i] - truth.p[i];
    for (int i = 0; i < 6; i++) s[i] = truth.pp[i] + m.r[i];
    if (!Invert(s, inverse, det)) return;
    double a = std::max(set_.noise_ewma, 1 / (c.samples + 2));
    double over = Quadratic(inverse, y) / 3;
    double excess = (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - truth.pp[0] - truth.pp[3] - truth.pp[5]) /
                    (m.r[0] + m.r[3] + m.r[5]);
    c.error.Learn(over, excess, a);
    Scatter& source = sensors_[m.sensor].error;
    source.Learn(over, excess, 0.02);
    source.Take(who, 0.02);
    // The residuals of one aircraft are few and correlated. Their threshold `noise_stands_out` is therefore higher than
    // `source_stands_out`, the threshold for all aircraft of a source.
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

  /// Corrects a reported position: subtracts the learnt offset and widens the covariance by the learnt scatter.
  void Correct(const Claim& c, Measurement& m) const {
    if (c.samples >= kBiasSamples) {
      for (int i = 0; i < 3; i++) {
        // The sensors' own errors are correlated over time, so averaging does not remove them.
        double variance = c.bias_variance[i] + m.r[kSym[i][i]] * set_.noise_ewma / (2 - set_.noise_ewma);
        if (c.bias[i] * c.bias[i] > set_.offset_sigma * set_.offset_sigma * variance) {
          m.z[i] -= c.bias[i];
          m.r[kSym[i][i]] += variance;
        }
      }
    }
    for (double& r : m.r) r *= c.noise;
  }

  /// Sets the verdict on a claim after a scan that saw or missed its track, or after a change of its track. Misses
  /// lower the verdict only on claims that are not authentic.
  void Judge(Claim& c, Track& k) const {
    Verdict before = c.verdict;
    bool seen = c.located >= 3 && c.misses == 0;
    if (seen && !(c.reasons & kSuspectReasonPositionDisagrees)) {
      c.verdict = Verdict::kConsistent;
      c.reasons = 0;
      c.ghost = c.stranger = false;
    } else if (!c.authentic) {
      bool ghost = 1 - k.shown - k.hidden > set_.ghost_verdict && c.misses >= set_.ghost_misses;
      // An aircraft that was seen before may be hidden for a while, but not during many scans that should see it.
      if (ghost || c.misses >= set_.hidden_misses) {
        c.verdict = Verdict::kSuspect;
        c.reasons |= kSuspectReasonNotSeenBySensor;
      } else if (c.verdict == Verdict::kConsistent && c.misses >= set_.stale_misses) {
        c.verdict = Verdict::kUnchecked;
      }
    }
    k.dirty |= c.verdict != before;
  }

 private:
  const Settings& set_;
  Sensors& sensors_;
  int most_;
  std::vector<Claim> claims_;  // room is reserved for all, and memory pages beyond the highest index are never allocated
};

}  // namespace dunlin
