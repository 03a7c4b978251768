// The tracker across the Node-API boundary: typed arrays in and out, one call a batch, codes for errors.
#include "tracker_binding.h"

#include <cmath>
#include <memory>

#include "tracker/tracker.h"

namespace {

using dunlin::Tracker;
using Napi::CallbackInfo;
using Napi::Float64Array;
using Napi::Number;
using Napi::Value;

/// What went wrong, for src/core/tracker.ts to put into a sentence.
enum Code { kDone = 0, kRowsUnshapely = -1, kNoTracker = -2, kWrongArguments = -3, kAnswersTooMany = -4, kSiteTaken = -5 };

bool IsDoubles(const Value& value) {
  return value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_float64_array;
}

Tracker* TrackerOf(const CallbackInfo& info) {
  return info.Length() > 0 && info[0].IsExternal() ? info[0].As<Napi::External<Tracker>>().Data() : nullptr;
}

Value Told(const CallbackInfo& info, int code) { return Number::New(info.Env(), code); }

/// trackerSettings() → {name: default}
Value SettingNames(const CallbackInfo& info) {
  Napi::Object out = Napi::Object::New(info.Env());
#define DUNLIN_DEFAULT(name, value) out.Set(#name, Number::New(info.Env(), value));
  DUNLIN_TRACKER_SETTINGS(DUNLIN_DEFAULT)
#undef DUNLIN_DEFAULT
  return out;
}

/// makeTracker(settings, limits, lat, lon, height, lastNumber) → a handle. `settings` in the order of their list, NaN for
/// the default; `limits`: tracks, claims, sensors.
Value MakeTracker(const CallbackInfo& info) {
  if (info.Length() != 6 || !IsDoubles(info[0]) || !IsDoubles(info[1]) || info[1].As<Float64Array>().ElementLength() != 3)
    return Told(info, kWrongArguments);
  Float64Array given = info[0].As<Float64Array>(), most = info[1].As<Float64Array>();
  dunlin::Settings settings;
  size_t i = 0;
#define DUNLIN_TAKE(name, value)                                                                        \
  if (i < given.ElementLength() && std::isfinite(given.Data()[i])) settings.name = given.Data()[i];     \
  i++;
  DUNLIN_TRACKER_SETTINGS(DUNLIN_TAKE)
#undef DUNLIN_TAKE
  dunlin::Limits limits;
  limits.tracks = static_cast<int>(std::clamp(most.Data()[0], 1.0, 1e5));
  limits.claims = static_cast<int>(std::clamp(most.Data()[1], 1.0, 1e5));
  limits.sensors = static_cast<int>(std::clamp(most.Data()[2], 1.0, 1e4));
  limits.history = limits.tracks * 8;
  limits.plots = std::max(limits.plots, 2 * limits.tracks);
  limits.edges = 8 * limits.plots;
  dunlin::Frame site = dunlin::Frame::At(info[2].ToNumber(), info[3].ToNumber(), info[4].ToNumber());
  auto tracker = std::make_unique<Tracker>(settings, limits, site, info[5].ToNumber().Uint32Value());
  return Napi::External<Tracker>::New(info.Env(), tracker.release(), [](Napi::Env, Tracker* t) { delete t; });
}

/// setTrackerLife(tracker, life): confirm_hits, confirm_window_s, coast_s, lost_s, close_s, from the next step on; NaN
/// leaves one as it is. Of all settings these may change while tracks live: no room was made by them.
Value SetLife(const CallbackInfo& info) {
  Tracker* tracker = TrackerOf(info);
  if (!tracker) return Told(info, kNoTracker);
  if (info.Length() != 2 || !IsDoubles(info[1]) || info[1].As<Float64Array>().ElementLength() != 5)
    return Told(info, kWrongArguments);
  dunlin::Settings& set = tracker->settings();
  double* const fields[] = {&set.confirm_hits, &set.confirm_window_s, &set.coast_s, &set.lost_s, &set.close_s};
  const double* given = info[1].As<Float64Array>().Data();
  for (int i = 0; i < 5; i++)
    if (std::isfinite(given[i])) *fields[i] = given[i];
  return Told(info, kDone);
}

/// setSite(tracker, lat, lon, height)
Value SetSite(const CallbackInfo& info) {
  Tracker* tracker = TrackerOf(info);
  if (!tracker || info.Length() != 4) return Told(info, tracker ? kWrongArguments : kNoTracker);
  dunlin::Frame site = dunlin::Frame::At(info[1].ToNumber(), info[2].ToNumber(), info[3].ToNumber());
  return Told(info, tracker->SetSite(site) ? kDone : kSiteTaken);
}

/// setTrackerSensor(tracker, index, columns)
Value SetSensor(const CallbackInfo& info) {
  Tracker* tracker = TrackerOf(info);
  if (!tracker) return Told(info, kNoTracker);
  if (info.Length() != 3 || !IsDoubles(info[2]) || info[2].As<Float64Array>().ElementLength() != dunlin::kSenColumns)
    return Told(info, kWrongArguments);
  tracker->SetSensor(info[1].ToNumber(), info[2].As<Float64Array>().Data());
  return Told(info, kDone);
}

/// stepTracker(tracker, observations, nowS, answers, ends, partings, counts): takes a batch and lets time pass. counts[0]
/// becomes the number of tracks that are to be told anew, 0 where nowS is no time, counts[1..3] those of answers, ends and
/// partings that were written; counts[4] is when something becomes due by itself, s.
Value Step(const CallbackInfo& info) {
  Tracker* tracker = TrackerOf(info);
  if (!tracker) return Told(info, kNoTracker);
  if (info.Length() != 7) return Told(info, kWrongArguments);
  for (int i : {1, 3, 4, 5, 6})
    if (!IsDoubles(info[i])) return Told(info, kWrongArguments);
  Float64Array in = info[1].As<Float64Array>(), answers = info[3].As<Float64Array>(), ends = info[4].As<Float64Array>();
  Float64Array partings = info[5].As<Float64Array>(), counts = info[6].As<Float64Array>();
  if (in.ElementLength() % dunlin::kColumns != 0) return Told(info, kRowsUnshapely);
  if (counts.ElementLength() < 5) return Told(info, kWrongArguments);
  double now = info[2].ToNumber();
  tracker->Step(in.Data(), in.ElementLength() / dunlin::kColumns, now);
  if (tracker->answers().size() * 6 > answers.ElementLength() || tracker->ends().size() * 3 > ends.ElementLength() ||
      tracker->partings().size() * 3 > partings.ElementLength())
    return Told(info, kAnswersTooMany);
  double* out = answers.Data();
  for (const dunlin::Answer& a : tracker->answers()) {
    *out++ = a.sequence;
    *out++ = a.number;
    *out++ = a.sensor;
    *out++ = a.received;
    *out++ = a.row;
    *out++ = a.signal;
  }
  out = ends.Data();
  for (const dunlin::End& e : tracker->ends()) {
    *out++ = e.number;
    *out++ = static_cast<double>(e.reason);
    *out++ = e.into;
  }
  out = partings.Data();
  for (const dunlin::Parting& p : tracker->partings()) {
    *out++ = p.claim;
    *out++ = p.from;
    *out++ = p.to;
  }
  // To count them takes a look at every track.
  counts.Data()[0] = std::isfinite(now) ? static_cast<double>(tracker->Due()) : 0;
  counts.Data()[1] = static_cast<double>(tracker->answers().size());
  counts.Data()[2] = static_cast<double>(tracker->ends().size());
  counts.Data()[3] = static_cast<double>(tracker->partings().size());
  tracker->Told();
  counts.Data()[4] = tracker->due();
  return Told(info, kDone);
}

/// reportTracks(tracker, nowS, leads, urgent, most, rows) → how many rows were written.
Value Report(const CallbackInfo& info) {
  Tracker* tracker = TrackerOf(info);
  if (!tracker) return Told(info, kNoTracker);
  if (info.Length() != 6 || !IsDoubles(info[2]) || !IsDoubles(info[3]) || !IsDoubles(info[5]))
    return Told(info, kWrongArguments);
  Float64Array leads = info[2].As<Float64Array>(), urgent = info[3].As<Float64Array>(), rows = info[5].As<Float64Array>();
  size_t width = dunlin::kRowPredicted + 4 * leads.ElementLength(), most = info[4].ToNumber().Uint32Value();
  // However many are urgent, no more than all of them are told.
  if (rows.ElementLength() < width * tracker->capacity()) return Told(info, kAnswersTooMany);
  size_t told = tracker->Report(info[1].ToNumber(), leads.Data(), static_cast<int>(leads.ElementLength()), urgent.Data(),
                                urgent.ElementLength(), most, rows.Data());
  return Told(info, static_cast<int>(told));
}

/// restoreTrack(tracker, number, claim, heardS) → whether there was room.
Value Restore(const CallbackInfo& info) {
  Tracker* tracker = TrackerOf(info);
  if (!tracker || info.Length() != 4) return Told(info, tracker ? kWrongArguments : kNoTracker);
  return Told(info, tracker->Restore(info[1].ToNumber().Uint32Value(), info[2].ToNumber(), info[3].ToNumber()));
}

/// joinClaims(tracker, from, into)
Value JoinClaims(const CallbackInfo& info) {
  Tracker* tracker = TrackerOf(info);
  if (!tracker || info.Length() != 3) return Told(info, tracker ? kWrongArguments : kNoTracker);
  tracker->JoinClaims(info[1].ToNumber(), info[2].ToNumber());
  return Told(info, kDone);
}

/// forgetClaim(tracker, claim)
Value ForgetClaim(const CallbackInfo& info) {
  Tracker* tracker = TrackerOf(info);
  if (!tracker || info.Length() != 2) return Told(info, tracker ? kWrongArguments : kNoTracker);
  tracker->ForgetClaim(info[1].ToNumber());
  return Told(info, kDone);
}

/// dropTrack(tracker, number) → 1 where there was one.
Value Drop(const CallbackInfo& info) {
  Tracker* tracker = TrackerOf(info);
  if (!tracker || info.Length() != 2) return Told(info, tracker ? kWrongArguments : kNoTracker);
  return Told(info, tracker->Drop(info[1].ToNumber().Uint32Value()));
}

/// mergeTracks(tracker, number, into) → 1 where both were there and not both claimed.
Value Merge(const CallbackInfo& info) {
  Tracker* tracker = TrackerOf(info);
  if (!tracker || info.Length() != 3) return Told(info, tracker ? kWrongArguments : kNoTracker);
  return Told(info, tracker->Merge(info[1].ToNumber().Uint32Value(), info[2].ToNumber().Uint32Value()));
}

/// trackerSensor(tracker, index, out): azimuth offset (deg), range offset (m), plots it was learnt from, clutter a look.
Value SensorLearnt(const CallbackInfo& info) {
  Tracker* tracker = TrackerOf(info);
  if (!tracker || info.Length() != 3 || !IsDoubles(info[2]) || info[2].As<Float64Array>().ElementLength() < 4)
    return Told(info, tracker ? kWrongArguments : kNoTracker);
  return Told(info, tracker->SensorLearnt(info[1].ToNumber(), info[2].As<Float64Array>().Data()) ? kDone : kWrongArguments);
}

}  // namespace

void ExportTracker(Napi::Env env, Napi::Object exports) {
  exports.Set("trackerSettings", Napi::Function::New(env, SettingNames));
  exports.Set("makeTracker", Napi::Function::New(env, MakeTracker));
  exports.Set("setTrackerLife", Napi::Function::New(env, SetLife));
  exports.Set("setSite", Napi::Function::New(env, SetSite));
  exports.Set("setTrackerSensor", Napi::Function::New(env, SetSensor));
  exports.Set("stepTracker", Napi::Function::New(env, Step));
  exports.Set("reportTracks", Napi::Function::New(env, Report));
  exports.Set("restoreTrack", Napi::Function::New(env, Restore));
  exports.Set("joinClaims", Napi::Function::New(env, JoinClaims));
  exports.Set("forgetClaim", Napi::Function::New(env, ForgetClaim));
  exports.Set("dropTrack", Napi::Function::New(env, Drop));
  exports.Set("mergeTracks", Napi::Function::New(env, Merge));
  exports.Set("trackerSensor", Napi::Function::New(env, SensorLearnt));
}
