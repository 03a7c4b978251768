// Positions from bearings alone: crossings of the bearings of three or more sensors.
#pragma once

#include <algorithm>
#include <cmath>

#include "conversion.h"
#include "sensors.h"

namespace dunlin {

/// The position at the assumed height that best fits some bearings (Gauss-Newton along the ground), with its
/// covariance.
struct Crossing {
  double e = 0, n = 0, ee = 0, en = 0, nn = 0;
  double misfit = 0;  // sum of squared normalised residuals
};

/// Computes the crossing point of two bearings; false if they are nearly parallel, or cross behind a sensor.
inline bool Meet(const Sensor& a, double azimuth_a, const Sensor& b, double azimuth_b, double& e, double& n) {
  Vec3 da = Rotate(a.to_site, {std::sin(azimuth_a), std::cos(azimuth_a), 0});
  Vec3 db = Rotate(b.to_site, {std::sin(azimuth_b), std::cos(azimuth_b), 0});
  double cross = da[0] * db[1] - da[1] * db[0];
  if (std::fabs(cross) < 0.2) return false;
  double x = b.at[0] - a.at[0], y = b.at[1] - a.at[1];
  double along_a = (x * db[1] - y * db[0]) / cross, along_b = (x * da[1] - y * da[0]) / cross;
  if (along_a < 0 || along_b < 0) return false;
  e = a.at[0] + along_a * da[0];
  n = a.at[1] + along_a * da[1];
  return true;
}

class Crossings {
 public:
  /// A position where bearings cross, and the indices of these bearings.
  struct Found {
    Measurement m{};
    int32_t emitter = -1;
    int bearings[8], count = 0;
  };

  Crossings(const Settings& set, const Sensors& sensors) : set_(set), sensors_(sensors) {}

  /// Keeps a bearing without a track for `crossing_s`. True if it crosses enough bearings of other sensors: two that
  /// name the same emitter, or three if it names no emitter.
  bool Add(const Plot& p, Found& found);
  /// Removes the bearings of a crossing at which a track began.
  void Use(const Found& found) {
    for (int i = 0; i < found.count; i++) bearings_[found.bearings[i]].sensor = -1;
  }

 private:
  struct Bearing {
    int32_t sensor = -1, emitter = -1;
    double t = 0, azimuth = 0, variance = 0;
  };
  static constexpr int kBearings = 64;

  bool Cross(const int* bearings, int count, Crossing& c) const;
  void Choose(const int* found, int count, int from, int* chosen, int size, int needed, int* best, int& best_size,
              Crossing& least, int& tries) const;

  const Settings& set_;
  const Sensors& sensors_;
  Bearing bearings_[kBearings];
  int next_ = 0;
};

inline bool Crossings::Cross(const int* bearings, int count, Crossing& c) const {
  bool met = false;
  for (int i = 0; i < count && !met; i++)
    for (int j = i + 1; j < count && !met; j++) {
      const Bearing &a = bearings_[bearings[i]], &b = bearings_[bearings[j]];
      met = Meet(sensors_[a.sensor], a.azimuth, sensors_[b.sensor], b.azimuth, c.e, c.n);
    }
  if (!met) return false;
  for (int round = 0; round < 5; round++) {
    double ee = 0, en = 0, nn = 0, ge = 0, gn = 0;
    c.misfit = 0;
    for (int i = 0; i < count; i++) {
      const Bearing& b = bearings_[bearings[i]];
      double p[3] = {c.e, c.n, kAssumedHeightM};
      Sight sight = SightOf(sensors_[b.sensor], p);
      if (sight.range > sensors_[b.sensor].range_most) return false;
      double y = WrapRadians(b.azimuth - sight.azimuth), w = 1 / b.variance;
      double he = sight.by_azimuth[0], hn = sight.by_azimuth[1];
      ee += w * he * he;
      en += w * he * hn;
      nn += w * hn * hn;
      ge += w * he * y;
      gn += w * hn * y;
      c.misfit += w * y * y;
    }
    double det = ee * nn - en * en;
    if (!(det > 0)) return false;
    c.ee = nn / det;
    c.en = -en / det;
    c.nn = ee / det;
    if (round == 4) break;
    c.e += c.ee * ge + c.en * gn;
    c.n += c.en * ge + c.nn * gn;
  }
  return std::isfinite(c.e + c.n) && c.misfit <= set_.crossing_gate;
}

inline bool Crossings::Add(const Plot& p, Found& result) {
  Bearing& mine = bearings_[next_];
  mine = {p.m.sensor, p.emitter, p.m.t, p.raw[0], p.m.r[0]};
  int self = next_;
  next_ = (next_ + 1) % kBearings;
  // Collects recent bearings of other sensors that name the same emitter as this bearing. If this bearing names no
  // emitter, the others must name none either.
  int found[kBearings], count = 0;
  for (int i = 0; i < kBearings; i++) {
    const Bearing& b = bearings_[i];
    if (i == self || b.sensor < 0 || b.sensor == mine.sensor || b.emitter != mine.emitter) continue;
    if (std::fabs(b.t - mine.t) > set_.crossing_s) continue;
    found[count++] = i;
  }
  int needed = mine.emitter >= 0 ? 3 : 4, chosen[8] = {self};
  Crossing least{};
  least.misfit = 1e18;
  int tries = 0;
  Choose(found, count, 0, chosen, 1, needed, result.bearings, result.count, least, tries);
  if (result.count < needed) return false;
  result.emitter = mine.emitter;
  Measurement& m = result.m;
  m.form = Form::kPlace;
  m.sensor = mine.sensor;
  m.t = mine.t;
  m.z[0] = least.e;
  m.z[1] = least.n;
  m.z[2] = kAssumedHeightM;
  double floor2 = set_.crossing_sd_m * set_.crossing_sd_m;
  m.r[0] = least.ee + floor2;
  m.r[1] = least.en;
  m.r[3] = least.nn + floor2;
  m.r[5] = kAssumedHeightSdM * kAssumedHeightSdM;
  return true;
}

/// Tries combinations of bearings, at most one of each sensor, in a bounded number of tries. Keeps the combination with
/// the best fit.
inline void Crossings::Choose(const int* found, int count, int from, int* chosen, int size, int needed, int* best,
                            int& best_size, Crossing& least, int& tries) const {
  if (size == needed) {
    Crossing c;
    if (++tries < 400 && Cross(chosen, size, c) && c.misfit < least.misfit) {
      least = c;
      best_size = size;
      std::copy(chosen, chosen + size, best);
    }
    return;
  }
  for (int i = from; i < count && tries < 400; i++) {
    bool taken = false;
    for (int j = 0; j < size; j++) taken = taken || bearings_[chosen[j]].sensor == bearings_[found[i]].sensor;
    if (taken) continue;
    chosen[size] = found[i];
    Choose(found, count, i + 1, chosen, size + 1, needed, best, best_size, least, tries);
  }
}

}  // namespace dunlin
