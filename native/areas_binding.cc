// Zones and assets across the Node-API boundary: typed arrays in and out, one call per step, codes for errors.
#include "arguments.h"
#include "areas/areas.h"

namespace {

using namespace dunlin;
using Napi::CallbackInfo;
using Napi::Value;

/// Wraps a function whose first argument is a handle of areas. The wrapper returns the function's code, or
/// kAreasCodeNoAreas without such a handle.
template <auto kCall>
Value Checked(const CallbackInfo& info) {
  Areas* areas = Held<Areas>(info, 0);
  return Napi::Number::New(info.Env(), areas ? kCall(*areas, info) : kAreasCodeNoAreas);
}

/// makeAreas() → a handle of an empty set of areas.
Value MakeAreas(const CallbackInfo& info) { return HandleOf(info.Env(), std::make_unique<Areas>()); }

/// setAreas(areas, things, rings, positions, faulty) → code. Replaces all areas; changes nothing on an error. If the
/// code is about one area, faulty[0] becomes its index.
AreasCode SetAreas(Areas& areas, const CallbackInfo& info) {
  if (!Has(info, 5, {1, 2, 3, 4})) return kAreasCodeWrongArguments;
  std::span<double> things = Doubles(info, 1), rings = Doubles(info, 2), positions = Doubles(info, 3), faulty = Doubles(info, 4);
  if (things.size() % kThingWidth != 0 || rings.size() % kThingRingWidth != 0 || positions.size() % kThingPositionWidth != 0 ||
      faulty.empty())
    return kAreasCodeWrongArguments;
  ThingRows rows{things.data(), things.size() / kThingWidth, rings.data(), rings.size() / kThingRingWidth,
                 positions.data(), positions.size() / kThingPositionWidth};
  size_t which = 0;
  AreasCode code = areas.Set(rows, which);
  faulty[0] = static_cast<double>(which);
  return code;
}

/// Begins a measurement. The argument at index `heads` is the array for heads; before it comes the horizon, after it
/// rows and counts. Sets `most` to the number of tracks that the arrays can take. False if an array is missing.
bool Begin(const CallbackInfo& info, Areas& areas, size_t heads, bool brief, size_t& most) {
  if (!Has(info, info.Length(), {heads, heads + 1, heads + 2})) return false;
  std::span<double> to_heads = Doubles(info, heads), to_rows = Doubles(info, heads + 1);
  if (Doubles(info, heads + 2).size() < kMeasuredCountsWidth) return false;
  most = std::min(to_heads.size() / kAreaHeadWidth, to_rows.size() / (Areas::kMostEach * kAreaWidth));
  areas.Begin(info[heads - 1].ToNumber(), brief, to_heads.data(), to_rows.data());
  return true;
}

AreasCode Counted(std::span<double> counts, const Areas& areas, bool whole) {
  counts[kMeasuredCountsHeads] = static_cast<double>(areas.heads());
  counts[kMeasuredCountsRows] = static_cast<double>(areas.rows());
  return whole ? kAreasCodeDone : kAreasCodeNoRoom;
}

/// measureTracks(areas, tracker, chosen, nowS, horizonS, heads, rows, counts, brief) → code. Measures tracks as of
/// nowS, except tracks without a position. `chosen` has their numbers in ascending order; null means all. Writes to
/// `counts` how many heads and rows it wrote.
AreasCode MeasureTracks(Areas& areas, const CallbackInfo& info) {
  Tracker* tracker = Held<Tracker>(info, 1);
  size_t most;
  if (!tracker || info.Length() != 9 || !info[8].IsBoolean() || !(info[2].IsNull() || IsDoubles(info[2])) ||
      !std::isfinite(info[3].ToNumber().DoubleValue()) || !Begin(info, areas, 5, info[8].ToBoolean(), most))
    return kAreasCodeWrongArguments;
  std::span<double> chosen;
  if (!info[2].IsNull()) chosen = Doubles(info, 2);
  // An empty array may have a null address. Null would mean all tracks, so an empty array gets the address of `kNone`.
  static const double kNone = 0;
  const double* numbers = info[2].IsNull() || !chosen.empty() ? chosen.data() : &kNone;
  return Counted(Doubles(info, 7), areas, areas.Measure(*tracker, numbers, chosen.size(), info[3].ToNumber(), most));
}

/// measureStates(areas, states, horizonS, heads, rows, counts) → code. Measures states that come from no tracker.
AreasCode MeasureStates(Areas& areas, const CallbackInfo& info) {
  size_t most;
  if (!Has(info, 6, {1}) || Doubles(info, 1).size() % kAreaStateWidth != 0 || !Begin(info, areas, 3, false, most))
    return kAreasCodeWrongArguments;
  std::span<double> states = Doubles(info, 1);
  size_t count = states.size() / kAreaStateWidth;
  for (size_t i = 0; i < std::min(count, most); i++) areas.Measure(states.data() + i * kAreaStateWidth);
  return Counted(Doubles(info, 5), areas, count <= most);
}

}  // namespace

void ExportAreas(Napi::Env env, Napi::Object exports) {
  exports.Set("makeAreas", Napi::Function::New(env, MakeAreas));
  exports.Set("setAreas", Napi::Function::New(env, Checked<SetAreas>));
  exports.Set("measureTracks", Napi::Function::New(env, Checked<MeasureTracks>));
  exports.Set("measureStates", Napi::Function::New(env, Checked<MeasureStates>));
}
