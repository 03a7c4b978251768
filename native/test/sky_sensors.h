// The sensors of the simulated sky (sky.h), and the type of their rows.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "../tracker/tracker.h"

namespace dunlin {

using Row = std::array<double, kObservedWidth>;
inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Sensors by index. The receiver of reports by aircraft has no position.
enum SkySensor { kScanning, kRotating, kFlat, kCamera, kFirstListener, kReceiver = kFirstListener + 5, kSkySensors };

/// Declaration of a sensor for the tracker.
inline std::array<double, kSensorWidth> SkyColumns(int index) {
  std::array<double, kSensorWidth> c;
  c.fill(kNone);
  if (index == kReceiver) return c;
  double beside = index >= kFirstListener ? 0.03 : 0.005;
  c[kSensorLatDeg] = 48.1 + beside * std::sin(index * 1.3);
  c[kSensorLonDeg] = 11.6 + beside * std::cos(index * 1.3);
  c[kSensorAltHaeM] = 505;
  c[kSensorDetection] = 0.9;
  c[kSensorClutterPerScan] = 5;
  c[kSensorRangeMinM] = 30;
  c[kSensorRangeMaxM] = 15000;
  c[kSensorAzimuthWidthDeg] = 360;
  c[kSensorElevationMinDeg] = -10;
  c[kSensorElevationMaxDeg] = 80;
  c[kSensorPeriodS] = index == kRotating ? 2 : 1;
  c[kSensorRotating] = index == kRotating;
  c[kSensorRanges] = index <= kFlat;
  c[kSensorCovers] = index <= kRotating;
  return c;
}

}  // namespace dunlin
