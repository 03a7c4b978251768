// Vehicles and targets across the Node-API boundary: typed arrays in and out, one call for all pairs.
#include "arguments.h"
#include "assign.h"

namespace {

using namespace dunlin;

/// assignVehicles(vehicles, targets, allowed, settings, pairs, chosen) → 0, or −1 if the arguments do not fit together.
Napi::Value AssignVehicles(const Napi::CallbackInfo& info) {
  Napi::Value refused = Napi::Number::New(info.Env(), -1);
  if (!Has(info, 6, {0, 1, 3, 4, 5}) || !IsArray(info[2], napi_uint8_array)) return refused;
  std::span<double> vehicles = Doubles(info, 0), targets = Doubles(info, 1), settings = Doubles(info, 3);
  std::span<double> pairs = Doubles(info, 4), chosen = Doubles(info, 5);
  Napi::Uint8Array allowed = info[2].As<Napi::Uint8Array>();
  size_t n = vehicles.size() / kVehicleWidth, m = targets.size() / kTargetWidth;
  bool whole = vehicles.size() == n * kVehicleWidth && targets.size() == m * kTargetWidth;
  if (!whole || n > VehiclePlanner::kMost || m > VehiclePlanner::kMost || allowed.ElementLength() != n * m ||
      settings.size() != kPlanWidth || pairs.size() != n * m * kPairWidth || (m > 0 && chosen.size() % m != 0))
    return refused;
  // Each thread that loads the addon has its own planner.
  thread_local VehiclePlanner planner;
  if (m > 0)
    planner.Plan(vehicles.data(), n, targets.data(), m, allowed.Data(), settings.data(), pairs.data(), chosen.data(),
                 chosen.size() / m);
  return Napi::Number::New(info.Env(), 0);
}

}  // namespace

void ExportAssign(Napi::Env env, Napi::Object exports) {
  exports.Set("assignVehicles", Napi::Function::New(env, AssignVehicles));
}
