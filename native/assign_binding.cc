// Vehicles and targets across the Node-API boundary: typed arrays in and out, one call for all pairs.
#include "assign_binding.h"

#include "assign.h"

namespace {

using Napi::CallbackInfo;
using Napi::Float64Array;
using Napi::Number;
using Napi::Value;

bool Is(const Value& value, napi_typedarray_type type) {
  return value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == type;
}

/// assignVehicles(vehicles, targets, allowed, settings, pairs, chosen) → 0, or −1 where the arrays do not fit each other.
Value AssignVehicles(const CallbackInfo& info) {
  Value refused = Number::New(info.Env(), -1);
  if (info.Length() != 6 || !Is(info[2], napi_uint8_array)) return refused;
  for (int i : {0, 1, 3, 4, 5})
    if (!Is(info[i], napi_float64_array)) return refused;
  Float64Array vehicles = info[0].As<Float64Array>(), targets = info[1].As<Float64Array>();
  Float64Array settings = info[3].As<Float64Array>(), pairs = info[4].As<Float64Array>(), chosen = info[5].As<Float64Array>();
  Napi::Uint8Array allowed = info[2].As<Napi::Uint8Array>();
  size_t n = vehicles.ElementLength() / dunlin::kVehicleColumns, m = targets.ElementLength() / dunlin::kTargetColumns;
  using Planner = dunlin::VehiclePlanner;
  bool whole = vehicles.ElementLength() == n * dunlin::kVehicleColumns && targets.ElementLength() == m * dunlin::kTargetColumns;
  if (!whole || n > Planner::kMost || m > Planner::kMost || allowed.ElementLength() != n * m ||
      settings.ElementLength() != dunlin::kPlanSettings || pairs.ElementLength() != n * m * dunlin::kPairColumns ||
      (m > 0 && chosen.ElementLength() % m != 0))
    return refused;
  if (m == 0) return Number::New(info.Env(), 0);
  // Each thread that loads the addon has its own.
  thread_local Planner planner;
  planner.Plan(vehicles.Data(), n, targets.Data(), m, allowed.Data(), settings.Data(), pairs.Data(), chosen.Data(),
               chosen.ElementLength() / m);
  return Number::New(info.Env(), 0);
}

}  // namespace

void ExportAssign(Napi::Env env, Napi::Object exports) {
  exports.Set("assignVehicles", Napi::Function::New(env, AssignVehicles));
}
