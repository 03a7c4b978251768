// One sensor of the tracker: its position, coverage and quality.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "../geodesy.h"
#include "../layouts.h"
#include "gaussian.h"
#include "registration.h"

namespace dunlin {

struct Sensor {
  bool placed = false, level = true, rotating = false, covers = false, radar = false;
  Vec3 at{};      // in the site's axes
  Mat3 to_site{}; // rotates the sensor's east, north, up into the site's axes
  double detection = 0.9, range_least = 0, range_most = 0, azimuth = 0, azimuth_half = 180, elevation_least = -90,
         elevation_most = 90, period = 1;
  double clutter = 1;         // learnt mean number of false plots in a scan
  double clutter_range = 1, clutter_azimuth = 1, clutter_elevation = 1;  // m, rad, rad: space of the false plots
  Registration registration;
  Scatter error;  // errors of the claims that this sensor receives
  double declared[kSensorWidth] = {};  // columns of the last declaration
  Vec3 site{};  // origin of the site's axes at that time
  // The scan that is being received. `expected` is −1 if no head announced the number of plots.
  bool open = false;
  double scan = -1, scan_time = 0, deadline = 0;
  int expected = -1, got = 0, first_plot = -1, last_plot = -1;
  // The current sweep of a rotating sensor; `strangers` counts its plots without a track.
  double sweep = -1, sweep_time = 0;
  int strangers = 0;
  // `headed`: the sensor sends scan heads. The other members are for sensors without scan heads: the learnt period of
  // reports of one track, and the times of the last report and of the last check for misses, all in s. `revisits`
  // counts the intervals from which the period was learnt.
  bool headed = false;
  double revisit = 0, reported_at = -1e18, missed = -1e18;
  int revisits = 0;

  /// Learns the period of reports from a report that follows the previous one of its track by `dt`, s. A miss makes an
  /// interval twice as long or longer, so long intervals are ignored.
  void LearnRevisit(double dt) {
    if (!(dt > 0.05) || dt > 30 || (revisits >= 5 && dt > 1.6 * revisit)) return;
    revisit = revisits == 0 ? dt : revisits < 5 ? std::min(revisit, dt) : revisit + 0.1 * (dt - revisit);
    revisits++;
  }
  /// Learns the number of false plots per scan from a scan in which `strays` plots had no track.
  void LearnClutter(int strays) { clutter = std::max(0.05, clutter + 0.02 * (strays - clutter)); }
  /// Whether all plots that the head of the open scan announced have arrived.
  bool IsComplete() const { return got == expected; }
  /// Whether the sensor is known to report regularly and does so at `now`, s, so that a missing report counts as a
  /// miss.
  bool IsAtWork(double now) const {
    return covers && !headed && revisits >= 5 && now - reported_at < 3 * revisit && now - missed >= revisit;
  }
};

inline void Configure(Sensor& s, const Frame& site, const double* c) {
  auto or_else = [](double value, double otherwise) { return std::isfinite(value) ? value : otherwise; };
  s.placed = std::fabs(c[kSensorLatDeg]) <= 90 && std::fabs(c[kSensorLonDeg]) <= 360 && std::fabs(c[kSensorAltHaeM]) <= 1e6;
  s.level = c[kSensorLevel] != 0;
  if (s.placed) {
    s.at = site.FromGeodetic(c[kSensorLatDeg], c[kSensorLonDeg], c[kSensorAltHaeM]);
    s.to_site = TimesTransposed(site.axes, EnuAxes(c[kSensorLatDeg], c[kSensorLonDeg]));
  }
  s.detection = std::clamp(or_else(c[kSensorDetection], 0.9), 0.05, 0.99);
  s.range_least = or_else(c[kSensorRangeMinM], 0);
  s.range_most = or_else(c[kSensorRangeMaxM], 10000);
  s.azimuth = or_else(c[kSensorAzimuthDeg], 0);
  s.azimuth_half = or_else(c[kSensorAzimuthWidthDeg], 360) / 2;
  s.elevation_least = or_else(c[kSensorElevationMinDeg], -90);
  s.elevation_most = or_else(c[kSensorElevationMaxDeg], 90);
  s.clutter = std::max(0.05, or_else(c[kSensorClutterPerScan], 5));
  s.clutter_range =
      std::max(1.0, or_else(c[kSensorClutterRangeMaxM], s.range_most) - or_else(c[kSensorClutterRangeMinM], s.range_least));
  s.clutter_azimuth = std::max(0.01, 2 * s.azimuth_half * kDegree);
  s.clutter_elevation = std::max(
      0.01, kDegree * (or_else(c[kSensorClutterElevationMaxDeg], std::min(s.elevation_most, 12.0)) -
                       or_else(c[kSensorClutterElevationMinDeg], std::max(s.elevation_least, 0.0))));
  s.period = std::max(0.01, or_else(c[kSensorPeriodS], 1));
  s.radar = s.placed && c[kSensorRanges] == 1;
  s.rotating = c[kSensorRotating] == 1;
  s.covers = s.placed && c[kSensorCovers] == 1;
}

/// Direction from a sensor to a position: azimuth and elevation, rad, and range, m. Each has its derivatives with
/// respect to the position in the site's axes.
struct Sight {
  double azimuth, elevation, range;
  double by_azimuth[3], by_elevation[3], by_range[3];
};

inline Sight SightOf(const Sensor& s, const double* p) {
  Vec3 d = RotateBack(s.to_site, {p[0] - s.at[0], p[1] - s.at[1], p[2] - s.at[2]});
  if (!s.level) d[2] = 0;
  double ground2 = std::max(d[0] * d[0] + d[1] * d[1], 1e-6), ground = std::sqrt(ground2);
  double range2 = ground2 + d[2] * d[2], range = std::sqrt(range2);
  Vec3 azimuth = Rotate(s.to_site, {d[1] / ground2, -d[0] / ground2, 0});
  Vec3 elevation =
      Rotate(s.to_site, {-d[0] * d[2] / (ground * range2), -d[1] * d[2] / (ground * range2), ground / range2});
  Vec3 along = Rotate(s.to_site, {d[0] / range, d[1] / range, d[2] / range});
  Sight sight{std::atan2(d[0], d[1]), std::atan2(d[2], ground), range, {}, {}, {}};
  for (int i = 0; i < 3; i++) {
    sight.by_azimuth[i] = azimuth[i];
    sight.by_elevation[i] = elevation[i];
    sight.by_range[i] = along[i];
  }
  return sight;
}

inline double WrapRadians(double angle) { return std::remainder(angle, 2 * 3.14159265358979323846); }

/// Whether the sensor can see an object at a position: inside the coverage by a margin of 2 · `sigma_m`, m.
inline bool Covers(const Sensor& s, const double* p, double sigma_m) {
  if (!s.placed) return false;
  Vec3 d = RotateBack(s.to_site, {p[0] - s.at[0], p[1] - s.at[1], p[2] - s.at[2]});
  double ground = std::hypot(d[0], d[1]), range = std::hypot(ground, d[2]);
  if (range > s.range_most - 2 * sigma_m || range < s.range_least + 2 * sigma_m) return false;
  double slack = std::min(2 * sigma_m / std::max(range, 1.0), 1.0);
  double elevation = std::atan2(d[2], ground);
  if (elevation < s.elevation_least * kDegree + slack || elevation > s.elevation_most * kDegree - slack) return false;
  if (s.azimuth_half >= 180) return true;
  double off = std::fabs(WrapRadians(std::atan2(d[0], d[1]) - s.azimuth * kDegree));
  return off <= s.azimuth_half * kDegree - slack;
}

}  // namespace dunlin
