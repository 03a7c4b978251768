#pragma once

#include <napi.h>

/// Adds what matches vehicles to targets to the addon.
void ExportAssign(Napi::Env env, Napi::Object exports);
