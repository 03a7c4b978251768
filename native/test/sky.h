// A simulated sky for checks of the tracker: aircraft that fly straight or turn, sensors that detect them, and the rows
// of these sensors in order of arrival. Everything follows from the seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "chance.h"
#include "sky_sensors.h"

namespace dunlin {

struct Plan {
  int aircraft = 30;
  double spacing_m = 500, turning = 0.5, claimed = 0.6, clutter = 5, detection = 0.9;
  bool all_sensors = true;  // false: only one scanning radar, and the receiver of reports by aircraft
};

/// Plan with one radar that scans once a second, and with reports by aircraft about themselves.
inline Plan RadarAndFixes(int aircraft) {
  Plan plan;
  plan.aircraft = aircraft;
  plan.clutter = 20;
  plan.all_sensors = false;
  return plan;
}

struct Aircraft {
  double p[3], v[3], turn = 0, turn_until = 0;  // rad/s, s
  bool turns = false;
  int claim = -1, emitter = -1;
};

class Sky {
 public:
  static constexpr double kTickS = 0.1;

  Sky(uint64_t seed, const Plan& plan) : chance_(seed), plan_(plan), site_(Frame::At(48.1, 11.6, 500)) {
    int side = static_cast<int>(std::ceil(std::sqrt(plan.aircraft)));
    for (int i = 0; i < plan.aircraft; i++) aircraft_.push_back(Somebody(i, i % side - side / 2.0, i / side - side / 2.0));
    for (int i = 0; i < kSkySensors; i++) Configure(sensors_[i], site_, SkyColumns(i).data());
  }

  const Frame& site() const { return site_; }
  const std::vector<Aircraft>& aircraft() const { return aircraft_; }
  void Place(Tracker& tracker) const {
    for (int i = 0; i < kSkySensors; i++)
      if (plan_.all_sensors || i == kScanning || i == kReceiver) tracker.SetSensor(i, SkyColumns(i).data());
  }
  /// Index of the aircraft that the row with this sequence number is about; −1 for a row about none.
  int Owner(double sequence) const { return owner_[static_cast<size_t>(sequence)]; }

  /// Simulates the sky until `to`, s. Returns the rows received until then and not returned before, in order.
  std::vector<Row> Fly(double to) {
    while (tick_ * kTickS < to) Tick(tick_++ * kTickS);
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [](const Row& a, const Row& b) { return a[kObservedReceivedS] < b[kObservedReceivedS]; });
    auto end = std::find_if(waiting_.begin(), waiting_.end(), [&](const Row& r) { return r[kObservedReceivedS] > to; });
    std::vector<Row> arrived(waiting_.begin(), end);
    waiting_.erase(waiting_.begin(), end);
    return arrived;
  }

 private:
  Aircraft Somebody(int index, double column, double row) {
    Aircraft a;
    double heading = chance_.Between(-3.14, 3.14), speed = chance_.Between(5, 25);
    double p[3] = {column * plan_.spacing_m + chance_.Between(-50, 50), row * plan_.spacing_m + chance_.Between(-50, 50),
                   chance_.Between(60, 300)};
    double v[3] = {speed * std::sin(heading), speed * std::cos(heading), 0};
    std::copy(p, p + 3, a.p);
    std::copy(v, v + 3, a.v);
    a.turns = chance_.Between(0, 1) < plan_.turning;
    if (chance_.Between(0, 1) < plan_.claimed) a.claim = index;
    if (chance_.OneIn(2)) a.emitter = index;
    return a;
  }

  void Tick(double t) {
    for (Aircraft& a : aircraft_) Move(a, t);
    Look(kScanning, t, 10);
    Report(t);
    if (!plan_.all_sensors) return;
    Turn(t);
    Look(kFlat, t + 0.03, 10);
    for (int i = kCamera; i < kReceiver; i++) Glance(i, t);
  }

  void Move(Aircraft& a, double t) {
    if (a.turns && t >= a.turn_until) {
      a.turn = chance_.OneIn(2) ? 0 : chance_.Between(-0.2, 0.2);
      a.turn_until = t + chance_.Between(5, 20);
    }
    double c = std::cos(a.turn * kTickS), s = std::sin(a.turn * kTickS), east = a.v[0];
    a.v[0] = c * east + s * a.v[1];
    a.v[1] = c * a.v[1] - s * east;
    for (int i = 0; i < 3; i++) a.p[i] += a.v[i] * kTickS;
  }

  Row& Send(ObservedKind kind, int sensor, double t, double delay, int owner) {
    Row row;
    row.fill(kNone);
    row[kObservedKind] = kind;
    row[kObservedSensor] = sensor;
    row[kObservedTimeS] = t;
    row[kObservedReceivedS] = t + delay;
    row[kObservedSequence] = static_cast<double>(owner_.size());
    row[kObservedClaim] = row[kObservedEmitter] = row[kObservedScan] = -1;
    owner_.push_back(owner);
    waiting_.push_back(row);
    return waiting_.back();
  }

