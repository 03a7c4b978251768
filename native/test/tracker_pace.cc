// Measures allocations in steady state, and limits and speed under a flood of invented claims, to be built without
// sanitizers. Prints each result as a line of name and number; the test judges them.
#include <chrono>
#include <cstdlib>
#include <set>

#include "counted_memory.h"
#include "likeness.h"
#include "sky.h"

namespace {

using namespace dunlin;

constexpr double kStepS = 0.1;

void Print(const char* name, double value) { std::printf("%s %.6g\n", name, value); }

/// Counts the memory allocations in the second minute of a steady sky.
void CountMemory(uint64_t seed) {
  Sky sky(seed, RadarAndFixes(200));
  Tracker tracker(Settings{}, Limits{}, sky.site(), 0);
  sky.Place(tracker);
  size_t in_steady_state = 0, rows_taken = 0;
  for (double t = kStepS; t < 120; t += kStepS) {
    std::vector<Row> rows = sky.Fly(t);
    size_t before = times_memory_was_taken;
    tracker.Step(rows.empty() ? nullptr : rows[0].data(), rows.size(), t);
    tracker.ClearOutcomes();
    if (t < 60) continue;
    in_steady_state += times_memory_was_taken - before;
    rows_taken += rows.size();
  }
  Print("steady_tracks", tracker.live().size());
  Print("steady_rows", rows_taken);
  Print("steady_allocations", in_steady_state);
}

/// Returns a reported position at which there is no aircraft, measured up to 2 s before its reception.
Row Invented(Chance& chance, const Frame& site, double received) {
  Vec3 place = site.ToGeodetic({chance.Between(-5000, 5000), chance.Between(-5000, 5000), chance.Between(50, 300)});
  Row row;
  row.fill(kNone);
  row[kObservedKind] = kObservedKindPosition;
  row[kObservedSensor] = kReceiver;
  row[kObservedReceivedS] = received;
  row[kObservedTimeS] = received - chance.Between(0, 2);
  row[kObservedSequence] = 0;
  row[kObservedClaim] = 100 + chance.Below(1000);
  std::copy(place.begin(), place.end(), &row[kObservedAzimuthOrLatDeg]);
  row[kObservedSdAzimuthDegOrHM] = row[kObservedSdElevationDegOrVM] = 5;
  return row;
}

/// Returns the numbers of the tracks whose claim the radar confirms.
std::set<uint32_t> Verified(const Tracker& tracker) {
  std::set<uint32_t> numbers;
  for (int slot : tracker.live()) {
    const Track& k = tracker.track(slot);
    if (k.claim >= 0 && tracker.claim(k.claim).verdict == Verdict::kConsistent) numbers.insert(k.number);
  }
  return numbers;
}

/// Simulates 30 s with twenty aircraft, then 15 s with 5 000 invented reports per second in addition.
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
                     [](const Row& a, const Row& b) { return a[kObservedReceivedS] < b[kObservedReceivedS]; });
    auto begun = std::chrono::steady_clock::now();
    tracker.Step(rows.empty() ? nullptr : rows[0].data(), rows.size(), t);
    double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    tracker.ClearOutcomes();
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

/// Simulates one transmitter that reports 5 000 times per second, each time for a random moment of the last 3 s.
void Talker(uint64_t seed) {
  constexpr int kReports = 10'000;
  Sky sky(seed, RadarAndFixes(1));
  Chance chance(seed);
  Tracker tracker(Settings{}, Limits{}, sky.site(), 0);
  sky.Place(tracker);
  Row row = Invented(chance, sky.site(), 0);
  auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < kReports; i++) {
    row[kObservedReceivedS] = 10 + i / 5000.0;
    row[kObservedTimeS] = row[kObservedReceivedS] - (i == 0 ? 3 : chance.Between(0, 3));
    tracker.Step(row.data(), 1, kNone);
    tracker.ClearOutcomes();
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  Print("talker_ms_per_s", 1e3 * seconds / (kReports / 5000));
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  CountMemory(seed);
  Flood(seed);
  Talker(seed);
  return 0;
}
