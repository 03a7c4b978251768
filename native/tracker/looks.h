// The plots of one look against the tracks: convert, gate, weigh.
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
  FindRivals();
  Settle(s, t);
  for (LookPlot& p : look_) {
    plots_[p.plot].next = free_plot_;
    free_plot_ = p.plot;
  }
  s.first_plot = s.last_plot = -1;
}

/// A track may have gone so far since a look that comes late.
inline constexpr double kLateSpeedMps = 30;
/// With one plot for so many tracks or more, the tracks look for plots.
inline constexpr int kPlotsOfTracks = 8;

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

inline void Tracker::GatherEdges(const Sensor& s, double t) {
  double slack = kLateSpeedMps * std::max(0.0, now_ - t);
  int places = 0;
  auto consider = [&](int look, int slot) {
    int index = CandidateOf(slot, t, s.detection);
    if (index >= 0) TryEdge(s, look, index);
  };
  int count = static_cast<int>(aims_.size());
  for (int i = 0; i < count; i++) {
    if (IsPlace(aims_[i].form)) places++;
    else
      for (int slot : live_) consider(i, slot);
  }
  // Few plots look for tracks; of many, the tracks look for plots, each once.
  if (places * kPlotsOfTracks >= static_cast<int>(live_.size())) return GatherByTrack(s, t);
  for (int i = 0; places > 0 && i < count; i++) {
    const Aim& a = aims_[i];
    if (!IsPlace(a.form)) continue;
    grid_.NearEllipse(a.z[0], a.z[1], set_.gate * a.r[0], set_.gate * a.r[1], set_.gate * a.r[3], slack,
                      [&](int slot) { consider(i, slot); });
  }
}

/// Puts the plots where the tracks find them: what was told as range and angles by those, else by squares. True of the
/// former.
inline bool Tracker::IndexPlots(const Sensor& s) {
  polar_.Clear();
  plot_grid_.ForgetReaches();
  bool sighted = std::none_of(aims_.begin(), aims_.end(), [](const Aim& a) { return a.form == Form::kFix; });
  for (int i = 0; i < static_cast<int>(aims_.size()); i++) {
    const Aim& a = aims_[i];
    if (!IsPlace(a.form)) continue;
    if (sighted) polar_.Add(GroundPlotOf(i, a.z, a.r), GroundSightOf(s, a.z, a.r));
    else plot_grid_.Put(i, a.z[0], a.z[1], std::sqrt(set_.gate * std::max(a.r[0], a.r[3])));
  }
  if (sighted) polar_.Build();
  return sighted;
}

inline void Tracker::GatherByTrack(const Sensor& s, double t) {
  bool sighted = IndexPlots(s);
  for (int slot : live_) {
    int index = CandidateOf(slot, t, s.detection);
    if (index < 0) continue;
    const Gate g = gates_[index];
    auto consider = [&](const GroundPlot& plot) {
      // Along the ground alone it is at most as far as in all: who fails here fails there.
      double a = g.pp[0] + plot.ee, b = g.pp[1] + plot.en, c = g.pp[3] + plot.nn, x = plot.e - g.p[0], y = plot.n - g.p[1];
      if (c * x * x - 2 * b * x * y + a * y * y <= set_.gate * (a * c - b * b)) TryEdge(s, plot.plot, index);
    };
    auto consider_aim = [&](int i) { consider(GroundPlotOf(i, aims_[i].z, aims_[i].r)); };
    if (sighted) polar_.Near(GroundSightOf(s, g.p, g.pp), set_.gate, consider);
    else plot_grid_.Near(Grid::kAnonymous, g.p[0], g.p[1], std::sqrt(set_.gate * std::max(g.pp[0], g.pp[3])), consider_aim);
  }
  for (int i = 0; !sighted && i < static_cast<int>(aims_.size()); i++) plot_grid_.Remove(i);
}

