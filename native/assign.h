// Matching of own vehicles to targets over all pairs at once: the cost of each pair, and the assignment of least total
// cost. Positions are metres in one local plane. Memory is allocated only while the sizes grow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "layouts.h"
#include "tracker/assignment.h"

namespace dunlin {

/// Length of a vector. Several times as fast as std::hypot, which guards against an overflow that cannot occur with
/// these numbers.
inline double Length(double a, double b) { return std::sqrt(a * a + b * b); }

/// Result of a vehicle's flight to the standoff distance of a moving target. It has the duration, the vehicle's
/// position at the end, and the least distance from the target on the way, m.
struct Meeting {
  double seconds;  // from launch on; 0 if the target is already that near at launch; infinite if it is never reached
  double east, north;
  double closest;
};

/// Computes the earliest time at which a vehicle comes within the target's standoff distance. The target keeps its
/// velocity v, and moves for `launch_s` seconds before the vehicle starts; it is then at the offset d from the vehicle.
/// The time is the least t ≥ 0 with |d + v t| = standoff + speed t, a quadratic equation.
inline Meeting MeetingOf(const double* vehicle, const double* target, double launch_s) {
  double ve = target[kTargetEastMps], vn = target[kTargetNorthMps];
  double de = target[kTargetEastM] + ve * launch_s - vehicle[kVehicleEastM];
  double dn = target[kTargetNorthM] + vn * launch_s - vehicle[kVehicleNorthM];
  double speed = vehicle[kVehicleSpeedMps], standoff = target[kTargetStandoffM];
  double apart = std::sqrt(de * de + dn * dn);
  if (apart <= standoff) return {0, vehicle[kVehicleEastM], vehicle[kVehicleNorthM], apart};
  double a = ve * ve + vn * vn - speed * speed, b = 2 * (de * ve + dn * vn - standoff * speed);
  double c = apart * apart - standoff * standoff;
  double t = std::numeric_limits<double>::infinity();
  if (std::abs(a) < 1e-9) {
    if (b < 0) t = -c / b;
  } else {
    double discriminant = b * b - 4 * a * c;
    if (discriminant >= 0) {
      // Both roots are computed from `q`, so that neither subtracts nearly equal numbers.
      double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
      for (double root : {q / a, q != 0 ? c / q : -1.0})
        if (root >= 0 && root < t) t = root;
    }
  }
  if (!std::isfinite(t)) return {t, 0, 0, apart};
  double te = de + ve * t, tn = dn + vn * t;
  double far = std::sqrt(te * te + tn * tn);
  double part = far > 0 ? std::max(0.0, far - standoff) / far : 0;
  Meeting meeting{t, vehicle[kVehicleEastM] + te * part, vehicle[kVehicleNorthM] + tn * part, apart};
  // Vehicle and target move at constant velocity, so the least distance has a closed form.
  if (t > 0) {
    double re = ve - te * part / t, rn = vn - tn * part / t, rr = re * re + rn * rn;
    double at = rr > 0 ? std::clamp(-(de * re + dn * rn) / rr, 0.0, t) : 0;
    meeting.closest = Length(de + re * at, dn + rn * at);
  }
  return meeting;
}

/// Returns the squared distance, m², between the straight path of vehicle `j` to (`be`, `bn`) and the nearest other
/// vehicle. Returns `most` if no vehicle is nearer.
inline double NearestSquared(const double* vehicles, size_t n, size_t j, double be, double bn, double most) {
  const double* v = vehicles + j * kVehicleWidth;
  double ae = v[kVehicleEastM], an = v[kVehicleNorthM], we = be - ae, wn = bn - an, ww = we * we + wn * wn;
  double inverse = ww > 0 ? 1 / ww : 0, least = most;
  for (size_t i = 0; i < n; i++) {
    if (i == j) continue;
    double pe = vehicles[i * kVehicleWidth + kVehicleEastM] - ae, pn = vehicles[i * kVehicleWidth + kVehicleNorthM] - an;
    double at = std::min(1.0, std::max(0.0, (pe * we + pn * wn) * inverse));
    double de = pe - at * we, dn = pn - at * wn;
    least = std::min(least, de * de + dn * dn);
  }
  return least;
}

class VehiclePlanner {
 public:
  static constexpr size_t kMost = kLimitMatched;

