// The tracker across the Node-API boundary: typed arrays in and out, one call per batch, codes for errors.
#include <cmath>

#include "arguments.h"
#include "tracker/tracker.h"

namespace {

using namespace dunlin;
using Napi::CallbackInfo;
using Napi::Number;
using Napi::Value;

/// Wraps `kCall`, a function of `kCount` arguments. The first argument is a tracker, and those at the indices
/// `kDoubles` are Float64Arrays. The wrapper returns the result of `kCall`, or a negative code for wrong arguments.
template <size_t kCount, auto kCall, size_t... kDoubles>
Value Checked(const CallbackInfo& info) {
  Tracker* tracker = Held<Tracker>(info, 0);
  int code = !tracker ? static_cast<int>(kTrackerCodeNoTracker) : static_cast<int>(kTrackerCodeWrongArguments);
  if (tracker && Has(info, kCount, {kDoubles...})) code = kCall(*tracker, info);
  return Number::New(info.Env(), code);
}

uint32_t NumberAt(const CallbackInfo& info, size_t i) { return info[i].ToNumber().Uint32Value(); }

/// Returns the frame whose latitude, longitude and height are the three arguments from index `i` on.
Frame FrameAt(const CallbackInfo& info, size_t i) {
  return Frame::At(info[i].ToNumber(), info[i + 1].ToNumber(), info[i + 2].ToNumber());
}

/// trackerSettings() → {name: default}
Value SettingNames(const CallbackInfo& info) {
  Napi::Object out = Napi::Object::New(info.Env());
#define DUNLIN_DEFAULT(name, value) out.Set(#name, Number::New(info.Env(), value));
  DUNLIN_TRACKER_SETTINGS(DUNLIN_DEFAULT)
#undef DUNLIN_DEFAULT
  return out;
}

/// makeTracker(settings, limits, lat, lon, height, lastNumber) → a handle, or a code if an argument is wrong.
/// `settings` has the order of settings.h, with NaN for each default.
Value MakeTracker(const CallbackInfo& info) {
  if (!Has(info, 6, {0, 1}) || Doubles(info, 1).size() != kTrackerLimitsWidth)
    return Number::New(info.Env(), kTrackerCodeWrongArguments);
  std::span<double> given = Doubles(info, 0), most = Doubles(info, 1);
  Settings settings;
  size_t i = 0;
#define DUNLIN_TAKE(name, value)                                                  \
  if (i < given.size() && std::isfinite(given[i])) settings.name = given[i];      \
  i++;
  DUNLIN_TRACKER_SETTINGS(DUNLIN_TAKE)
#undef DUNLIN_TAKE
  Limits limits;
  limits.tracks = static_cast<int>(std::clamp(most[kTrackerLimitsTracks], 1.0, 1e5));
  limits.claims = static_cast<int>(std::clamp(most[kTrackerLimitsClaims], 1.0, 1e5));
  limits.sensors = static_cast<int>(std::clamp(most[kTrackerLimitsSensors], 1.0, 1e4));
  limits.history = limits.tracks * 8;
  limits.plots = std::max(limits.plots, 2 * limits.tracks);
  limits.edges = 8 * limits.plots;
  return HandleOf(info.Env(), std::make_unique<Tracker>(settings, limits, FrameAt(info, 2), NumberAt(info, 5)));
}

/// setTrackerLife(tracker, life) → code; applies from the next step on. NaN leaves a setting unchanged. Other settings
/// must not change while tracks live, since some of them size memory.
int SetLife(Tracker& tracker, const CallbackInfo& info) {
  std::span<double> given = Doubles(info, 1);
  if (given.size() != kTrackLifeWidth) return kTrackerCodeWrongArguments;
  Settings& set = tracker.settings();
  auto take = [given](size_t column, double& field) {
    if (std::isfinite(given[column])) field = given[column];
  };
  take(kTrackLifeConfirmHits, set.confirm_hits);
  take(kTrackLifeConfirmWindowS, set.confirm_window_s);
  take(kTrackLifeCoastS, set.coast_s);
  take(kTrackLifeLostS, set.lost_s);
  take(kTrackLifeCloseS, set.close_s);
  return kTrackerCodeDone;
}

/// setSite(tracker, lat, lon, height)
int SetSite(Tracker& tracker, const CallbackInfo& info) {
  return tracker.SetSite(FrameAt(info, 1)) ? kTrackerCodeDone : kTrackerCodeSiteTaken;
}

/// setTrackerSensor(tracker, index, columns)
int SetSensor(Tracker& tracker, const CallbackInfo& info) {
  if (Doubles(info, 2).size() != kSensorWidth) return kTrackerCodeWrongArguments;
  tracker.SetSensor(info[1].ToNumber(), Doubles(info, 2).data());
  return kTrackerCodeDone;
}

/// stepTracker(tracker, observations, nowS, answers, ends, partings, counts) → code. Processes a batch and advances
/// time.
int Step(Tracker& tracker, const CallbackInfo& info) {
  std::span<double> in = Doubles(info, 1), answers = Doubles(info, 3), ends = Doubles(info, 4), partings = Doubles(info, 5);
  std::span<double> counts = Doubles(info, 6);
  if (in.size() % kObservedWidth != 0) return kTrackerCodeRowsUneven;
  if (counts.size() < kStepCountsWidth) return kTrackerCodeWrongArguments;
  double now = info[2].ToNumber();
  tracker.Step(in.data(), in.size() / kObservedWidth, now);
  if (tracker.answers().size() * kAnswerWidth > answers.size() || tracker.ends().size() * kTrackEndWidth > ends.size() ||
      tracker.partings().size() * kClaimPartingWidth > partings.size())
    return kTrackerCodeNoRoom;
  double* out = answers.data();
  for (const Answer& a : tracker.answers()) {
    out[kAnswerSequence] = a.sequence;
    out[kAnswerNumber] = a.number;
    out[kAnswerSensor] = a.sensor;
    out[kAnswerReceivedS] = a.received;
    out[kAnswerRow] = a.row;
    out[kAnswerRssiDbm] = a.signal;
    out += kAnswerWidth;
  }
  out = ends.data();
  for (const End& e : tracker.ends()) {
    out[kTrackEndNumber] = e.number;
    out[kTrackEndReason] = static_cast<double>(e.reason);
    out[kTrackEndInto] = e.into;
    out += kTrackEndWidth;
  }
  out = partings.data();
  for (const Parting& p : tracker.partings()) {
    out[kClaimPartingClaim] = p.claim;
    out[kClaimPartingFrom] = p.from;
    out[kClaimPartingTo] = p.to;
    out += kClaimPartingWidth;
  }
  // Due tracks (changed since their last report) are counted only at the end of a batch, since counting reads every
  // track.
  counts[kStepCountsDue] = std::isfinite(now) ? static_cast<double>(tracker.Due()) : 0;
  counts[kStepCountsAnswers] = static_cast<double>(tracker.answers().size());
  counts[kStepCountsEnds] = static_cast<double>(tracker.ends().size());
  counts[kStepCountsPartings] = static_cast<double>(tracker.partings().size());
  tracker.ClearOutcomes();
  counts[kStepCountsDueS] = tracker.due();
  return kTrackerCodeDone;
}

/// reportTracks(tracker, nowS, leads, urgent, most, rows) → number of rows written, or a negative code. The arguments are
/// those of `reportTracks` in `src/geo/addon.ts`.
int Report(Tracker& tracker, const CallbackInfo& info) {
  std::span<double> leads = Doubles(info, 2), urgent = Doubles(info, 3), rows = Doubles(info, 5);
  // The array must have room for all tracks, since all may be urgent.
  if (rows.size() < (kTrackPredicted + kPredictionWidth * leads.size()) * tracker.capacity()) return kTrackerCodeNoRoom;
  return static_cast<int>(tracker.Report(info[1].ToNumber(), leads.data(), static_cast<int>(leads.size()), urgent.data(),
                                         urgent.size(), NumberAt(info, 4), rows.data()));
}

/// restoreTrack(tracker, number, claim, receivedS) → 1 if the track was restored, else 0.
int Restore(Tracker& tracker, const CallbackInfo& info) {
  return tracker.Restore(NumberAt(info, 1), info[2].ToNumber(), info[3].ToNumber());
}

/// joinClaims(tracker, from, into)
int JoinClaims(Tracker& tracker, const CallbackInfo& info) {
  tracker.JoinClaims(info[1].ToNumber(), info[2].ToNumber());
  return kTrackerCodeDone;
}

/// forgetClaim(tracker, claim)
int ForgetClaim(Tracker& tracker, const CallbackInfo& info) {
  tracker.ForgetClaim(info[1].ToNumber());
  return kTrackerCodeDone;
}

/// dropTrack(tracker, number) → 1 if the track existed, else 0.
int Drop(Tracker& tracker, const CallbackInfo& info) { return tracker.Drop(NumberAt(info, 1)); }

/// mergeTracks(tracker, number, into) → 1 if they were two existing tracks, at most one with a claim, else 0.
int Merge(Tracker& tracker, const CallbackInfo& info) { return tracker.Merge(NumberAt(info, 1), NumberAt(info, 2)); }

/// trackerSensor(tracker, index, out) → code. Writes the learnt values of a sensor.
int SensorLearnt(Tracker& tracker, const CallbackInfo& info) {
  std::span<double> out = Doubles(info, 2);
  bool known = out.size() >= kSensorLearntWidth && tracker.SensorLearnt(info[1].ToNumber(), out.data());
  return known ? kTrackerCodeDone : kTrackerCodeWrongArguments;
}

}  // namespace

