// Gates: positions of tracks and plots with covariances, and the distances between them.
#pragma once

#include "measurement.h"
#include "polar_index.h"

namespace dunlin {

/// Predicted position of a track at the time of a scan. The plots of the scan are compared with it.
struct Gate {
  double p[3];       // m
  Sym3 pp;           // m²
  double odds;       // odds that the aircraft exists and is detected
  int32_t emitter;   // radio emitter of the track, −1 if it has none
  bool crossing;     // whether the track began from bearings
};

/// Values of a plot that decide which tracks it may belong to, in the units of its Measurement. The struct is small,
/// since many tracks read it.
struct Aim {
  double z[3];
  Sym3 r;
  double density;    // density of false plots in the measured space at the plot's position
  Form form;
  int32_t emitter;   // radio emitter of the plot, −1 if it names none
};

/// Whether the radio emitters of a plot and a track agree. A bearing of an emitter belongs to the emitter's track, or
/// to a track without an emitter that did not begin from bearings. A plot without an emitter may belong to any track
/// except one that began from an emitter's bearings.
inline bool AreEmittersAlike(const Gate& gate, const Aim& aim) {
  if (aim.emitter >= 0) return aim.emitter == gate.emitter || (gate.emitter < 0 && !gate.crossing);
  return gate.emitter < 0 || !gate.crossing;
}

/// Whether a plot is within the squared Mahalanobis distance `most` in the horizontal plane. The horizontal distance
/// never exceeds the full distance, so a plot outside this gate is also outside the full gate.
inline bool LiesNear(const Gate& gate, const GroundPlot& plot, double most) {
  double a = gate.pp[0] + plot.ee, b = gate.pp[1] + plot.en, c = gate.pp[3] + plot.nn;
  double x = plot.e - gate.p[0], y = plot.n - gate.p[1];
  return c * x * x - 2 * b * x * y + a * y * y <= most * (a * c - b * b);
}

/// Fit of a plot with a position to a track.
inline Fit FitOfPlace(const Gate& gate, const Aim& aim) {
  double y[3], sum[6], inverse[6], det;
  for (int i = 0; i < 3; i++) y[i] = aim.z[i] - gate.p[i];
  for (int i = 0; i < 6; i++) sum[i] = gate.pp[i] + aim.r[i];
  return Invert(sum, inverse, det) ? Fit{Quadratic(inverse, y), det} : kImpossible;
}

/// Fits of two pairs of track and plot, computed together.
inline FitPair FitsOfPlaces(const Gate& gate, const Aim& aim, const Gate& other_gate, const Aim& other_aim) {
  Pair y[3], sum[6], inverse[6], det;
  for (int i = 0; i < 3; i++) y[i] = Pair{aim.z[i], other_aim.z[i]} - Pair{gate.p[i], other_gate.p[i]};
  for (int i = 0; i < 6; i++) sum[i] = Pair{gate.pp[i], other_gate.pp[i]} + Pair{aim.r[i], other_aim.r[i]};
  if (Invert(sum, inverse, det)) return {Quadratic(inverse, y), det};
  Fit fit = FitOfPlace(gate, aim), other = FitOfPlace(other_gate, other_aim);
  return {Pair{fit.distance2, other.distance2}, Pair{fit.det, other.det}};
}

/// Fit of a plot without a position: an azimuth, and an elevation or range if it was measured. A plot that is beyond
/// `most` in azimuth alone is rejected at once. A bearing does not fit a track beyond 1.1 times the sensor's range.
inline Fit FitOfSight(const Sensor& s, const Gate& g, const Aim& a, double most) {
  Sight sight = SightOf(s, g.p);
  auto cross = [&](const double* u, const double* v) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) sum += u[i] * g.pp[kSym[i][j]] * v[j];
    return sum;
  };
  double ya = WrapRadians(a.z[0] - sight.azimuth), saa = cross(sight.by_azimuth, sight.by_azimuth) + a.r[0];
  if (ya * ya > most * saa) return kImpossible;
  if (a.form == Form::kBearing) {
    if (sight.range > s.range_most * 1.1) return kImpossible;
    return {ya * ya / saa, saa};
  }
  bool angles = a.form == Form::kAngles;
  const double* row = angles ? sight.by_elevation : sight.by_range;
  double yb = angles ? a.z[1] - sight.elevation : a.z[2] - sight.range;
  double sbb = cross(row, row) + (angles ? a.r[3] : a.r[5]), sab = cross(sight.by_azimuth, row);
  double det = saa * sbb - sab * sab;
  if (!(det > 0)) return kImpossible;
  return {(sbb * ya * ya - 2 * sab * ya * yb + saa * yb * yb) / det, det};
}

/// Returns (2π)ⁿ for a form of plot that measures n numbers.
inline double ScaleOf(Form form) {
  constexpr double kPlane = kTwoPi * kTwoPi;
  return IsPlace(form) ? kPlane * kTwoPi : form == Form::kBearing ? kTwoPi : kPlane;
}

}  // namespace dunlin
