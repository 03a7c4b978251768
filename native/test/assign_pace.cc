// Counts the memory allocations of ten matchings that follow a first one of the same size. To be built without
// sanitizers.
#include <cstdio>
#include <cstdlib>

#include "../assign.h"
#include "chance.h"
#include "counted_memory.h"

int main(int argc, char** argv) {
  using namespace dunlin;
  Chance chance(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1);
  constexpr size_t kCount = 50, kEach = 2;
  std::vector<double> vehicles, targets, settings{0.4, 0.2, 0.2, 0.1, 0.1, 1, 120, 600};
  auto place = [&] { return chance.Between(-5000, 5000); };
  for (size_t i = 0; i < kCount; i++) {
    for (double value : {place(), place(), 100.0, 15.0, 5.0, 0.0, 90.0, 0.06, 0.0, 0.0, 9000.0, 2000.0, 25.0})
      vehicles.push_back(value);
    for (double value : {place(), place(), 100.0, 5.0, 5.0, 100.0, chance.Between(0, 1), 2.0}) targets.push_back(value);
  }
  std::vector<uint8_t> allowed(kCount * kCount, 1);
  std::vector<double> pairs(kCount * kCount * kPairWidth), chosen(kCount * kEach);
  VehiclePlanner planner;
  auto plan = [&] {
    planner.Plan(vehicles.data(), kCount, targets.data(), kCount, allowed.data(), settings.data(), pairs.data(),
                 chosen.data(), kEach);
  };
  plan();
  size_t before = times_memory_was_taken;
  for (int i = 0; i < 10; i++) plan();
  std::printf("allocations %zu\n", times_memory_was_taken - before);
}
