// The thin Node-API binding: argument checks and views on typed arrays. All arithmetic lives in the plain headers
// beside it, which know nothing of Node and are tested on their own.
#include <napi.h>

#include "areas_binding.h"
#include "assign_binding.h"
#include "geodesy.h"
#include "sd_notify.h"
#include "tracker_binding.h"

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

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("notify", Napi::Function::New(env, Notify));
  exports.Set("makeFrame", Napi::Function::New(env, MakeFrame));
  exports.Set("toEnu", Napi::Function::New(env, Convert<true>));
  exports.Set("toGeodetic", Napi::Function::New(env, Convert<false>));
  ExportTracker(env, exports);
  ExportAreas(env, exports);
  ExportAssign(env, exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(dunlin, Init)
