// Reading of observation rows: single values, and the measurement in a row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "plot.h"

namespace dunlin {

/// Bounds of declared standard deviations. No source is better than the lower bounds (`kLeast…`), and a position worse
/// than the upper bounds (`kMost…`) is useless.
inline constexpr double kLeastSdM = 0.1, kMostSdM = 20000, kMostSdHeightM = 1000, kLeastSdMps = 0.05, kMostSdMps = 300;

/// Returns the value as an integer from 0 on; −1 if it is negative, too large or NaN.
inline int32_t Whole(double value) { return value >= 0 && value < 2147483647.0 ? static_cast<int32_t>(value) : -1; }

/// Returns the sequence number of an observation, which orders measurements of the same time.
inline double Sequence(const double* o) { return std::isfinite(o[kObservedSequence]) ? std::clamp(o[kObservedSequence], 0.0, 9e15) : 0; }

/// Whether a declared standard deviation is valid: positive and finite, or NaN for absent.
inline bool IsSaneSd(double sd) { return std::isnan(sd) || (sd > 0 && std::isfinite(sd)); }

inline bool IsSaneFix(const double* o) {
  for (int column : {kObservedSdAzimuthDegOrHM, kObservedSdElevationDegOrVM, kObservedSdSpeedMps, kObservedSdClimbMps})
    if (!IsSaneSd(o[column])) return false;
  return std::isfinite(o[kObservedAzimuthOrLatDeg]) && std::isfinite(o[kObservedElevationOrLonDeg]) && std::fabs(o[kObservedAzimuthOrLatDeg]) <= 90 && std::fabs(o[kObservedElevationOrLonDeg]) <= 360 &&
         !(std::fabs(o[kObservedRangeOrAltHaeM]) > 1e6) && !(std::fabs(o[kObservedEastMps]) > kMostSpeedMps) && !(std::fabs(o[kObservedNorthMps]) > kMostSpeedMps) &&
         !(std::fabs(o[kObservedUpMps]) > kMostSpeedMps);
}

/// Converts a reported position and velocity to the site's axes, m and m/s, with the declared errors; errors that are
/// not declared get defaults. An unknown height becomes 0 with the standard deviation kMostSdHeightM.
inline void FixOf(const double* o, const Frame& site, Measurement& m, bool& height_known) {
  double lat = o[kObservedAzimuthOrLatDeg], lon = o[kObservedElevationOrLonDeg];
  height_known = std::isfinite(o[kObservedRangeOrAltHaeM]);
  Mat3 local = EnuAxes(lat, lon);
  Mat3 turn = TimesTransposed(site.axes, local);
  double rows[3][3];
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < 3; i++) rows[a][i] = turn[i * 3 + a];
  auto sd = [](double value, double otherwise, double least, double most) {
    return std::isfinite(value) && value > 0 ? std::clamp(value, least, most) : otherwise;
  };
  double h = sd(o[kObservedSdAzimuthDegOrHM], 15, kLeastSdM, kMostSdM);
  double v = height_known ? sd(o[kObservedSdElevationDegOrVM], 30, kLeastSdM, kMostSdHeightM) : kMostSdHeightM;
  // Heights refer to the curved earth, the axes of the site to a plane. A horizontal error h therefore adds h² / (2 ·
  // earth radius) to the error of the height.
  double bend = h * h / (2 * 6371000.0);
  double variance[3] = {h * h, h * h, v * v + bend * bend};
  m.form = o[kObservedFused] == 1 ? Form::kTrack : Form::kFix;
  m.sensor = static_cast<int32_t>(o[kObservedSensor]);
  m.t = o[kObservedTimeS];
  Vec3 place = site.FromGeodetic(lat, lon, height_known ? o[kObservedRangeOrAltHaeM] : 0);
  for (int i = 0; i < 3; i++) m.z[i] = place[i];
  TurnDiagonal(rows, variance, m.r);
  bool moving = std::isfinite(o[kObservedEastMps]) && std::isfinite(o[kObservedNorthMps]);
  std::fill(m.rv, m.rv + 6, 0.0);
  std::fill(m.v, m.v + 3, 0.0);
  if (!moving) return;
  bool climbing = std::isfinite(o[kObservedUpMps]);
  double speed = sd(o[kObservedSdSpeedMps], 2, kLeastSdMps, kMostSdMps);
  double climb = climbing ? sd(o[kObservedSdClimbMps], 1.5, kLeastSdMps, kMostSdMps) : 10;
  double spread[3] = {speed * speed, speed * speed, climb * climb};
  TurnDiagonal(rows, spread, m.rv);
  Vec3 velocity = Rotate(turn, {o[kObservedEastMps], o[kObservedNorthMps], climbing ? o[kObservedUpMps] : 0});
  for (int i = 0; i < 3; i++) m.v[i] = velocity[i];
}

