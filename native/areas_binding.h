#pragma once

#include <napi.h>

/// Adds what measures tracks against zones and assets to the addon.
void ExportAreas(Napi::Env env, Napi::Object exports);
