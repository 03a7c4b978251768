// Arguments of the addon's functions: checks, and views of typed arrays. Only the bindings include this file.
#pragma once

#include <napi.h>

#include <initializer_list>
#include <memory>
#include <span>

namespace dunlin {

inline bool IsArray(const Napi::Value& value, napi_typedarray_type type) {
  return value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == type;
}
inline bool IsDoubles(const Napi::Value& value) { return IsArray(value, napi_float64_array); }

/// Whether there are exactly `count` arguments, and those at the indices `doubles` are Float64Arrays.
inline bool Has(const Napi::CallbackInfo& info, size_t count, std::initializer_list<size_t> doubles) {
  if (info.Length() != count) return false;
  for (size_t i : doubles)
    if (!IsDoubles(info[i])) return false;
  return true;
}

/// Returns the memory of an argument that is a Float64Array.
inline std::span<double> Doubles(const Napi::CallbackInfo& info, size_t i) {
  Napi::Float64Array array = info[i].As<Napi::Float64Array>();
  return {array.Data(), array.ElementLength()};
}

/// Returns the object that a handle refers to; nullptr if the argument is not a handle.
template <typename T>
T* Held(const Napi::CallbackInfo& info, size_t i) {
  return info.Length() > i && info[i].IsExternal() ? info[i].As<Napi::External<T>>().Data() : nullptr;
}

/// Returns a handle that owns an object.
template <typename T>
Napi::Value HandleOf(Napi::Env env, std::unique_ptr<T> object) {
  return Napi::External<T>::New(env, object.release(), [](Napi::Env, T* held) { delete held; });
}

}  // namespace dunlin

/// Adds the functions that measure tracks against areas to `exports`.
void ExportAreas(Napi::Env env, Napi::Object exports);
/// Adds the function that matches vehicles to targets to `exports`.
void ExportAssign(Napi::Env env, Napi::Object exports);
/// Adds the tracker's functions to `exports`.
void ExportTracker(Napi::Env env, Napi::Object exports);
