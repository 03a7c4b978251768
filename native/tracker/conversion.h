// Conversion of the plots of a scan to measurements in the site's axes.
#pragma once

#include <algorithm>
#include <cmath>

#include "plot.h"
#include "sensor.h"

namespace dunlin {

/// Assumed height above the site for an object whose height no sensor measures, and the standard deviation of this
/// height, m.
inline constexpr double kAssumedHeightM = 100, kAssumedHeightSdM = 100;
/// Volume in which a sensor that reports geodetic positions is assumed to produce its false plots, m³: 8 km radius, 1
/// km high.
inline constexpr double kFixVolumeM3 = 2e11;

/// Converts a polar plot to a position: z = s + R·u(azimuth, elevation)·r, with covariance J·diag(sd²)·Jᵀ.
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

/// Converts a plot to the site's axes if its form allows that, and subtracts the sensor's learnt offset. Sets the
/// density of false plots at the plot's position. `radars` is the number of declared radars. With several, the
/// variances of a radar's plots are increased until its offset is learnt.
inline void Convert(Plot& p, const Sensor& s, int radars, const Settings& set) {
  std::copy(p.m.z, p.m.z + 3, p.raw);
  p.azimuth_variance = p.m.r[0];
  p.range_variance = p.m.r[5];
  Form form = p.m.form;
  bool ranged = form == Form::kPlace || form == Form::kPlane;
  if (ranged) {
    const Registration& reg = s.registration;
    if (reg.AppliesAzimuth(set)) p.m.z[0] -= reg.azimuth;
    if (reg.AppliesRange(set)) p.m.z[2] -= reg.range;
    if (radars > 1 && reg.plots < set.bias_plots) {
      double a = set.bias_azimuth_deg * kDegree, r = set.bias_range_m;
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
    case Form::kFix:
    case Form::kTrack: p.density = s.clutter / kFixVolumeM3; break;
    case Form::kAngles: p.density = per_azimuth / s.clutter_elevation; break;
    default:
      p.m.z[1] = kAssumedHeightM;
      p.density = per_azimuth;
  }
}

}  // namespace dunlin