inline int Tracker::CandidateOf(int slot, double t, double detection) {
  TrackCold& cold = cold_[slot];
  if (cold.stamp == stamp_) return cold.candidate;
  cold.stamp = stamp_;
  cold.candidate = -1;
  Track& k = tracks_[slot];
  size_t index = candidates_.size();
  if (!k.placed || k.life == Life::kResting || index == states_.size()) return -1;
  Imm& state = states_[index];
  if (!StateAt(slot, t, state)) return -1;
  candidates_.push_back({t, 0, slot, -1, -1});
  Age(k, t, IsClaimed(k, t), set_, decays_);
  cold.candidate = static_cast<int>(index);
  gates_.emplace_back();
  Gate& gate = gates_.back();
  BlendPlaces(state.both, state.calm, gate.p, gate.pp);
  // Who is claimed competes for plots as if it were there: that is what the plots are to show.
  double shown = k.claim >= 0 ? std::max(k.shown, set_.claim_odds) : k.shown;
  double seen = std::clamp(shown, 1e-6, 0.9999) * detection;
  gate.odds = seen / (1 - seen);
  gate.emitter = k.emitter;
  gate.crossing = k.origin == Origin::kCrossing;
  return cold.candidate;
}

/// The pair where the plot lies in the track's gate.
inline void Tracker::TryEdge(const Sensor& s, int look, int index) {
  if (static_cast<int>(edges_.size()) >= limits_.edges) return;
  const Gate& c = gates_[index];
  const Aim& p = aims_[look];
  // An emitter is known by its fingerprint: its bearings are of its own track or of one that has none yet.
  if (p.emitter >= 0 && p.emitter != c.emitter && (c.emitter >= 0 || c.crossing)) return;
  if (p.emitter < 0 && c.emitter >= 0 && c.crossing) return;
  double d2, det, gate, two_pi_n;  // the last: (2π)ⁿ of n numbers
  if (IsPlace(p.form)) {
    double y[3], sum[6], inverse[6];
    for (int i = 0; i < 3; i++) y[i] = p.z[i] - c.p[i];
    if (y[0] * y[0] > set_.gate * (c.pp[0] + p.r[0]) || y[1] * y[1] > set_.gate * (c.pp[3] + p.r[3])) return;
    for (int i = 0; i < 6; i++) sum[i] = c.pp[i] + p.r[i];
    if (!Invert(sum, inverse, det)) return;
    d2 = Quadratic(inverse, y);
    gate = set_.gate;
    two_pi_n = kTwoPi * kTwoPi * kTwoPi;
  } else {
    Sight sight = SightOf(s, c.p);
    auto cross = [&](const double* a, const double* b) {
      double sum = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum += a[i] * c.pp[kSym[i][j]] * b[j];
      return sum;
    };
    double ya = WrapRadians(p.z[0] - sight.azimuth), saa = cross(sight.by_azimuth, sight.by_azimuth) + p.r[0];
    if (ya * ya > set_.gate * saa) return;
    if (p.form == Form::kBearing) {
      if (sight.range > s.range_most * 1.1) return;
      d2 = ya * ya / saa;
      det = saa;
      gate = set_.gate - 6;
      two_pi_n = kTwoPi;
    } else {
      bool angles = p.form == Form::kAngles;
      const double* row = angles ? sight.by_elevation : sight.by_range;
      double yb = angles ? p.z[1] - sight.elevation : p.z[2] - sight.range;
      double sbb = cross(row, row) + (angles ? p.r[3] : p.r[5]), sab = cross(sight.by_azimuth, row);
      det = saa * sbb - sab * sab;
      if (!(det > 0)) return;
      d2 = (sbb * ya * ya - 2 * sab * ya * yb + saa * yb * yb) / det;
      gate = set_.gate - 3;
      two_pi_n = kTwoPi * kTwoPi;
    }
  }
  if (!(d2 <= gate)) return;
  double strange = p.density / c.odds;
  double cost = 0.5 * (d2 + std::log(two_pi_n * det * strange * strange));
  if (!(cost < 0)) return;
  look_[look].pairs++;
  edges_.push_back({index, look, cost});
}

}  // namespace dunlin
