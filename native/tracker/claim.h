// State of one claim ("I am this aircraft, here"): Remote ID, ADS-B, a vehicle's own telemetry. A claim has at most one
// track, and a track at most one claim. A claim is believed only as far as independent sensors confirm it.
#pragma once

#include <cstdint>

#include "../layouts.h"
#include "registration.h"
#include "sensor_only.h"

namespace dunlin {

struct Claim {
  int32_t track = -1;
  bool authentic = false;
  double proven = -1e18;      // s, time of the last report over a link that proves the sender
  Verdict verdict = Verdict::kUnchecked;
  uint8_t reasons = 0;
  double received = -1e18;       // s
  uint32_t reports = 0;
  uint32_t misses = 0;        // consecutive scans that cover the track but do not see it
  int conflicts = 0;
  double parted = -1e18;      // s, time when it was last split off
  int32_t fused_by = -1;       // fusion system that reported it last, and when, s
  double fused_at = -1e18;
  Scatter error;
  double noise = 1;           // factor on the declared variance that its errors are taken to have
  double bias[3] = {0, 0, 0}; // learnt offset of the reported position, m
  double bias_variance[3] = {0, 0, 0};
  double samples = 0;
  SensorOnlyEstimate sensor_only;
  // Number of the anonymous track that fits its reports better than its own track, and by how much.
  uint32_t change_to = 0;
  double change = 0;
  // Number of an anonymous track that may be the same aircraft.
  uint32_t rival = 0;
  double rival_since = 0, rival_t = 0;
};

}  // namespace dunlin
