// The thin Node-API binding: argument checks and views on typed arrays. All arithmetic lives in the plain headers beside it.
#include <napi.h>

#include "sd_notify.h"

namespace {

Napi::Value Notify(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  if (info.Length() != 2 || !info[0].IsString() || !info[1].IsString()) {
    Napi::TypeError::New(env, "notify(socketPath, state) takes two strings").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  std::string path = info[0].As<Napi::String>();
  std::string state = info[1].As<Napi::String>();
  return Napi::Boolean::New(env, dunlin::SdNotify(path, state));
}

}  // namespace

static Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("notify", Napi::Function::New(env, Notify));
  return exports;
}

NODE_API_MODULE(dunlin, Init)
