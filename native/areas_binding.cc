// Zones and assets across the Node-API boundary: typed arrays in and out, one call a step, codes for errors.
#include "areas_binding.h"

#include <memory>

#include "areas/areas.h"

namespace {

using dunlin::Areas;
using dunlin::Tracker;
using Napi::CallbackInfo;
using Napi::Float64Array;
using Napi::Number;
using Napi::Value;

/// What went wrong, for src/core/areas.ts to put into a sentence; what is wrong with a thing is −10 less its ThingFault.
enum Code { kDone = 0, kNoAreas = -1, kWrongArguments = -2, kNoRoom = -3, kFaulty = -10 };

bool IsDoubles(const Value& value) {
  return value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_float64_array;
}

template <typename T>
T* Held(const CallbackInfo& info, size_t i) {
  return info.Length() > i && info[i].IsExternal() ? info[i].As<Napi::External<T>>().Data() : nullptr;
}

Value Told(const CallbackInfo& info, double code) { return Number::New(info.Env(), code); }

/// makeAreas() → a handle on nothing yet.
Value MakeAreas(const CallbackInfo& info) {
  auto areas = std::make_unique<Areas>();
  return Napi::External<Areas>::New(info.Env(), areas.release(), [](Napi::Env, Areas* a) { delete a; });
}

/// setAreas(areas, things, rings, positions, faulty): everything anew, or nothing; faulty[0] becomes the number of the thing
/// that a negative code is about.
Value SetAreas(const CallbackInfo& info) {
  Areas* areas = Held<Areas>(info, 0);
  if (!areas) return Told(info, kNoAreas);
  if (info.Length() != 5) return Told(info, kWrongArguments);
  for (int i : {1, 2, 3, 4})
    if (!IsDoubles(info[i])) return Told(info, kWrongArguments);
  Float64Array things = info[1].As<Float64Array>(), rings = info[2].As<Float64Array>();
  Float64Array positions = info[3].As<Float64Array>(), faulty = info[4].As<Float64Array>();
  if (things.ElementLength() % dunlin::kThingColumns != 0 || rings.ElementLength() % dunlin::kRingColumns != 0 ||
      positions.ElementLength() % 2 != 0 || faulty.ElementLength() < 1)
    return Told(info, kWrongArguments);
  dunlin::ThingRows rows{things.Data(), things.ElementLength() / dunlin::kThingColumns,
                         rings.Data(),  rings.ElementLength() / dunlin::kRingColumns,
                         positions.Data(), positions.ElementLength() / 2};
  size_t which = 0;
  dunlin::ThingFault fault = areas->Set(rows, which);
  faulty.Data()[0] = static_cast<double>(which);
  return Told(info, fault == dunlin::ThingFault::kNone ? static_cast<double>(kDone) : kFaulty - static_cast<int>(fault));
}

/// Room for heads and rows at `heads` and the two after it; the horizon stands before them.
bool Begin(const CallbackInfo& info, Areas& areas, size_t heads, bool brief, size_t& most) {
  for (size_t i = heads; i < heads + 3; i++)
    if (!IsDoubles(info[i])) return false;
  Float64Array to_heads = info[heads].As<Float64Array>(), to_rows = info[heads + 1].As<Float64Array>();
  if (info[heads + 2].As<Float64Array>().ElementLength() < 2) return false;
  most = std::min(to_heads.ElementLength() / dunlin::kHeadColumns,
                  to_rows.ElementLength() / (Areas::kMostEach * dunlin::kAreaColumns));
  areas.Begin(info[heads - 1].ToNumber(), brief, to_heads.Data(), to_rows.Data());
  return true;
}

Value Counted(const CallbackInfo& info, const Areas& areas, size_t counts, bool whole) {
  double* out = info[counts].As<Float64Array>().Data();
  out[0] = static_cast<double>(areas.heads());
  out[1] = static_cast<double>(areas.rows());
  return Told(info, whole ? kDone : kNoRoom);
}

/// measureTracks(areas, tracker, chosen, nowS, horizonS, heads, rows, counts, brief): the tracks that have a place, as of then:
/// those whose numbers are chosen, in rising order, or all where null is; whether rows are brief. counts become the numbers of heads and rows written.
Value MeasureTracks(const CallbackInfo& info) {
  Areas* areas = Held<Areas>(info, 0);
  Tracker* tracker = Held<Tracker>(info, 1);
  if (!areas) return Told(info, kNoAreas);
  size_t most;
  if (!tracker || info.Length() != 9 || !info[8].IsBoolean() || !(info[2].IsNull() || IsDoubles(info[2])) ||
      !std::isfinite(info[3].ToNumber().DoubleValue()) || !Begin(info, *areas, 5, info[8].ToBoolean(), most))
    return Told(info, kWrongArguments);
  const double* chosen = nullptr;
  size_t count = 0;
  if (!info[2].IsNull()) {
    Float64Array numbers = info[2].As<Float64Array>();
    count = numbers.ElementLength();
    // An empty list may have no address, and is not all of them.
    static const double kNone = 0;
    chosen = count > 0 ? numbers.Data() : &kNone;
  }
  return Counted(info, *areas, 7, areas->Measure(*tracker, chosen, count, info[3].ToNumber(), most));
}

/// measureStates(areas, states, horizonS, heads, rows, counts): states that no tracker holds.
Value MeasureStates(const CallbackInfo& info) {
  Areas* areas = Held<Areas>(info, 0);
  if (!areas) return Told(info, kNoAreas);
  size_t most;
  if (info.Length() != 6 || !IsDoubles(info[1]) || info[1].As<Float64Array>().ElementLength() % dunlin::kStateColumns != 0 ||
      !Begin(info, *areas, 3, false, most))
    return Told(info, kWrongArguments);
  Float64Array states = info[1].As<Float64Array>();
  size_t count = states.ElementLength() / dunlin::kStateColumns;
  for (size_t i = 0; i < std::min(count, most); i++) areas->Measure(states.Data() + i * dunlin::kStateColumns);
  return Counted(info, *areas, 5, count <= most);
}

}  // namespace

void ExportAreas(Napi::Env env, Napi::Object exports) {
  exports.Set("makeAreas", Napi::Function::New(env, MakeAreas));
  exports.Set("setAreas", Napi::Function::New(env, SetAreas));
  exports.Set("measureTracks", Napi::Function::New(env, MeasureTracks));
  exports.Set("measureStates", Napi::Function::New(env, MeasureStates));
}