  /// Writes the cost of each pair to `pairs` (targets × vehicles, row-major). Writes the indices of each target's
  /// vehicles to `chosen` (targets × `each`): one for each round of the assignment, −1 if the round assigned none.
  /// `allowed` (targets × vehicles) states which pairs are permitted.
  void Plan(const double* vehicles, size_t n, const double* targets, size_t m, const uint8_t* allowed,
            const double* settings, double* pairs, double* chosen, size_t each) {
    for (size_t i = 0; i < m; i++)
      for (size_t j = 0; j < n; j++)
        Weigh(vehicles, n, j, targets + i * kTargetWidth, allowed[i * n + j] != 0, settings,
              pairs + (i * n + j) * kPairWidth);
    Choose(n, targets, m, pairs, chosen, each);
  }

 private:
  /// Cost of a target without a vehicle. It far exceeds the cost of a pair, because it matters more that a target gets
  /// a vehicle than which one.
  static constexpr double kMissed = 1000;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  /// `kHalfTimeS`: time at which the cost of time reaches half of its maximum, s. `kNearM`: distance below which
  /// another own vehicle near the path adds cost, m.
  static constexpr double kHalfTimeS = 60, kNearM = 500;

  static void Weigh(const double* vehicles, size_t n, size_t j, const double* target, bool allowed,
                    const double* settings, double* pair) {
    const double* vehicle = vehicles + j * kVehicleWidth;
    double apart = Length(target[kTargetEastM] - vehicle[kVehicleEastM], target[kTargetNorthM] - vehicle[kVehicleNorthM]);
    auto answer = [&](PairWhy why, double cost, double time_s, double after, double closest) {
      pair[kPairWhy] = static_cast<double>(why);
      pair[kPairCost] = cost;
      pair[kPairTimeS] = time_s;
      pair[kPairEnergyAfterPct] = after;
      pair[kPairClosestM] = closest;
    };
    auto refuse = [&](PairWhy why, double time_s, double after) { answer(why, kInfinity, time_s, after, apart); };
    double energy = vehicle[kVehicleEnergyPct], sees = vehicle[kVehicleSeesM];
    if (!allowed) return refuse(PairWhy::kNotAllowed, kInfinity, energy);
    if (settings[kPlanMoving] == 0) {
      double slant = Length(apart, target[kTargetUpM] - vehicle[kVehicleUpM]);
      if (!(slant <= sees)) return refuse(PairWhy::kSeesNothing, 0, energy);
      double strained = std::isfinite(sees) && sees > 0 ? slant / sees : 0;
      return answer(PairWhy::kFits, settings[kPlanWeightSensor] * strained, 0, energy, apart);
    }
    Meeting meeting = MeetingOf(vehicle, target, vehicle[kVehicleLaunchS]);
    double rise_s = std::abs(target[kTargetUpM] - vehicle[kVehicleUpM]) / vehicle[kVehicleClimbMps];
    double flight_s = std::max(meeting.seconds, rise_s), time_s = flight_s + vehicle[kVehicleLaunchS];
    if (!(time_s <= settings[kPlanHorizonS])) return refuse(PairWhy::kTooSlow, kInfinity, energy);
    double away = Length(meeting.east - vehicle[kVehicleHomeEastM], meeting.north - vehicle[kVehicleHomeNorthM]);
    double used = vehicle[kVehicleDrainPctPerS] * (flight_s + settings[kPlanStationS] + away / vehicle[kVehicleSpeedMps]);
    double after = energy - used;
    if (!(away <= vehicle[kVehicleReachM])) return refuse(PairWhy::kOutOfReach, time_s, after);
    if (!(after >= vehicle[kVehicleReservePct])) return refuse(PairWhy::kLowEnergy, time_s, after);
    double near = std::sqrt(NearestSquared(vehicles, n, j, meeting.east, meeting.north, kNearM * kNearM));
    double crowd = 1 - near / kNearM;
    double seeing = sees > 0 ? (std::isfinite(sees) ? std::clamp(target[kTargetStandoffM] / sees, 0.0, 1.0) : 0) : 1;
    double cost = settings[kPlanWeightTime] * time_s / (time_s + kHalfTimeS) +
                  settings[kPlanWeightEnergy] * std::clamp(used / 100, 0.0, 1.0) + settings[kPlanWeightSensor] * seeing +
                  settings[kPlanWeightLink] * (std::isfinite(vehicle[kVehicleReachM]) ? away / vehicle[kVehicleReachM] : 0) +
                  settings[kPlanWeightSeparation] * crowd;
    answer(PairWhy::kFits, cost, time_s, after, meeting.closest);
  }

