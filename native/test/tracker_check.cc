// Check of the tracker with invalid rows, and with equal rows in different batches, to be built with AddressSanitizer
// and UBSan. Prints the failed check and exits with 1; otherwise prints the number of rounds.
#include "hostile.h"
#include "likeness.h"

namespace {

using namespace dunlin;

constexpr double kSeconds = 40;

Limits SmallLimits() {
  Limits limits;
  limits.tracks = 120;
  limits.claims = 60;
  limits.sensors = 16;
  limits.history = 3000;
  limits.plots = 600;
  limits.edges = 4000;
  return limits;
}

struct Run {
  Limits limits = SmallLimits();
  Tracker tracker;
  SeenOutcomes outcomes;
  explicit Run(const Sky& sky) : tracker(Settings{}, limits, sky.site(), 0) { sky.Place(tracker); }

  void Step(const Row* rows, size_t count, double now) {
    tracker.Step(count > 0 ? rows->data() : nullptr, count, now);
    outcomes.Take(tracker);
  }
  Bits Likeness() const { return LikenessOf(tracker, limits.sensors); }
};

void CheckAlike(const Run& a, const Run& b, const char* what) {
  if (!(a.outcomes == b.outcomes)) Fail(what, -1);
  if (a.Likeness() != b.Likeness()) Fail(what, -2);
}

/// Reports some of the due tracks. Each must be reported at most once, all urgent due tracks must be among them, and
/// the others must stay due.
void CheckTelling(Tracker& tracker, Chance& chance, double t) {
  constexpr double kLeads[] = {5, 30};
  constexpr size_t kWidth = kTrackPredicted + 4 * 2;
  std::vector<double> urgent, rows(kWidth * static_cast<size_t>(tracker.capacity()));
  for (int slot : tracker.live())
    if (chance.OneIn(9)) urgent.push_back(tracker.track(slot).number);
  std::sort(urgent.begin(), urgent.end());
  std::set<double> due, outcomes;
  for (int slot : tracker.live())
    if (tracker.track(slot).dirty) due.insert(tracker.track(slot).number);
  size_t most = chance.Below(40), count = tracker.Report(t, kLeads, 2, urgent.data(), urgent.size(), most, rows.data());
  for (size_t i = 0; i < count; i++) outcomes.insert(rows[kWidth * i + kTrackNumber]);
  if (outcomes.size() != count) Fail("a track was reported twice", static_cast<double>(count));
  if (count < std::min(most, due.size())) Fail("too few tracks were reported", static_cast<double>(count));
  if (!std::includes(due.begin(), due.end(), outcomes.begin(), outcomes.end())) Fail("a reported track was not due", t);
  for (double number : urgent)
    if (due.count(number) != outcomes.count(number)) Fail("an urgent due track was not reported", number);
  if (tracker.Due() != due.size() - count) Fail("a track that was not reported is no longer due", t);
}

/// Checks that the state stays valid under any input.
void CheckAnything(uint64_t seed) {
  Sky sky(seed, Plan{});
  Run run(sky);
  Hostile hostile(seed, run.limits);
  Chance chance(seed);
  for (double t = 0; t < kSeconds; t += 0.25) {
    std::vector<Row> rows;
    for (const Row& row : sky.Fly(t)) {
      if (!chance.OneIn(8)) rows.push_back(row);
      if (chance.OneIn(3)) rows.push_back(hostile.Anything(row));
    }
    run.Step(rows.data(), rows.size(), chance.OneIn(10) ? kNone : t);
    CheckSound(run.tracker, run.limits);
    CheckTelling(run.tracker, chance, t);
  }
}

/// Checks that rejected rows change nothing except the number of rejected rows.
void CheckRejected(uint64_t seed) {
  Sky sky(seed, Plan{});
  Run with(sky), without(sky);
  with.outcomes.unheard = without.outcomes.unheard = kRejectedSequence;
  Hostile hostile(seed, with.limits);
  Chance chance(seed);
  std::vector<Row> sane = sky.Fly(kSeconds);
  uint64_t spoilt = 0;
  for (const Row& row : sane) {
    without.Step(&row, 1, row[kObservedReceivedS]);
    for (; chance.OneIn(2); spoilt++) {
      Row bad = hostile.Rejected(row);
      uint64_t before = with.tracker.rejected();
      with.Step(&bad, 1, kNone);
      if (with.tracker.rejected() == before + 1) continue;
      for (double value : bad) std::printf("%g ", value);
      Fail("an invalid row was not rejected", spoilt);
    }
    with.Step(&row, 1, row[kObservedReceivedS]);
  }
  CheckAlike(with, without, "rejected rows changed the state or the outcomes");
  if (with.tracker.rejected() != without.tracker.rejected() + spoilt) Fail("the count of rejected rows is wrong", spoilt);
  if (with.tracker.live().empty()) Fail("no track began", 0);
}

/// Checks that equal rows give equal results in one batch and in many, with the clock advanced between batches.
void CheckBatches(uint64_t seed) {
  Sky sky(seed, Plan{});
  Run whole(sky), cut(sky);
  std::vector<Row> rows = sky.Fly(kSeconds);
  double end = rows.back()[kObservedReceivedS] + 1;
  whole.Step(rows.data(), rows.size(), end);
  Chance chance(seed);
  for (size_t i = 0; i < rows.size();) {
    size_t count = std::min<size_t>(rows.size() - i, chance.OneIn(2) ? chance.Below(4) : chance.Below(200));
    double last = i + count > 0 ? rows[i + count - 1][kObservedReceivedS] : kNone;
    double next = i + count < rows.size() ? rows[i + count][kObservedReceivedS] : end;
    cut.Step(&rows[i], count, chance.OneIn(2) ? last : last + chance.Between(0, 1) * (next - last));
    i += count;
  }
  cut.Step(nullptr, 0, end);
  CheckAlike(whole, cut, "the results depend on the batches");
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  int rounds = argc > 2 ? std::atoi(argv[2]) : 6;
  for (int round = 0; round < rounds; round++) {
    CheckAnything(seed + round);
    CheckRejected(seed + round);
    CheckBatches(seed + round);
  }
  std::printf("%d rounds\n", rounds);
  return 0;
}
