// Counts the memory allocations of area measurements, to be built without sanitizers. Prints each result as a line of
// name and number; the test judges them.
#include <cstdio>

#include "counted_memory.h"
#include "sky.h"
#include "made_things.h"

namespace {

using namespace dunlin;

void Print(const char* name, double value) { std::printf("%s %.6g\n", name, value); }

}  // namespace

int main(int argc, char** argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  Chance chance(seed);
  Sky sky(seed, RadarAndFixes(100));
  Tracker tracker(Settings{}, Limits{}, sky.site(), 0);
  sky.Place(tracker);
  std::vector<Row> rows = sky.Fly(20);
  tracker.Step(rows[0].data(), rows.size(), 20);
  Areas areas;
  size_t faulty;
  MadeThings made = MadeThings::Sound(chance, sky.site(), 200, 20000);
  if (areas.Set(made.Rows(), faulty) != kAreasCodeDone) return 1;
  size_t most = tracker.live().size();
  std::vector<double> heads(most * kAreaHeadWidth), out(most * Areas::kMostEach * kAreaWidth);
  size_t before = times_memory_was_taken;
  for (int i = 0; i < 100; i++) {
    areas.Begin(120, false, heads.data(), out.data());
    if (!areas.Measure(tracker, nullptr, 0, 20 + i * 0.1, most)) return 1;
  }
  Print("allocations", times_memory_was_taken - before);
  Print("heads", areas.heads());
  Print("rows", areas.rows());
  if (areas.Measure(tracker, nullptr, 0, 20, most)) Print("beyond_room", 1);
  return 0;
}
