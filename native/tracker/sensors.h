// All sensors of a tracker, by the index in observation rows.
#pragma once

#include <cstring>
#include <vector>

#include "sensor.h"

namespace dunlin {

class Sensors {
 public:
  explicit Sensors(int most) : sensors_(most) {}

  Sensor& operator[](int i) { return sensors_[i]; }
  const Sensor& operator[](int i) const { return sensors_[i]; }
  auto begin() { return sensors_.begin(); }
  auto end() { return sensors_.end(); }
  int size() const { return static_cast<int>(sensors_.size()); }

  /// Number of indices in use: one more than the highest index of a sensor that was declared or has reported.
  int used() const { return used_; }
  void Use(int index) { used_ = std::max(used_, index + 1); }
  /// Number of declared radars.
  int radars() const { return radars_; }
  /// Longest scan period of the declared sensors with a known coverage, s.
  double longest_period() const { return longest_period_; }

  /// Whether the sensor is already declared with the same `columns`, and the axes of the site have not changed since.
  bool Is(int index, const double* columns, const Frame& site) const {
    const Sensor& sensor = sensors_[index];
    return std::memcmp(sensor.declared, columns, sizeof sensor.declared) == 0 && sensor.site == site.origin;
  }

  /// Declares a sensor. The caller must close its open scan before.
  void Declare(int index, const double* columns, const Frame& site) {
    Sensor& sensor = sensors_[index];
    // Learnt values are valid only at one position, so moving a sensor resets them.
    if (std::memcmp(sensor.declared, columns, 3 * sizeof(double)) != 0) sensor = Sensor{};
    std::memcpy(sensor.declared, columns, sizeof sensor.declared);
    sensor.site = site.origin;
    Configure(sensor, site, columns);
    radars_ = 0;
    longest_period_ = 0;
    for (int i = 0; i < used_; i++) {
      const Sensor& s = sensors_[i];
      radars_ += s.radar;
      if (s.covers) longest_period_ = std::max(longest_period_, s.period);
    }
  }

  /// Writes the learnt values of a sensor: offsets in azimuth (deg) and range (m), each 0 while it is not applied;
  /// number of plots; false plots per scan. False if the sensor does not exist.
  bool Learnt(int i, const Settings& set, double* out) const {
    if (i < 0 || i >= size()) return false;
    const Registration& reg = sensors_[i].registration;
    out[kSensorLearntAzimuthOffsetDeg] = reg.AppliesAzimuth(set) ? reg.azimuth / kDegree : 0;
    out[kSensorLearntRangeOffsetM] = reg.AppliesRange(set) ? reg.range : 0;
    out[kSensorLearntPlots] = reg.plots;
    out[kSensorLearntClutterPerScan] = sensors_[i].clutter;
    return true;
  }

 private:
  std::vector<Sensor> sensors_;
  int used_ = 0, radars_ = 0;
  double longest_period_ = 0;
};

}  // namespace dunlin
