// Input of an update: one measurement, in the site's axes if it can be converted to them, else in the sensor's own.
#pragma once

#include <cstdint>

#include "imm.h"
#include "intersection.h"
#include "sensor.h"

namespace dunlin {

enum class Form : int32_t {
  kPlace,   // z, r: a position and its covariance
  kFix,     // z, r, v, rv: a position and a velocity that the aircraft reports
  kTrack,   // as kFix, from another fusion system: its errors may be correlated with all others
  kRelayed, // as kTrack; fusion systems alone have reported the aircraft within the track's history
  kPlane,   // azimuth, range
  kAngles,  // azimuth, elevation
  kBearing, // azimuth
};

/// Whether a form is a reported geodetic position, with the velocity if one was reported.
inline bool IsReported(Form form) { return form == Form::kFix || form == Form::kTrack; }
inline bool IsPlace(Form form) { return form <= Form::kRelayed; }
/// Whether a form is a report of another fusion system.
inline bool IsFused(Form form) { return form == Form::kTrack || form == Form::kRelayed; }

struct Measurement {
  Form form;
  int32_t sensor;
  double t;
  double z[3];   // position, m | azimuth rad, elevation rad (or assumed height, m, whose variance is r[1]), range m
  Sym3 r;        // covariance of a position | variances at 0, 3, 5 of azimuth, elevation, range
  double v[3];
  Sym3 rv;
};

/// Rotates a diagonal covariance into the site's axes. `rows` are the directions of the covariance's own axes in the
/// site's axes.
inline void TurnDiagonal(const double (&rows)[3][3], const double* variance, Sym3& out) {
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++) {
      out[k] = 0;
      for (int a = 0; a < 3; a++) out[k] += rows[a][i] * rows[a][j] * variance[a];
    }
}

/// Updates one model with a measurement; returns the fit.
inline Fit Update(Gaussian& g, const Measurement& m, const Sensor* sensors) {
  switch (m.form) {
    case Form::kPlace:
      return UpdatePosition(g, m.z, m.r);
    case Form::kFix: {
      Fit place = UpdatePosition(g, m.z, m.r);
      return m.rv[0] > 0 ? place.And(UpdateVelocity(g, m.v, m.rv)) : place;
    }
    case Form::kTrack: return Intersect(g, m.z, m.r, m.v, m.rv, m.rv[0] > 0);
    case Form::kRelayed: return Adopt(g, m.z, m.r, m.v, m.rv);
    default: {
      Sight sight = SightOf(sensors[m.sensor], g.p);
      Fit azimuth = UpdateAlongRow(g, sight.by_azimuth, WrapRadians(m.z[0] - sight.azimuth), m.r[0]);
      if (m.r[1] > 0) {  // no height is measured: the assumed one keeps the estimate from drifting
        double up[3];
        UpAt(g.p, up);
        UpdateAlongRow(g, up, m.z[1] - HeightOver(g.p), m.r[1]);
      }
      if (m.form == Form::kBearing) return azimuth;
      sight = SightOf(sensors[m.sensor], g.p);
      if (m.form == Form::kAngles) {
        return azimuth.And(UpdateAlongRow(g, sight.by_elevation, m.z[1] - sight.elevation, m.r[3]));
      }
      return azimuth.And(UpdateAlongRow(g, sight.by_range, m.z[2] - sight.range, m.r[5]));
    }
  }
}

/// Updates each model separately with `update(model)`; returns both fits.
template <typename Update>
inline FitPair UpdateEach(Imm& imm, Update update) {
  FitPair both;
  for (int i = 0; i < 2; i++) {
    Gaussian g = ModelOf(imm, i);
    Fit fit = update(g);
    both.distance2[i] = fit.distance2;
    both.det[i] = fit.det;
    SetModel(imm, i, g);
  }
  return both;
}

/// Updates both models with a position or a velocity: together, or each separately if one of them cannot be updated.
inline FitPair UpdatePositions(Imm& imm, const double* z, const Sym3& r) {
  FitPair fit;
  if (TakePosition(imm.both, z, r, fit)) return fit;
  return UpdateEach(imm, [&](Gaussian& g) { return UpdatePosition(g, z, r); });
}
inline FitPair UpdateVelocities(Imm& imm, const double* z, const Sym3& r) {
  FitPair fit;
  if (TakeVelocity(imm.both, z, r, fit)) return fit;
  return UpdateEach(imm, [&](Gaussian& g) { return UpdateVelocity(g, z, r); });
}

/// Updates the state of a track; false if the measurement cannot belong to the track.
inline bool UpdateImm(Imm& imm, const Measurement& m, const Sensor* sensors, const Settings& set) {
  if (!IsPlace(m.form) || IsFused(m.form))
    return WeighModels(imm, UpdateEach(imm, [&](Gaussian& g) { return Update(g, m, sensors); }), set);
  LearnClimb(imm, m.z, m.r, set);
  FitPair fit = UpdatePositions(imm, m.z, m.r);
  if (m.form == Form::kFix && m.rv[0] > 0) fit = fit.And(UpdateVelocities(imm, m.v, m.rv));
  return WeighModels(imm, fit, set);
}

}  // namespace dunlin
