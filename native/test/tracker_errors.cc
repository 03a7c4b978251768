// Measures whether the tracker's errors agree with its covariances. Prints for each population its name, the mean NEES
// (see `Nees`) and the number of compared states; the test judges them.
#include <cstdlib>
#include <map>

#include "likeness.h"
#include "sky.h"

namespace {

using namespace dunlin;

/// Normalised estimation error squared of the position, yᵀ P⁻¹ y. Its mean is 3 if the covariances are right.
double Nees(const Gaussian& g, const double* truth) {
  double inverse[6], det, y[3];
  for (int i = 0; i < 3; i++) y[i] = g.p[i] - truth[i];
  if (!Invert(g.pp, inverse, det)) Fail("a covariance is not positive definite", 0);
  return Quadratic(inverse, y);
}

/// Compares every confirmed track with the truth each second. The aircraft of a track follows from its claim, or
/// without a claim from the last observation that was assigned to the track.
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
      // `aircraft()` holds the state at the sky's last tick, which is one tick before `second`.
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