void ExportTracker(Napi::Env env, Napi::Object exports) {
  exports.Set("trackerSettings", Napi::Function::New(env, SettingNames));
  exports.Set("makeTracker", Napi::Function::New(env, MakeTracker));
  exports.Set("setTrackerLife", Napi::Function::New(env, Checked<2, SetLife, 1>));
  exports.Set("setSite", Napi::Function::New(env, Checked<4, SetSite>));
  exports.Set("setTrackerSensor", Napi::Function::New(env, Checked<3, SetSensor, 2>));
  exports.Set("stepTracker", Napi::Function::New(env, Checked<7, Step, 1, 3, 4, 5, 6>));
  exports.Set("reportTracks", Napi::Function::New(env, Checked<6, Report, 2, 3, 5>));
  exports.Set("restoreTrack", Napi::Function::New(env, Checked<4, Restore>));
  exports.Set("joinClaims", Napi::Function::New(env, Checked<3, JoinClaims>));
  exports.Set("forgetClaim", Napi::Function::New(env, Checked<2, ForgetClaim>));
  exports.Set("dropTrack", Napi::Function::New(env, Checked<2, Drop>));
  exports.Set("mergeTracks", Napi::Function::New(env, Checked<3, Merge>));
  exports.Set("trackerSensor", Napi::Function::New(env, Checked<3, SensorLearnt, 2>));
}
