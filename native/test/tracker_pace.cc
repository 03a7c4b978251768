// Measures what the tracker must hold in the long run, to be built without sanitizers: no memory taken in the steady
// state, bounds and speed under a flood of invented claims, errors as large as it says. Prints every measure as a line
// of its name and number; the test judges them.
#include <chrono>
#include <cstdlib>
#include <map>

#include "counted_memory.h"
#include "likeness.h"
#include "sky.h"

namespace {

using namespace dunlin;

constexpr double kStepS = 0.1;

void Print(const char* name, double value) { std::printf("%s %.6g\n", name, value); }

Plan RadarAndFixes(int aircraft) {
  Plan plan;
  plan.aircraft = aircraft;
  plan.clutter = 20;
  plan.all_sensors = false;
  return plan;
}

/// Memory taken in the second minute of a steady sky.
void CountMemory(uint64_t seed) {
  Sky sky(seed, RadarAndFixes(200));
  Tracker tracker(Settings{}, Limits{}, sky.site(), 0);
  sky.Place(tracker);
  size_t in_steady_state = 0, rows_taken = 0;
  for (double t = kStepS; t < 120; t += kStepS) {
    std::vector<Row> rows = sky.Fly(t);
    size_t before = times_memory_was_taken;
    tracker.Step(rows.empty() ? nullptr : rows[0].data(), rows.size(), t);
    tracker.Told();
    if (t < 60) continue;
    in_steady_state += times_memory_was_taken - before;
    rows_taken += rows.size();
  }
  Print("steady_tracks", tracker.live().size());
  Print("steady_rows", rows_taken);
  Print("steady_allocations", in_steady_state);
}

/// Somebody who claims to be where nobody is, now or a little ago.
Row Invented(Chance& chance, const Frame& site, double received) {
  Vec3 place = site.ToGeodetic({chance.Between(-5000, 5000), chance.Between(-5000, 5000), chance.Between(50, 300)});
  Row row;
  row.fill(kNone);
  row[kColKind] = kPosition;
  row[kColSensor] = kReceiver;
  row[kColReceived] = received;
  row[kColTime] = received - chance.Between(0, 2);
  row[kColSequence] = 0;
  row[kColClaim] = 100 + chance.Below(1000);
  std::copy(place.begin(), place.end(), &row[kColA]);
  row[kColSdA] = row[kColSdB] = 5;
  return row;
}

/// Numbers of the tracks whose claim the radar bears out.
std::set<uint32_t> Verified(const Tracker& tracker) {
  std::set<uint32_t> numbers;
  for (int slot : tracker.live()) {
    const Track& k = tracker.track(slot);
    if (k.claim >= 0 && tracker.claim(k.claim).verdict == Verdict::kConsistent) numbers.insert(k.number);
  }
  return numbers;
}

/// Half a minute of twenty honest aircraft, then 5 000 invented reports a second beside them.
void Flood(uint64_t seed) {
  constexpr double kCalmS = 30, kFloodS = 15, kReportsPerS = 5000;
  Plan plan = RadarAndFixes(20);
  plan.claimed = 1;
  Sky sky(seed, plan);
  Chance chance(seed);
  Limits limits;
  limits.tracks = 300;
  limits.claims = 1200;
  Tracker tracker(Settings{}, limits, sky.site(), 0);
  sky.Place(tracker);
  std::set<uint32_t> verified;
  double seconds = 0, slowest = 0;
  for (double t = kStepS; t < kCalmS + kFloodS; t += kStepS) {
    bool flooded = t > kCalmS;
    if (!flooded) verified = Verified(tracker);
    std::vector<Row> rows = sky.Fly(t);
    for (int i = 0; flooded && i < kReportsPerS * kStepS; i++)
      rows.push_back(Invented(chance, sky.site(), t - kStepS * chance.Between(0, 1)));
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a[kColReceived] < b[kColReceived]; });
    auto begun = std::chrono::steady_clock::now();
    tracker.Step(rows.empty() ? nullptr : rows[0].data(), rows.size(), t);
    double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    tracker.Told();
    CheckSound(tracker, limits);
    if (!flooded) continue;
    seconds += took;
    slowest = std::max(slowest, took);
  }
  double kept = 0;
  for (int slot : tracker.live()) kept += verified.count(tracker.track(slot).number);
  Print("flood_tracks", tracker.live().size());
  Print("flood_verified", verified.size());
  Print("flood_kept", kept);
  Print("flood_ms_per_s", 1e3 * seconds / kFloodS);
  Print("flood_slowest_step_ms", 1e3 * slowest);
}

/// One transmitter alone that reports 5 000 times a second, each time as of some other moment of the last three seconds.
void Talker(uint64_t seed) {
  constexpr int kReports = 10'000;
  Sky sky(seed, RadarAndFixes(1));
  Chance chance(seed);
  Tracker tracker(Settings{}, Limits{}, sky.site(), 0);
  sky.Place(tracker);
  Row row = Invented(chance, sky.site(), 0);
  auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < kReports; i++) {
    row[kColReceived] = 10 + i / 5000.0;
    row[kColTime] = row[kColReceived] - chance.Between(0, 3);
    tracker.Step(row.data(), 1, kNone);
    tracker.Told();
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  Print("talker_ms_per_s", 1e3 * seconds / (kReports / 5000));
}

/// yᵀ P⁻¹ y of the position; three on average where errors are what they are said to be.
double Nees(const Gaussian& g, const double* truth) {
  double inverse[6], log_det, y[3];
  for (int i = 0; i < 3; i++) y[i] = g.p[i] - truth[i];
  if (!Invert(g.pp, inverse, log_det)) Fail("a covariance is not positive definite", 0);
  return Quadratic(inverse, y);
}

/// Who a track is follows from its claim, or else from the last row that it answered; each second every confirmed one is held against the truth.
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
    tracker.Told();
    if (second < 15) continue;
    for (int slot : tracker.live()) {
      const Track& k = tracker.track(slot);
      if (k.life != Life::kConfirmed || who.count(k.number) == 0 || second - k.heard > 2) continue;
      int owner = k.claim >= 0 ? k.claim : who[k.number];
      // The sky has flown up to its last tick, which is one before the second.
      sum += Nees(tracker.At(slot, second - kStepS), sky.aircraft()[owner].p);
      count++;
    }
  }
  std::printf("nees_%s %.6g\nnees_%s_count %.6g\n", name, sum / count, name, count);
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  CountMemory(seed);
  Flood(seed);
  Talker(seed);
  Consistency("straight", seed, 0, 0);
  Consistency("turning", seed, 1, 0);
  Consistency("claimed", seed, 0.5, 1);
  return 0;
}
