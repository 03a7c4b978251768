// One look from its plots to what comes of it: converted here, then gathered, assigned and settled.
#pragma once

#include "tracker.h"

namespace dunlin {

/// A polar plot as a place: z = s + R·u(azimuth, elevation)·r, with covariance J·diag(sd²)·Jᵀ.
inline void PlaceOfPolar(const Sensor& s, Measurement& m) {
  double az = m.z[0], el = m.z[1], r = m.z[2];
  double sa = std::sin(az), ca = std::cos(az), se = std::sin(el), ce = std::cos(el);
  Vec3 d = Rotate(s.to_site, {r * ce * sa, r * ce * ca, r * se});
  Vec3 across = Rotate(s.to_site, {ca, -sa, 0}), over = Rotate(s.to_site, {-se * sa, -se * ca, ce}),
       along = Rotate(s.to_site, {ce * sa, ce * ca, se});
  double rows[3][3] = {{across[0], across[1], across[2]}, {over[0], over[1], over[2]}, {along[0], along[1], along[2]}};
  double variance[3] = {std::max(r * r * ce * ce * m.r[0], 0.01), std::max(r * r * m.r[3], 0.01), m.r[5]};
  for (int i = 0; i < 3; i++) m.z[i] = s.at[i] + d[i];
  TurnDiagonal(rows, variance, m.r);
}

/// False places of a sensor that tells places on the earth are taken to spread over so much: 8 km round, 1 km high.
inline constexpr double kFixVolumeM3 = 2e11;

inline void Tracker::CloseLook(int index) {
  Sensor& s = sensors_[index];
  s.open = false;
  double t = s.look_time;
  look_.clear();
  aims_.clear();
  candidates_.clear();
  gates_.clear();
  edges_.clear();
  stamp_++;
  ConvertPlots(s);
  GatherEdges(s, t);
  Assign();
  KeepChosen();
  Settle(s, t);
  for (LookPlot& p : look_) {
    plots_[p.plot].next = free_plot_;
    free_plot_ = p.plot;
  }
  s.first_plot = s.last_plot = -1;
}

inline void Tracker::ConvertPlots(Sensor& s) {
  for (int i = s.first_plot; i >= 0; i = plots_[i].next) {
    Plot& p = plots_[i];
    look_.push_back({i, -1, -1, 0, 0});
    std::copy(p.m.z, p.m.z + 3, p.raw);
    p.azimuth_variance = p.m.r[0];
    p.range_variance = p.m.r[5];
    Form form = p.m.form;
    bool ranged = form == Form::kPlace || form == Form::kPlane;
    if (ranged) {
      const Registration& reg = s.registration;
      if (reg.AppliesAzimuth(set_)) p.m.z[0] -= reg.azimuth;
      if (reg.AppliesRange(set_)) p.m.z[2] -= reg.range;
      if (radars_ > 1 && reg.plots < set_.bias_plots) {
        double a = set_.bias_azimuth_deg * kDegree, r = set_.bias_range_m;
        p.m.r[0] += a * a;
        p.m.r[5] += r * r;
      }
    }
    double range = std::max(p.m.z[2], 1.0), level = std::max(std::cos(p.m.z[1]), 0.05);
    double per_azimuth = s.clutter / s.clutter_azimuth;
    switch (form) {
      case Form::kPlace:
        p.density = per_azimuth / (s.clutter_range * s.clutter_elevation * range * range * level);
        PlaceOfPolar(s, p.m);
        break;
      case Form::kPlane:
        p.m.z[1] = kAssumedHeightM;
        p.density = per_azimuth / s.clutter_range;
        break;
      case Form::kFix: p.density = s.clutter / kFixVolumeM3; break;
      case Form::kAngles: p.density = per_azimuth / s.clutter_elevation; break;
      default:
        p.m.z[1] = kAssumedHeightM;
        p.density = per_azimuth;
    }
    aims_.push_back({{p.m.z[0], p.m.z[1], p.m.z[2]}, {}, p.density, p.m.form, p.emitter});
    std::copy(p.m.r, p.m.r + 6, aims_.back().r);
  }
}

}  // namespace dunlin
