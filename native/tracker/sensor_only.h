// Estimate of a claimed aircraft from sensors alone, which its claim is compared with.
#pragma once

#include <cmath>

#include "measurement.h"
#include "sensors.h"

namespace dunlin {

/// Moves a state by `dt` seconds of either sign, with noise of spectral density `q`, m²/s³. The covariance grows
/// backward in time as it does forward.
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

class SensorOnlyEstimate {
 public:
  /// Process noise, m²/s³.
  static constexpr double kQ = 8;
  /// Number of plots that make an estimate valid.
  static constexpr uint32_t kPlots = 3;
  /// A pause after which the estimate begins anew, s.
  static constexpr double kPauseS = 10;

  /// State and its time, s; m and m/s in the site's axes.
  const Gaussian& state() const { return g_; }
  double t() const { return t_; }
  /// Number of plots in the estimate.
  uint32_t plots() const { return plots_; }

  /// State as of `t`, s; false where the last plot is more than `fresh_s` from that time, or plots are too few.
  bool At(double t, double fresh_s, Gaussian& at) const {
    if (plots_ < kPlots || std::fabs(t - t_) > fresh_s) return false;
    at = After(t - t_);
    return true;
  }

  /// State `dt` seconds after the last plot.
  Gaussian After(double dt) const {
    Gaussian g = g_;
    Carry(g, dt, kQ);
    return g;
  }

  /// Copies the state of an anonymous track, which sensors alone made from `plots` plots.
  void Set(const Imm& imm, double t, uint32_t plots) {
    Combined(imm, g_);
    t_ = t;
    plots_ = plots;
  }

  /// Makes the next plot begin the estimate anew.
  void Lose() { plots_ = 0; }

  /// Updates the estimate with a plot.
  void Update(const Measurement& m, const Sensors& sensors, const Settings& set) {
    if (plots_ == 0 || std::fabs(m.t - t_) > kPauseS) {
      if (m.form != Form::kPlace) return;
      Begin(m, set);
      return;
    }
    if (m.t < t_) return;
    Gaussian g = g_;
    double up[3];
    UpAt(g.p, up);
    Predict(g, m.t - t_, kQ, up);
    if (!IsPossible(dunlin::Update(g, m, &sensors[0])) || !IsSound(g)) return;
    g_ = g;
    t_ = m.t;
    plots_++;
  }

 private:
  void Begin(const Measurement& m, const Settings& set) {
    g_ = Gaussian{};
    for (int i = 0; i < 3; i++) g_.p[i] = m.z[i];
    for (int i = 0; i < 6; i++) g_.pp[i] = m.r[i];
    for (int i = 0; i < 3; i++) g_.vv[kSym[i][i]] = set.speed_sd_mps * set.speed_sd_mps;
    t_ = m.t;
    plots_ = 1;
  }

  Gaussian g_{};
  double t_ = -1e18;
  uint32_t plots_ = 0;
};

}  // namespace dunlin
