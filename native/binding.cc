// The thin Node-API binding: argument checks and views on typed arrays. All arithmetic lives in the plain headers
// beside it, which know nothing of Node and are tested on their own.
#include <napi.h>

#include <limits>

#include "filter.h"
#include "geodesy.h"
#include "sd_notify.h"

namespace {

using Napi::CallbackInfo;
using Napi::Float64Array;
using Napi::Value;

Value Misuse(const CallbackInfo& info, const char* sentence) {
  Napi::TypeError::New(info.Env(), sentence).ThrowAsJavaScriptException();
  return info.Env().Undefined();
}

bool IsDoubles(const Value& value) {
  return value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_float64_array;
}

/// Frames lie in a flat array of 12 doubles each: the origin in ECEF, then the axes row by row.
constexpr size_t kFrameStride = 12;

dunlin::Frame FrameAt(const Float64Array& frames, size_t index) {
  const double* cell = frames.Data() + index * kFrameStride;
  dunlin::Frame frame{{cell[0], cell[1], cell[2]}, {}};
  std::copy(cell + 3, cell + 12, frame.axes.begin());
  return frame;
}

bool HasFrame(const Float64Array& frames, double index) {
  return index >= 0 && (index + 1) * kFrameStride <= frames.ElementLength();
}

bool HasRecord(const Float64Array& bank, double slot) {
  return slot >= 0 && (slot + 1) * dunlin::kStride <= bank.ElementLength();
}

/// notify(socketPath, state) → whether it was sent.
Value Notify(const CallbackInfo& info) {
  if (info.Length() != 2 || !info[0].IsString() || !info[1].IsString())
    return Misuse(info, "notify(socketPath, state) takes two strings");
  std::string path = info[0].As<Napi::String>(), state = info[1].As<Napi::String>();
  return Napi::Boolean::New(info.Env(), dunlin::SdNotify(path, state));
}

/// makeFrame(frames, index, latDeg, lonDeg, heightM) writes a frame.
Value MakeFrame(const CallbackInfo& info) {
  if (info.Length() != 5 || !IsDoubles(info[0]) || !HasFrame(info[0].As<Float64Array>(), info[1].ToNumber()))
    return Misuse(info, "makeFrame(frames, index, lat, lon, height) needs a Float64Array that holds the index");
  Float64Array frames = info[0].As<Float64Array>();
  dunlin::Frame frame = dunlin::Frame::At(info[2].ToNumber(), info[3].ToNumber(), info[4].ToNumber());
  double* cell = frames.Data() + info[1].ToNumber().Int64Value() * kFrameStride;
  std::copy(frame.origin.begin(), frame.origin.end(), cell);
  std::copy(frame.axes.begin(), frame.axes.end(), cell + 3);
  return info.Env().Undefined();
}

/// toEnu(frames, index, geodetic, enu): n triples of lat, lon, height into n triples of metres.
/// toGeodetic(frames, index, enu, geodetic): and back.
template <bool Forward>
Value Convert(const CallbackInfo& info) {
  if (info.Length() != 4 || !IsDoubles(info[0]) || !IsDoubles(info[2]) || !IsDoubles(info[3]) ||
      !HasFrame(info[0].As<Float64Array>(), info[1].ToNumber()) ||
      info[2].As<Float64Array>().ElementLength() % 3 != 0 ||
      info[2].As<Float64Array>().ElementLength() != info[3].As<Float64Array>().ElementLength())
    return Misuse(info, "conversion needs (frames, index, from, to) with from and to of the same whole number of triples");
  dunlin::Frame frame = FrameAt(info[0].As<Float64Array>(), info[1].ToNumber().Int64Value());
  Float64Array from = info[2].As<Float64Array>(), to = info[3].As<Float64Array>();
  for (size_t i = 0; i < from.ElementLength(); i += 3) {
    const double* in = from.Data() + i;
    dunlin::Vec3 out = Forward ? frame.FromGeodetic(in[0], in[1], in[2]) : frame.ToGeodetic({in[0], in[1], in[2]});
    std::copy(out.begin(), out.end(), to.Data() + i);
  }
  return info.Env().Undefined();
}

bool IsBankAndObservation(const Value& bank, const Value& frames, const Value& observation) {
  return IsDoubles(bank) && IsDoubles(frames) && IsDoubles(observation) &&
         observation.As<Float64Array>().ElementLength() >= dunlin::kObsStride;
}

/// begin(bank, slot, frames, frameIndex, observation) starts a track.
Value Begin(const CallbackInfo& info) {
  if (info.Length() != 5 || !IsBankAndObservation(info[0], info[2], info[4]) ||
      !HasRecord(info[0].As<Float64Array>(), info[1].ToNumber()) ||
      !HasFrame(info[2].As<Float64Array>(), info[3].ToNumber()))
    return Misuse(info, "begin(bank, slot, frames, frameIndex, observation) got a slot or frame that does not exist");
  double* record = info[0].As<Float64Array>().Data() + info[1].ToNumber().Int64Value() * dunlin::kStride;
  int frame = info[3].ToNumber().Int32Value();
  dunlin::Initialise(record, FrameAt(info[2].As<Float64Array>(), frame), frame, info[4].As<Float64Array>().Data());
  return info.Env().Undefined();
}

/// observe(bank, slot, frames, observation, q) → squared normalised innovation of the position.
Value Observe(const CallbackInfo& info) {
  if (info.Length() != 5 || !IsBankAndObservation(info[0], info[2], info[3]) ||
      !HasRecord(info[0].As<Float64Array>(), info[1].ToNumber()))
    return Misuse(info, "observe(bank, slot, frames, observation, q) got a slot that does not exist");
  double* record = info[0].As<Float64Array>().Data() + info[1].ToNumber().Int64Value() * dunlin::kStride;
  Float64Array frames = info[2].As<Float64Array>();
  if (record[dunlin::kActive] != 1 || !HasFrame(frames, record[dunlin::kFrame]))
    return Misuse(info, "observe() got a slot that holds no track");
  dunlin::Frame frame = FrameAt(frames, static_cast<size_t>(record[dunlin::kFrame]));
  double nis = dunlin::Observe(record, frame, info[3].As<Float64Array>().Data(), info[4].ToNumber());
  return Napi::Number::New(info.Env(), nis);
}

/// gate(bank, count, frames, observation, q, limit, distances): squared Mahalanobis distance of one observation to each of
/// the first `count` records, each in its own frame; infinity where free, far away or over `limit`.
Value Gate(const CallbackInfo& info) {
  if (info.Length() != 7 || !IsBankAndObservation(info[0], info[2], info[3]) || !IsDoubles(info[6]))
    return Misuse(info, "gate(bank, count, frames, observation, q, limit, distances) got a wrong argument");
  Float64Array bank = info[0].As<Float64Array>(), frames = info[2].As<Float64Array>(), out = info[6].As<Float64Array>();
  int64_t count = info[1].ToNumber().Int64Value();
  double q = info[4].ToNumber(), limit = info[5].ToNumber();
  if (count < 0 || count > static_cast<int64_t>(out.ElementLength()) || (count > 0 && !HasRecord(bank, count - 1)))
    return Misuse(info, "gate() got a count beyond its arrays");
  const double* obs = info[3].As<Float64Array>().Data();
  dunlin::Vec3 place = dunlin::GeodeticToEcef(obs[dunlin::kObsLat], obs[dunlin::kObsLon], 0);
  for (int64_t slot = 0; slot < count; slot++) {
    const double* record = bank.Data() + slot * dunlin::kStride;
    out.Data()[slot] = std::numeric_limits<double>::infinity();
    if (record[dunlin::kActive] != 1) continue;
    if (!HasFrame(frames, record[dunlin::kFrame])) return Misuse(info, "gate() got a record without a frame");
    dunlin::Frame frame = FrameAt(frames, static_cast<size_t>(record[dunlin::kFrame]));
    if (!dunlin::IsWithinGateRadius(record, frame.FromEcef(place))) continue;
    double distance = dunlin::GateDistance(record, frame, obs, q);
    if (distance <= limit) out.Data()[slot] = distance;
  }
  return info.Env().Undefined();
}

/// report(bank, slots, frames, nowMs, q, leads, rows): one row for each slot, see filter.h for its columns.
Value Report(const CallbackInfo& info) {
  if (info.Length() != 7 || !IsDoubles(info[0]) || !IsDoubles(info[1]) || !IsDoubles(info[2]) || !IsDoubles(info[5]) ||
      !IsDoubles(info[6]))
    return Misuse(info, "report(bank, slots, frames, nowMs, q, leads, rows) takes Float64Arrays");
  Float64Array bank = info[0].As<Float64Array>(), slots = info[1].As<Float64Array>(), frames = info[2].As<Float64Array>();
  Float64Array leads = info[5].As<Float64Array>(), rows = info[6].As<Float64Array>();
  size_t width = dunlin::kReportBase + leads.ElementLength() * dunlin::kReportPerLead;
  if (rows.ElementLength() < slots.ElementLength() * width) return Misuse(info, "report() got rows too short for its slots");
  for (size_t i = 0; i < slots.ElementLength(); i++) {
    if (!HasRecord(bank, slots.Data()[i])) return Misuse(info, "report() got a slot that does not exist");
    const double* record = bank.Data() + static_cast<size_t>(slots.Data()[i]) * dunlin::kStride;
    if (!HasFrame(frames, record[dunlin::kFrame])) return Misuse(info, "report() got a record without a frame");
    dunlin::Report(record, FrameAt(frames, static_cast<size_t>(record[dunlin::kFrame])), info[3].ToNumber(),
                   info[4].ToNumber(), leads.Data(), static_cast<int>(leads.ElementLength()), rows.Data() + i * width);
  }
  return info.Env().Undefined();
}

/// rebase(bank, slot, frames, frameIndex) moves a track into another frame.
Value Rebase(const CallbackInfo& info) {
  if (info.Length() != 4 || !IsDoubles(info[0]) || !IsDoubles(info[2]) ||
      !HasRecord(info[0].As<Float64Array>(), info[1].ToNumber()) ||
      !HasFrame(info[2].As<Float64Array>(), info[3].ToNumber()))
    return Misuse(info, "rebase(bank, slot, frames, frameIndex) got a slot or frame that does not exist");
  double* record = info[0].As<Float64Array>().Data() + info[1].ToNumber().Int64Value() * dunlin::kStride;
  Float64Array frames = info[2].As<Float64Array>();
  if (!HasFrame(frames, record[dunlin::kFrame])) return Misuse(info, "rebase() got a record without a frame");
  int to = info[3].ToNumber().Int32Value();
  dunlin::Rebase(record, FrameAt(frames, static_cast<size_t>(record[dunlin::kFrame])), FrameAt(frames, to), to);
  return info.Env().Undefined();
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("notify", Napi::Function::New(env, Notify));
  exports.Set("makeFrame", Napi::Function::New(env, MakeFrame));
  exports.Set("toEnu", Napi::Function::New(env, Convert<true>));
  exports.Set("toGeodetic", Napi::Function::New(env, Convert<false>));
  exports.Set("begin", Napi::Function::New(env, Begin));
  exports.Set("observe", Napi::Function::New(env, Observe));
  exports.Set("gate", Napi::Function::New(env, Gate));
  exports.Set("report", Napi::Function::New(env, Report));
  exports.Set("rebase", Napi::Function::New(env, Rebase));
  return exports;
}

}  // namespace

NODE_API_MODULE(dunlin, Init)
