// A bank of constant-velocity Kalman filters in local tangent planes, one flat record a track.
//
// State x = [e n u ve vn vu] (m, m/s) with white-noise acceleration (Bar-Shalom, Li, Kirubarajan, "Estimation with
// Applications to Tracking and Navigation", 2001, section 6.2.2): spectral density q on the horizontal axes, q/4 on the
// vertical. The covariance is kept as a full symmetric 6×6, row-major upper triangle.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "geodesy.h"

namespace dunlin {

/// Layout of a record, in doubles. TypeScript owns the memory and mirrors these in src/geo/filter_bank.ts.
inline constexpr int kStride = 32;
inline constexpr int kTimeMs = 0;      // time of the state
inline constexpr int kState = 1;       // 6 doubles
inline constexpr int kCovariance = 7;  // 21 doubles
inline constexpr int kActive = 28;     // 0 free, 1 in use
inline constexpr int kAltKnown = 29;   // 1 once a height above the ellipsoid was observed
inline constexpr int kFrame = 30;      // index of the track's frame

/// Layout of one observation handed over.
inline constexpr int kObsTimeMs = 0;
inline constexpr int kObsLat = 1, kObsLon = 2, kObsHae = 3;  // height NaN where it is not known
inline constexpr int kObsSdH = 4, kObsSdV = 5;
inline constexpr int kObsVe = 6, kObsVn = 7, kObsVu = 8;  // local axes at the aircraft; NaN where not known
inline constexpr int kObsSdSpeed = 9, kObsSdClimb = 10;
inline constexpr int kObsStride = 11;

/// One row of a report: lat, lon, height (NaN unknown), ve, vn, vu in local axes, 1-sigma ellipse major, minor, its
/// orientation in degrees from north, vertical sigma (NaN unknown), then lat, lon, height, radius for each lead time.
inline constexpr int kReportBase = 10;
inline constexpr int kReportPerLead = 4;

/// Records farther than this from an observation are not worth a covariance: far beyond any track's gate.
inline constexpr double kGateRadiusM = 5000.0;
inline constexpr double kBeyondHorizonM = 1e6;
inline constexpr double kUnknownHeightSd = 1000.0;
inline constexpr double kInitialSpeedSd = 20.0, kInitialClimbSd = 5.0;

/// Index of (row, column), row ≤ column, in the packed upper triangle.
constexpr int Packed(int row, int column) { return row * 6 - row * (row - 1) / 2 + (column - row); }
inline double At(const double* p, int i, int j) { return i <= j ? p[Packed(i, j)] : p[Packed(j, i)]; }

/// Moves a state and its covariance by dt seconds (negative moves it back without adding noise).
inline void Predict(double* x, double* p, double dt, double q) {
  for (int axis = 0; axis < 3; axis++) x[axis] += x[axis + 3] * dt;
  double noise = std::max(dt, 0.0);
  for (int i = 0; i < 3; i++) {
    for (int j = i; j < 3; j++)
      p[Packed(i, j)] += dt * (At(p, i, j + 3) + At(p, j, i + 3)) + dt * dt * At(p, i + 3, j + 3);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) p[Packed(i, j + 3)] += dt * At(p, i + 3, j + 3);
  for (int axis = 0; axis < 3; axis++) {
    double density = axis == 2 ? q / 4 : q;
    p[Packed(axis, axis)] += density * noise * noise * noise / 3;
    p[Packed(axis, axis + 3)] += density * noise * noise / 2;
    p[Packed(axis + 3, axis + 3)] += density * noise;
  }
}

/// One scalar Kalman update of `value = h·x`, h given by up to three coefficients from `first` on; returns the squared
/// normalised innovation. Sequential scalar updates equal the joint one where the noise is uncorrelated.
inline double ScalarUpdate(double* x, double* p, const double* h, int first, double value, double variance) {
  double gain[6], predicted = 0, innovation_variance = variance;
  for (int i = 0; i < 6; i++) {
    gain[i] = 0;
    for (int k = 0; k < 3; k++) gain[i] += At(p, i, first + k) * h[k];
  }
  for (int k = 0; k < 3; k++) {
    predicted += h[k] * x[first + k];
    innovation_variance += h[k] * gain[first + k];
  }
  double innovation = value - predicted;
  for (int i = 0; i < 6; i++)
    for (int j = i; j < 6; j++) p[Packed(i, j)] -= gain[i] * gain[j] / innovation_variance;
  for (int i = 0; i < 6; i++) x[i] += gain[i] * innovation / innovation_variance;
  return innovation * innovation / innovation_variance;
}

/// An observation brought into a track's frame: position, the axes its errors stand on, and whether height is known.
struct LocalObservation {
  Vec3 enu;
  Mat3 turn;  // from axes at the aircraft to the frame's
  bool height_known;
  double sd_v;
};

inline LocalObservation Localise(const Frame& frame, const double* obs, double assumed_height) {
  bool known = !std::isnan(obs[kObsHae]);
  double height = known ? obs[kObsHae] : assumed_height;
  return {frame.FromGeodetic(obs[kObsLat], obs[kObsLon], height),
          TimesTransposed(frame.axes, EnuAxes(obs[kObsLat], obs[kObsLon])), known,
          known ? obs[kObsSdV] : kUnknownHeightSd};
}

inline void SetDiagonalTurned(double* p, int first, const Mat3& turn, double variance_h, double variance_v) {
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      p[Packed(first + i, first + j)] =
          variance_h * (turn[i * 3] * turn[j * 3] + turn[i * 3 + 1] * turn[j * 3 + 1]) +
          variance_v * turn[i * 3 + 2] * turn[j * 3 + 2];
}

/// Begins a track at an observation.
inline void Initialise(double* record, const Frame& frame, int frame_index, const double* obs) {
  LocalObservation local = Localise(frame, obs, 0);
  double *x = record + kState, *p = record + kCovariance;
  std::fill(record, record + kStride, 0.0);
  record[kTimeMs] = obs[kObsTimeMs];
  record[kActive] = 1;
  record[kAltKnown] = local.height_known ? 1 : 0;
  record[kFrame] = frame_index;
  for (int i = 0; i < 3; i++) x[i] = local.enu[i];
  SetDiagonalTurned(p, 0, local.turn, obs[kObsSdH] * obs[kObsSdH], local.sd_v * local.sd_v);
  bool moving = !std::isnan(obs[kObsVe]), climbing = !std::isnan(obs[kObsVu]);
  Vec3 v = Rotate(local.turn, {moving ? obs[kObsVe] : 0, moving ? obs[kObsVn] : 0, climbing ? obs[kObsVu] : 0});
  for (int i = 0; i < 3; i++) x[3 + i] = v[i];
  double sd_speed = moving ? obs[kObsSdSpeed] : kInitialSpeedSd, sd_climb = climbing ? obs[kObsSdClimb] : kInitialClimbSd;
  SetDiagonalTurned(p, 3, local.turn, sd_speed * sd_speed, sd_climb * sd_climb);
}

/// The height above the ellipsoid that the state holds, for localising an observation that has none.
inline double HeightOf(const double* record, const Frame& frame) {
  return frame.ToGeodetic({record[kState], record[kState + 1], record[kState + 2]})[2];
}

/// Where the height has never been observed, the first one seen replaces the placeholder instead of being averaged with it.
inline void AdoptHeight(double* record, const LocalObservation& local) {
  double *x = record + kState, *p = record + kCovariance;
  for (int i = 0; i < 6; i++)
    if (i != 2) p[i < 2 ? Packed(i, 2) : Packed(2, i)] = 0;
  p[Packed(2, 2)] = local.sd_v * local.sd_v;
  x[2] = local.enu[2];
  record[kAltKnown] = 1;
}

inline double UpdateAlong(double* x, double* p, const Mat3& turn, int axis, int first, const Vec3& value, double sd) {
  // The coefficients are the aircraft's local axis as seen in the frame.
  double h[3] = {turn[axis], turn[3 + axis], turn[6 + axis]};
  double projected = h[0] * value[0] + h[1] * value[1] + h[2] * value[2];
  return ScalarUpdate(x, p, h, first, projected, sd * sd);
}

/// Predicts to the observation's time and updates; returns the squared normalised innovation of the position.
/// An observation older than the state moves the state back and forward again over the same step.
inline double Observe(double* record, const Frame& frame, const double* obs, double q) {
  double *x = record + kState, *p = record + kCovariance;
  double dt = (obs[kObsTimeMs] - record[kTimeMs]) / 1000.0;
  Predict(x, p, dt, q);
  LocalObservation local = Localise(frame, obs, HeightOf(record, frame));
  if (local.height_known && record[kAltKnown] == 0) AdoptHeight(record, local);
  double nis = UpdateAlong(x, p, local.turn, 0, 0, local.enu, obs[kObsSdH]);
  nis += UpdateAlong(x, p, local.turn, 1, 0, local.enu, obs[kObsSdH]);
  if (local.height_known) nis += UpdateAlong(x, p, local.turn, 2, 0, local.enu, obs[kObsSdV]);
  Vec3 v = Rotate(local.turn, {std::isnan(obs[kObsVe]) ? 0 : obs[kObsVe], std::isnan(obs[kObsVn]) ? 0 : obs[kObsVn],
                               std::isnan(obs[kObsVu]) ? 0 : obs[kObsVu]});
  if (!std::isnan(obs[kObsVe])) {
    UpdateAlong(x, p, local.turn, 0, 3, v, obs[kObsSdSpeed]);
    UpdateAlong(x, p, local.turn, 1, 3, v, obs[kObsSdSpeed]);
  }
  if (!std::isnan(obs[kObsVu])) UpdateAlong(x, p, local.turn, 2, 3, v, obs[kObsSdClimb]);
  if (dt < 0) {
    Predict(x, p, -dt, q);
  } else {
    record[kTimeMs] = obs[kObsTimeMs];
  }
  return nis;
}

/// Whether a place on the ground, in the record's frame, is near enough for a gate. What lies deep below the plane is
/// beyond the horizon, where east and north no longer say how far.
inline bool IsWithinGateRadius(const double* record, const Vec3& place) {
  return place[2] > -kBeyondHorizonM &&
         std::hypot(record[kState] - place[0], record[kState + 1] - place[1]) <= kGateRadiusM;
}

/// Squared Mahalanobis distance of an observation's position to a track predicted to its time; infinity where they
/// cannot be compared. Height counts only where both know it.
inline double GateDistance(const double* record, const Frame& frame, const double* obs, double q) {
  double x[6], p[21];
  std::copy(record + kState, record + kState + 6, x);
  std::copy(record + kCovariance, record + kCovariance + 21, p);
  Predict(x, p, (obs[kObsTimeMs] - record[kTimeMs]) / 1000.0, q);
  LocalObservation local = Localise(frame, obs, frame.ToGeodetic({x[0], x[1], x[2]})[2]);
  double d2 = UpdateAlong(x, p, local.turn, 0, 0, local.enu, obs[kObsSdH]);
  d2 += UpdateAlong(x, p, local.turn, 1, 0, local.enu, obs[kObsSdH]);
  if (local.height_known && record[kAltKnown] == 1) d2 += UpdateAlong(x, p, local.turn, 2, 0, local.enu, obs[kObsSdV]);
  return d2;
}

/// 1-sigma ellipse of a 2×2 covariance [a b; b c] over (east, north): {major, minor, degrees from north, 0 ≤ x < 180}.
inline Vec3 Ellipse(double a, double b, double c) {
  double mean = (a + c) / 2, spread = std::hypot((a - c) / 2, b);
  double orientation = 0.5 * std::atan2(2 * b, c - a) / kDegree;
  if (orientation < 0) orientation += 180;
  if (orientation >= 180) orientation -= 180;
  return {std::sqrt(std::max(mean + spread, 0.0)), std::sqrt(std::max(mean - spread, 0.0)), orientation};
}

/// Writes one report row: the state as of `now_ms`, and where the track will be after each lead (seconds).
inline void Report(const double* record, const Frame& frame, double now_ms, double q, const double* leads, int lead_count,
                   double* out) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  double x[6], p[21];
  std::copy(record + kState, record + kState + 6, x);
  std::copy(record + kCovariance, record + kCovariance + 21, p);
  Predict(x, p, std::max(0.0, (now_ms - record[kTimeMs]) / 1000.0), q);
  bool alt_known = record[kAltKnown] == 1;
  Vec3 place = frame.ToGeodetic({x[0], x[1], x[2]});
  Mat3 turn = TimesTransposed(EnuAxes(place[0], place[1]), frame.axes);
  Vec3 velocity = Rotate(turn, {x[3], x[4], x[5]});
  Vec3 ellipse = Ellipse(p[Packed(0, 0)], p[Packed(0, 1)], p[Packed(1, 1)]);
  out[0] = place[0];
  out[1] = place[1];
  out[2] = alt_known ? place[2] : kNaN;
  for (int i = 0; i < 3; i++) out[3 + i] = velocity[i];
  for (int i = 0; i < 3; i++) out[6 + i] = ellipse[i];
  out[9] = alt_known ? std::sqrt(std::max(p[Packed(2, 2)], 0.0)) : kNaN;
  double elapsed = 0;
  for (int lead = 0; lead < lead_count; lead++) {
    Predict(x, p, leads[lead] - elapsed, q);
    elapsed = leads[lead];
    Vec3 there = frame.ToGeodetic({x[0], x[1], x[2]});
    double* cell = out + kReportBase + lead * kReportPerLead;
    cell[0] = there[0];
    cell[1] = there[1];
    cell[2] = alt_known ? there[2] : kNaN;
    cell[3] = Ellipse(p[Packed(0, 0)], p[Packed(0, 1)], p[Packed(1, 1)])[0];
  }
}

/// Moves a record into another frame: position through ECEF, velocity and covariance turned.
inline void Rebase(double* record, const Frame& from, const Frame& to, int to_index) {
  double *x = record + kState, *p = record + kCovariance;
  Vec3 place = to.FromEcef(from.ToEcef({x[0], x[1], x[2]}));
  Mat3 turn = TimesTransposed(to.axes, from.axes);
  Vec3 velocity = Rotate(turn, {x[3], x[4], x[5]});
  double turned[6][6];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          sum += turn[(i % 3) * 3 + k] * At(p, (i / 3) * 3 + k, (j / 3) * 3 + l) * turn[(j % 3) * 3 + l];
      turned[i][j] = sum;
    }
  for (int i = 0; i < 6; i++)
    for (int j = i; j < 6; j++) p[Packed(i, j)] = turned[i][j];
  for (int i = 0; i < 3; i++) {
    x[i] = place[i];
    x[3 + i] = velocity[i];
  }
  record[kFrame] = to_index;
}

}  // namespace dunlin
