// Measures whether the tracker's errors are as large as it says. Prints, for every population, its mean and over how many
// states that is; the test judges them.
#include <cstdlib>
#include <map>

#include "likeness.h"
#include "sky.h"

namespace {

using namespace dunlin;

/// yᵀ P⁻¹ y of the position; three on average where errors are what they are said to be.
double Nees(const Gaussian& g, const double* truth) {
  double inverse[6], det, y[3];
  for (int i = 0; i < 3; i++) y[i] = g.p[i] - truth[i];
  if (!Invert(g.pp, inverse, det)) Fail("a covariance is not positive definite", 0);
  return Quadratic(inverse, y);
}

/// Compares every confirmed track with the truth each second. Its aircraft follows from its claim, else from the last
/// row that it answered.
void Consistency(const char* name, uint64_t seed, double turning, double claimed) {
  Plan plan = RadarAndFixes(64);
  plan.spacing_m = 900;
  plan.turning = turning;
  plan.claimed = claimed;
  Sky sky(seed, plan);
  Tracker tracker(Settings{}, Limits{}, sky.site(), 0);
  sky.Place(tracker);
  std::map<uint32_t, int> who;
  double sum = 0, count = 0;
  for (int second = 1; second <= 90; second++) {
    std::vector<Row> rows = sky.Fly(second);
    tracker.Step(rows[0].data(), rows.size(), second);
    for (const Answer& a : tracker.answers())
      if (a.number > 0 && sky.Owner(a.sequence) >= 0) who[a.number] = sky.Owner(a.sequence);
    tracker.ClearOutcomes();
    if (second < 15) continue;
    for (int slot : tracker.live()) {
      const Track& k = tracker.track(slot);
      if (k.life != Life::kConfirmed || who.count(k.number) == 0 || second - k.received > 2) continue;
      int owner = k.claim >= 0 ? k.claim : who[k.number];
      // The sky has flown up to its last tick, which is one before the second.
      sum += Nees(tracker.At(slot, second - Sky::kTickS), sky.aircraft()[owner].p);
      count++;
    }
  }
  std::printf("%s %.6g %.0f\n", name, sum / count, count);
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  Consistency("straight", seed, 0, 0);
  Consistency("turning", seed, 1, 0);
  Consistency("claimed", seed, 0.5, 1);
  return 0;
}