/// Converts a sensor's plot to a measurement in the sensor's own axes: angles in rad, range in m. False if the sensor
/// has no position, or the row is not a valid measurement.
inline bool PolarOf(const double* o, const Sensor& sensor, Measurement& m) {
  if (!sensor.placed) return false;
  double azimuth = o[kObservedAzimuthOrLatDeg], elevation = o[kObservedElevationOrLonDeg], range = o[kObservedRangeOrAltHaeM];
  double sd[3] = {o[kObservedSdAzimuthDegOrHM], o[kObservedSdElevationDegOrVM], o[kObservedSdRangeM]};
  if (!std::isfinite(azimuth) || std::fabs(azimuth) > 720) return false;
  for (double value : sd)
    if (!IsSaneSd(value)) return false;
  bool tilted = std::isfinite(elevation) && sensor.level, ranged = std::isfinite(range);
  if ((tilted && std::fabs(elevation) > 90) || (ranged && (range < 0 || range > 1e6))) return false;
  auto variance = [](double value, double otherwise, double least, double most) {
    double sound = std::isfinite(value) && value > 0 ? std::clamp(value, least, most) : otherwise;
    return sound * sound;
  };
  m.sensor = static_cast<int32_t>(o[kObservedSensor]);
  m.t = o[kObservedTimeS];
  m.z[0] = azimuth * kDegree;
  m.z[1] = tilted ? elevation * kDegree : 0;
  m.z[2] = ranged ? range : 0;
  std::fill(m.r, m.r + 6, 0.0);
  m.r[0] = variance(sd[0], 1.5, 0.01, 60) * kDegree * kDegree;
  m.r[3] = variance(sd[1], 1.5, 0.01, 60) * kDegree * kDegree;
  m.r[5] = variance(sd[2], 20, kLeastSdM, kMostSdM);
  m.form = ranged ? (tilted ? Form::kPlace : Form::kPlane) : tilted ? Form::kAngles : Form::kBearing;
  return true;
}

/// Returns the time of the evidence in an observation that is processed at `now`, s. For a report of another fusion system
/// it is the time at which a sensor there saw the aircraft (pack.ts). The time of arrival would let boxes that report to
/// each other in a ring keep a track alive that no sensor sees.
inline double EvidenceTime(const double* o, const Measurement& m, double now) {
  return IsFused(m.form) ? std::min(now, o[kObservedReceivedS]) : now;
}

/// Reads a plot, or a position without a claim, received at `now`, s. False if the row is not a valid measurement.
inline bool ReadPlot(const double* o, const Sensor& sensor, const Frame& site, double now, Plot& plot) {
  plot.signal = o[kObservedRssiDbm];
  plot.sequence = Sequence(o);
  plot.received = now;
  plot.emitter = Whole(o[kObservedEmitter]);
  plot.next = -1;
  if (Whole(o[kObservedKind]) != kObservedKindPosition) return PolarOf(o, sensor, plot.m);
  if (!IsSaneFix(o)) return false;
  FixOf(o, site, plot.m, plot.height_known);
  plot.received = EvidenceTime(o, plot.m, now);
  return true;
}

}  // namespace dunlin
