#pragma once

#include <napi.h>

/// Adds the tracker's functions to the addon.
void ExportTracker(Napi::Env env, Napi::Object exports);
