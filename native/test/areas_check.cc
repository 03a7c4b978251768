// Check of areas with random and damaged input, to be built with AddressSanitizer and UBSan. Prints the failed check
// and exits with 1; otherwise prints the number of rounds.
#include <bit>
#include <cstdio>
#include <cstdlib>

#include "made_things.h"

namespace {

using namespace dunlin;

[[noreturn]] void Fail(const char* what, double where) {
  std::printf("%s (%g)\n", what, where);
  std::exit(1);
}

double Anything(Chance& chance) {
  const double odd[] = {0, -0.0, 1, -1, 2, 89.9999999, 90, -90, 180, -180, 360, 361, 1e6, -1e6, 6.4e6, -6371000, 1e12, 1e18,
                        1e300, -1e300, 5e-324, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::quiet_NaN()};
  return chance.OneIn(2) ? odd[chance.Below(sizeof odd / sizeof *odd)] : chance.Between(-100, 100);
}

void Spoil(Chance& chance, std::vector<double>& list) {
  if (!list.empty()) list[chance.Below(static_cast<int>(list.size()))] = Anything(chance);
}

/// Checks the order and the number of the rows of a measurement.
void CheckRows(Areas& areas, const std::vector<std::vector<double>>& states, double horizon) {
  // The arrays have exactly the needed room, so that the sanitizer finds every write beyond it.
  std::vector<double> heads(states.size() * kAreaHeadWidth), rows(states.size() * Areas::kMostEach * kAreaWidth);
  areas.Begin(horizon, false, heads.data(), rows.data());
  for (const std::vector<double>& state : states) areas.Measure(state.data());
  if (areas.heads() > states.size() || areas.rows() > states.size() * Areas::kMostEach) Fail("too many heads or rows", areas.rows());
  double next = 0;
  for (size_t h = 0; h < areas.heads(); h++) {
    const double* head = &heads[h * kAreaHeadWidth];
    if (head[kAreaHeadFirst] != next) Fail("rows do not follow each other", head[kAreaHeadFirst]);
    if (head[kAreaHeadMeasured] > Nearest::kMost || head[kAreaHeadContained] > Nearest::kMost) Fail("too many rows of one kind", h);
    next += head[kAreaHeadMeasured] + head[kAreaHeadContained];
    for (double r = head[kAreaHeadFirst]; r < next; r++) {
      const double* row = &rows[static_cast<size_t>(r) * kAreaWidth];
      if (!(row[kAreaThing] < static_cast<double>(areas.size()))) Fail("a row names an area that does not exist", row[kAreaThing]);
      bool again = r > head[kAreaHeadFirst] && r != head[kAreaHeadFirst] + head[kAreaHeadMeasured];
      // All areas that contain the track have the distance 0 in this order.
      if (again && std::max(0.0, row[kAreaDistanceM]) < std::max(0.0, row[kAreaDistanceM - kAreaWidth])) Fail("rows are not ordered by distance", r);
    }
  }
}

/// Returns the heads and rows of one measurement. All NaN values get equal bits, so that results can be compared bit by
/// bit.
std::vector<double> RowsOf(Areas& areas, const std::vector<std::vector<double>>& states, double horizon, bool brief) {
  std::vector<double> heads(states.size() * kAreaHeadWidth), rows(states.size() * Areas::kMostEach * kAreaWidth);
  areas.Begin(horizon, brief, heads.data(), rows.data());
  for (const std::vector<double>& state : states) areas.Measure(state.data());
  heads.resize(areas.heads() * kAreaHeadWidth);
  heads.insert(heads.end(), rows.data(), rows.data() + areas.rows() * kAreaWidth);
  for (double& value : heads)
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  return heads;
}

/// Checks that the fastest kernels of this processor (`best`) and the SSE2 kernels (`common`) give bitwise equal
/// results.
void CheckLanes(Areas& best, Areas& common, const std::vector<std::vector<double>>& states, double horizon) {
  for (bool brief : {false, true}) {
    std::vector<double> one = RowsOf(best, states, horizon, brief), other = RowsOf(common, states, horizon, brief);
    if (one.size() != other.size()) Fail("the kernels report different areas", static_cast<double>(one.size()));
    for (size_t i = 0; i < one.size(); i++)
      if (std::bit_cast<uint64_t>(one[i]) != std::bit_cast<uint64_t>(other[i])) Fail("the kernels give different bits", static_cast<double>(i));
  }
}

void CheckAnything(uint64_t seed) {
  Chance chance(seed);
  Frame site = chance.OneIn(3) ? Frame::At(90, 0, 0) : Frame::At(chance.Between(-90, 90), chance.OneIn(2) ? 180 : chance.Between(-180, 180), 0);
  double width = chance.OneIn(4) ? 2e6 : 20000;
  Areas areas, common(Kernels::Common());
  for (int round = 0; round < 30; round++) {
    MadeThings made = MadeThings::Sound(chance, site, 1 + chance.Below(40), width);
    bool spoilt = !chance.OneIn(3);
    for (int i = 0; spoilt && i < 1 + chance.Below(4); i++) {
      Spoil(chance, made.positions);
      if (chance.OneIn(2)) Spoil(chance, made.things);
      if (chance.OneIn(2)) Spoil(chance, made.rings);
    }
    size_t faulty, before = areas.size();
    AreasCode fault = areas.Set(made.Rows(), faulty);
    if (fault != kAreasCodeDone && areas.size() != before) Fail("a refused set replaced the previous areas", seed);
    if (!spoilt && fault != kAreasCodeDone && width < 1e6) Fail("valid areas were refused", static_cast<double>(fault));
    size_t same;
    if (common.Set(made.Rows(), same) != fault) Fail("only one of the kernels accepts the areas", static_cast<double>(fault));
    std::vector<std::vector<double>> states;
    for (int i = 0; i < 20; i++) {
      states.push_back(MadeState(chance, site, i, width));
      for (int k = 0; k < 3 && chance.OneIn(2); k++) Spoil(chance, states.back());
    }
    double horizon = chance.OneIn(4) ? Anything(chance) : 120;
    CheckRows(areas, states, horizon);
    CheckLanes(areas, common, states, horizon);
  }
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  int rounds = argc > 2 ? std::atoi(argv[2]) : 20;
  for (int round = 0; round < rounds; round++) CheckAnything(seed + round);
  std::printf("%d rounds\n", rounds);
  return 0;
}