  /// Writes a sensor's measurement of a position. Every sensor measures an azimuth; scanning and rotating radar add
  /// elevation and range, the flat radar only the range, and the camera only the elevation.
  void Plot(int sensor, const double* p, double t, double delay, double look, int owner) {
    Sight sight = SightOf(sensors_[sensor], p);
    Row& row = Send(kObservedKindPlot, sensor, t, delay, owner);
    bool listens = sensor >= kFirstListener, ranged = sensor <= kFlat, tilted = !listens && sensor != kFlat;
    double sd_angle = listens ? 2 : 0.4, sd_range = 8;
    row[kObservedSdAzimuthDegOrHM] = row[kObservedSdElevationDegOrVM] = sd_angle;
    row[kObservedSdRangeM] = sd_range;
    row[kObservedAzimuthOrLatDeg] = sight.azimuth / kDegree + chance_.Normal(sd_angle);
    if (tilted) row[kObservedElevationOrLonDeg] = sight.elevation / kDegree + chance_.Normal(sd_angle);
    if (ranged) row[kObservedRangeOrAltHaeM] = std::max(0.0, sight.range + chance_.Normal(sd_range));
    row[kObservedScan] = look;
    if (listens && owner >= 0) row[kObservedEmitter] = aircraft_[owner].emitter;
  }

  /// Writes a scan of the whole sky: its head, then its plots, at every tick whose number modulo `every` fits the
  /// sensor.
  void Look(int sensor, double t, int every) {
    if (tick_ % every != sensor % every) return;
    double delay = chance_.Between(0.05, 0.2);
    size_t head = waiting_.size();
    Send(kObservedKindScan, sensor, t, delay, -1)[kObservedScan] = static_cast<double>(tick_);
    for (int i = 0; i < plan_.aircraft; i++)
      if (chance_.Between(0, 1) < plan_.detection) Plot(sensor, aircraft_[i].p, t, delay, tick_, i);
    for (double left = plan_.clutter * chance_.Between(0.5, 1.5); left > 0.5; left--) {
      double p[3] = {chance_.Between(-5000, 5000), chance_.Between(-5000, 5000), chance_.Between(20, 500)};
      Plot(sensor, p, t, delay, tick_, -1);
    }
    waiting_[head][kObservedPlots] = static_cast<double>(waiting_.size() - head - 1);
  }

  /// Writes the plots of the sector that the rotating radar passed in this tick, and a head at the start of each sweep.
  void Turn(double t) {
    double sweep = std::floor(t / 2), from = std::fmod(t, 2) * 180, delay = 0.1;
    if (tick_ % 20 == 0) Send(kObservedKindScan, kRotating, t, delay, -1)[kObservedScan] = sweep;
    for (int i = 0; i < plan_.aircraft; i++) {
      double azimuth = SightOf(sensors_[kRotating], aircraft_[i].p).azimuth / kDegree;
      if (azimuth < 0) azimuth += 360;
      if (azimuth < from || azimuth >= from + 18 || chance_.OneIn(10)) continue;
      Plot(kRotating, aircraft_[i].p, t, delay, sweep, i);
    }
  }

  /// Writes a plot of one aircraft by a camera or listener, in one tick of three on average.
  void Glance(int sensor, double t) {
    if (!chance_.OneIn(3)) return;
    int seen = (tick_ / 3) % plan_.aircraft;
    Plot(sensor, aircraft_[seen].p, t, chance_.Between(0.05, 0.3), -1, seen);
  }

  /// Writes the reports of aircraft with a claim, each once a second, sometimes late and sometimes without a position.
  void Report(double t) {
    for (int i = 0; i < plan_.aircraft; i++) {
      const Aircraft& a = aircraft_[i];
      if (a.claim < 0 || i % 10 != tick_ % 10) continue;
      double delay = chance_.OneIn(10) ? chance_.Between(0.3, 2) : chance_.Between(0.05, 0.3);
      Row& row = Send(chance_.OneIn(20) ? kObservedKindWord : kObservedKindPosition, kReceiver, t, delay, i);
      Vec3 place = site_.ToGeodetic({a.p[0] + chance_.Normal(4), a.p[1] + chance_.Normal(4), a.p[2] + chance_.Normal(6)});
      row[kObservedClaim] = a.claim;
      std::copy(place.begin(), place.end(), &row[kObservedAzimuthOrLatDeg]);
      row[kObservedSdAzimuthDegOrHM] = 4;
      row[kObservedSdElevationDegOrVM] = 6;
      if (i % 3 == 0) continue;
      for (int axis = 0; axis < 3; axis++) row[kObservedEastMps + axis] = a.v[axis] + chance_.Normal(0.5);
      row[kObservedSdSpeedMps] = row[kObservedSdClimbMps] = 0.5;
    }
  }

  Chance chance_;
  Plan plan_;
  Frame site_;
  Sensor sensors_[kSkySensors];
  std::vector<Aircraft> aircraft_;
  std::vector<Row> waiting_;
  std::vector<int> owner_;
  int tick_ = 0;
};

}  // namespace dunlin
