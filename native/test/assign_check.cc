// Check of VehiclePlanner with random and damaged numbers, to be built with sanitizers. Every result must be a matching
// of allowed pairs with finite costs.
#include <cstdio>
#include <cstdlib>

#include "../assign.h"
#include "chance.h"

namespace {

using namespace dunlin;

/// Returns a number between `low` and `high`; one time in 40 an extreme or invalid one.
double Hostile(Chance& chance, double low, double high) {
  if (!chance.OneIn(40)) return chance.Between(low, high);
  switch (chance.Below(6)) {
    case 0: return 0;
    case 1: return -high;
    case 2: return std::numeric_limits<double>::infinity();
    case 3: return std::numeric_limits<double>::quiet_NaN();
    case 4: return 1e300;
    default: return 1e-300;
  }
}

[[noreturn]] void Fail(const char* sentence, int round) {
  std::fprintf(stderr, "round %d: %s\n", round, sentence);
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  Chance chance(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1);
  VehiclePlanner planner;
  constexpr int kRounds = 400;
  for (int round = 0; round < kRounds; round++) {
    size_t most = round % 50 == 0 ? VehiclePlanner::kMost : 12;
    size_t n = chance.Below(static_cast<int>(most) + 1), m = chance.Below(static_cast<int>(most) + 1);
    size_t each = 1 + chance.Below(4);
    std::vector<double> vehicles(n * kVehicleWidth), targets(m * kTargetWidth), settings(kPlanWidth);
    for (double& value : vehicles) value = Hostile(chance, 0, 1000);
    for (double& value : targets) value = Hostile(chance, -1000, 1000);
    for (size_t i = 0; i < m; i++) {
      targets[i * kTargetWidth + kTargetWeight] = chance.Between(0, 1);
      targets[i * kTargetWidth + kTargetWanted] = Hostile(chance, 0, 5);
    }
    for (double& value : settings) value = Hostile(chance, 0, 2);
    settings[kPlanHorizonS] = Hostile(chance, 10, 1000);
    std::vector<uint8_t> allowed(n * m);
    for (uint8_t& may : allowed) may = chance.OneIn(4) ? 0 : 1;
    std::vector<double> pairs(n * m * kPairWidth), chosen(m * each);
    planner.Plan(vehicles.data(), n, targets.data(), m, allowed.data(), settings.data(), pairs.data(), chosen.data(), each);
    std::vector<int> times(n);
    for (size_t i = 0; i < m; i++)
      for (size_t r = 0; r < each; r++) {
        double j = chosen[i * each + r];
        if (j == -1) continue;
        if (!(j >= 0 && j < static_cast<double>(n))) Fail("the index of a vehicle is out of range", round);
        size_t at = i * n + static_cast<size_t>(j);
        if (!allowed[at]) Fail("a forbidden pair was chosen", round);
        if (!std::isfinite(pairs[at * kPairWidth + kPairCost])) Fail("a pair with an infinite cost was chosen", round);
        if (++times[static_cast<size_t>(j)] > 1) Fail("a vehicle was chosen twice", round);
        if (r > 0 && chosen[i * each + r - 1] == -1) Fail("a target got a second vehicle without a first", round);
      }
  }
  std::printf("%d rounds\n", kRounds);
}
