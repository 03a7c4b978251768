// Random numbers that follow from a seed and are the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace dunlin {

struct Chance {
  std::mt19937_64 bits;
  explicit Chance(uint64_t seed) : bits(seed) {}
  double Between(double low, double high) { return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53); }
  bool OneIn(double times) { return Between(0, times) < 1; }
  int Below(int count) { return static_cast<int>(bits() % static_cast<uint64_t>(count)); }
  /// Normally distributed number, by the method of Box and Muller.
  double Normal(double sd) {
    return sd * std::sqrt(-2 * std::log(Between(1e-300, 1))) * std::cos(2 * 3.14159265358979323846 * Between(0, 1));
  }
};

}  // namespace dunlin
