// Distance of a reported position and velocity from the state of a track.
#pragma once

#include "measurement.h"

namespace dunlin {

/// Squared Mahalanobis distance between two positions with covariances `pp` and `r`; `slack`, m, is an additional
/// standard deviation: its square is added to the variances.
inline double DistanceBetween(const double* p, const Sym3& pp, const double* z, const Sym3& r, double slack) {
  double s[6], inverse[6], det, y[3];
  for (int i = 0; i < 6; i++) s[i] = pp[i] + r[i];
  s[0] += slack * slack;
  s[3] += slack * slack;
  s[5] += slack * slack;
  for (int i = 0; i < 3; i++) y[i] = z[i] - p[i];
  return Invert(s, inverse, det) ? Quadratic(inverse, y) : 1e9;
}

/// Squared Mahalanobis distance between a position and a state.
inline double DistanceTo(const Gaussian& g, const double* z, const Sym3& r, double slack) {
  return DistanceBetween(g.p, g.pp, z, r, slack);
}

/// Squared Mahalanobis distance between the velocities of a state and a measurement; 0 if the measurement has none.
/// A variance of 1 m²/s² is added, since no velocity is trusted to better than 1 m/s.
inline double VelocityDistance(const Gaussian& g, const Measurement& m) {
  if (!(m.rv[0] > 0)) return 0;
  double s[6], inverse[6], det, y[3];
  for (int i = 0; i < 6; i++) s[i] = g.vv[i] + m.rv[i] + (i == 0 || i == 3 || i == 5);
  for (int i = 0; i < 3; i++) y[i] = m.v[i] - g.v[i];
  return Invert(s, inverse, det) ? Quadratic(inverse, y) : 1e9;
}

}  // namespace dunlin