  /// Chooses in rounds: the first gives each target one vehicle, and later ones give further vehicles to targets that
  /// want more.
  void Choose(size_t n, const double* targets, size_t m, const double* pairs, double* chosen, size_t each) {
    std::fill(chosen, chosen + m * each, -1.0);
    taken_.assign(n, 0);
    for (size_t round = 0; round < each; round++) {
      Gather(n, targets, m, pairs, chosen, each, round);
      if (rows_.empty() || free_.empty()) return;
      // The matrix has one column for each free vehicle. For each target it has a further column that means no vehicle.
      size_t vehicles = free_.size(), columns = vehicles + rows_.size();
      costs_.resize(rows_.size() * columns);
      for (size_t r = 0; r < rows_.size(); r++) {
        size_t i = rows_[r];
        double* row = costs_.data() + r * columns;
        for (size_t f = 0; f < vehicles; f++) {
          double cost = pairs[(i * n + free_[f]) * kPairWidth + kPairCost];
          row[f] = std::isfinite(cost) ? cost : 10 * kMissed;
        }
        std::fill(row + vehicles, row + columns, kMissed * (1 + targets[i * kTargetWidth + kTargetWeight]));
      }
      column_of_.assign(rows_.size(), 0);
      assigner_.Solve(costs_.data(), static_cast<int>(rows_.size()), static_cast<int>(columns), column_of_.data());
      for (size_t r = 0; r < rows_.size(); r++) {
        size_t f = static_cast<size_t>(column_of_[r]);
        if (f >= vehicles || costs_[r * columns + f] >= kMissed) continue;
        chosen[rows_[r] * each + round] = static_cast<double>(free_[f]);
        taken_[free_[f]] = 1;
      }
    }
  }

  /// Collects for one round the targets that a free vehicle can serve, and the free vehicles that can serve a target.
  /// After round 0, only targets take part that want more vehicles and got one in the previous round.
  void Gather(size_t n, const double* targets, size_t m, const double* pairs, const double* chosen, size_t each,
              size_t round) {
    rows_.clear();
    free_.clear();
    useful_.assign(n, 0);
    for (size_t i = 0; i < m; i++) {
      bool has = round == 0 || chosen[i * each + round - 1] >= 0;
      if (!has || !(targets[i * kTargetWidth + kTargetWanted] > static_cast<double>(round))) continue;
      bool any = false;
      for (size_t j = 0; j < n; j++) {
        if (taken_[j] || !std::isfinite(pairs[(i * n + j) * kPairWidth + kPairCost])) continue;
        useful_[j] = 1;
        any = true;
      }
      if (any) rows_.push_back(i);
    }
    for (size_t j = 0; j < n; j++)
      if (useful_[j]) free_.push_back(j);
  }

  Assigner assigner_{static_cast<int>(2 * kMost)};
  std::vector<double> costs_;
  std::vector<size_t> rows_, free_;
  std::vector<int> column_of_;
  std::vector<uint8_t> taken_, useful_;
};

}  // namespace dunlin
