// Estimate of a claimed aircraft's state from sensors alone. The claim's reports are compared with it.
#pragma once

#include <cmath>

#include "measurement.h"
#include "sensors.h"

namespace dunlin {

/// Predicts a state by `dt` seconds, forward or backward, with noise of spectral density `q`, m²/s³. The covariance
/// grows in both directions.
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
  /// Time without plots after which the next plot begins the estimate anew, s.
  static constexpr double kPauseS = 10;

  /// State, in the site's axes, m and m/s, and its time, s.
  const Gaussian& state() const { return g_; }
  double t() const { return t_; }
  /// Number of plots in the estimate.
  uint32_t plots() const { return plots_; }

  /// Computes the state as of `t`, s. False if the last plot is more than `fresh_s` seconds from `t`, or the estimate
  /// has fewer than kPlots plots.
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

  /// Takes over the state of an anonymous track that `plots` plots of sensors have formed.
  void Set(const Imm& imm, double t, uint32_t plots) {
    Combined(imm, g_);
    t_ = t;
    plots_ = plots;
  }

  /// Invalidates the estimate: the next plot begins it anew.
  void Lose() { plots_ = 0; }

  /// Updates the estimate with a plot. The first plot, and one more than kPauseS before or after the last one, begins
  /// the estimate anew; it is ignored unless the sensor measured range, azimuth and elevation. Within kPauseS, a plot
  /// older than the last one is ignored.
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
