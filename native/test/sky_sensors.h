// The sensors of the made-up sky, and rows as they send them.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "../tracker/tracker.h"

namespace dunlin {

using Row = std::array<double, kColumns>;
inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Which sensors there are. Their indices, and who has no place of its own.
enum SkySensor { kScanning, kRotating, kFlat, kCamera, kFirstListener, kReceiver = kFirstListener + 5, kSkySensors };

/// What the tracker is told of one of them.
inline std::array<double, kSenColumns> SkyColumns(int index) {
  std::array<double, kSenColumns> c;
  c.fill(kNone);
  if (index == kReceiver) return c;
  double beside = index >= kFirstListener ? 0.03 : 0.005;
  c[kSenLat] = 48.1 + beside * std::sin(index * 1.3);
  c[kSenLon] = 11.6 + beside * std::cos(index * 1.3);
  c[kSenHeight] = 505;
  c[kSenDetection] = 0.9;
  c[kSenClutter] = 5;
  c[kSenRangeLeast] = 30;
  c[kSenRangeMost] = 15000;
  c[kSenAzimuthWidth] = 360;
  c[kSenElevationLeast] = -10;
  c[kSenElevationMost] = 80;
  c[kSenPeriod] = index == kRotating ? 2 : 1;
  c[kSenRotating] = index == kRotating;
  c[kSenRadar] = index <= kFlat;
  c[kSenCovers] = index <= kRotating;
  return c;
}

}  // namespace dunlin
