// Thin Node-API binding: argument checks and views of typed arrays. All arithmetic is in the plain headers of this
// folder, which do not depend on Node and have tests of their own. compactHeap() calls V8 itself.
#include <malloc.h>
#include <v8.h>

#include "arguments.h"
#include "geodesy.h"
#include "layouts.h"
#include "sd_notify.h"
#include "start_pages.h"

namespace {

using namespace dunlin;
using Napi::CallbackInfo;
using Napi::Value;

Value Misuse(const CallbackInfo& info, const char* sentence) {
  Napi::TypeError::New(info.Env(), sentence).ThrowAsJavaScriptException();
  return info.Env().Undefined();
}

Frame FrameAt(std::span<double> frames, size_t index) {
  const double* cell = frames.data() + index * kFrameWidth;
  Frame frame{{cell[kFrameOriginM], cell[kFrameOriginM + 1], cell[kFrameOriginM + 2]}, {}};
  std::copy_n(cell + kFrameAxes, frame.axes.size(), frame.axes.begin());
  return frame;
}

/// Whether the first argument is an array of frames and the second a valid index in it.
bool HasFrame(const CallbackInfo& info) {
  double index = info[1].ToNumber();
  return IsDoubles(info[0]) && index >= 0 && (index + 1) * kFrameWidth <= Doubles(info, 0).size();
}

/// notify(socketPath, state) → whether the state was sent.
Value Notify(const CallbackInfo& info) {
  if (info.Length() != 2 || !info[0].IsString() || !info[1].IsString())
    return Misuse(info, "notify(socketPath, state) takes two strings");
  std::string path = info[0].As<Napi::String>(), state = info[1].As<Napi::String>();
  return Napi::Boolean::New(info.Env(), SdNotify(path, state));
}

/// releaseProgramPages() removes the pages of read-only segments from this process.
Value ReleasePages(const CallbackInfo& info) {
  ReleaseProgramPages();
  return info.Env().Undefined();
}

/// returnFreeMemory() returns the free pages of malloc to the system (malloc_trim(3)); without effect beside glibc.
Value ReturnFree(const CallbackInfo& info) {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
  return info.Env().Undefined();
}

/// compactHeap() starts a collection of this thread's heap that also empties pages that are mostly free, unless a
/// collection proceeds already. It marks in steps beside the program, and then moves up to 12 MB of objects in one pause.
Value CompactHeap(const CallbackInfo& info) {
  v8::Isolate::GetCurrent()->MemoryPressureNotification(v8::MemoryPressureLevel::kModerate);
  return info.Env().Undefined();
}

/// makeFrame(frames, index, latDeg, lonDeg, heightM) writes the frame at a position into row `index`.
Value MakeFrame(const CallbackInfo& info) {
  if (info.Length() != 5 || !HasFrame(info))
    return Misuse(info, "makeFrame(frames, index, lat, lon, height) needs a Float64Array that holds the index");
  Frame frame = Frame::At(info[2].ToNumber(), info[3].ToNumber(), info[4].ToNumber());
  double* cell = Doubles(info, 0).data() + info[1].ToNumber().Int64Value() * kFrameWidth;
  std::copy(frame.origin.begin(), frame.origin.end(), cell + kFrameOriginM);
  std::copy(frame.axes.begin(), frame.axes.end(), cell + kFrameAxes);
  return info.Env().Undefined();
}

/// toEnu(frames, index, geodetic, enu) converts triples of lat, lon, height into triples of east, north, up, m.
/// toGeodetic(frames, index, enu, geodetic) is the inverse conversion.
static_assert(kGeodeticWidth == 3 && kEnuWidth == 3);
template <bool Forward>
Value Convert(const CallbackInfo& info) {
  if (!Has(info, 4, {2, 3}) || !HasFrame(info) || Doubles(info, 2).size() % kGeodeticWidth != 0 ||
      Doubles(info, 2).size() != Doubles(info, 3).size())
    return Misuse(info, "conversion needs (frames, index, from, to) with from and to of the same whole number of triples");
  Frame frame = FrameAt(Doubles(info, 0), info[1].ToNumber().Int64Value());
  std::span<double> from = Doubles(info, 2), to = Doubles(info, 3);
  for (size_t i = 0; i < from.size(); i += kGeodeticWidth) {
    const double* in = &from[i];
    Vec3 out = Forward ? frame.FromGeodetic(in[0], in[1], in[2]) : frame.ToGeodetic({in[0], in[1], in[2]});
    std::copy(out.begin(), out.end(), to.data() + i);
  }
  return info.Env().Undefined();
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("layouts", kLayoutsFingerprint);
  exports.Set("notify", Napi::Function::New(env, Notify));
  exports.Set("releaseProgramPages", Napi::Function::New(env, ReleasePages));
  exports.Set("returnFreeMemory", Napi::Function::New(env, ReturnFree));
  exports.Set("compactHeap", Napi::Function::New(env, CompactHeap));
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
