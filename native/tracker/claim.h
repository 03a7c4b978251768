// State of one claim: an aircraft's reports about itself by Remote ID, ADS-B or a vehicle's telemetry. A claim has at
// most one track, and a track at most one claim. A claim is believed only as far as independent sensors confirm it.
#pragma once

#include <cstdint>

#include "../layouts.h"
#include "registration.h"
#include "sensor_only.h"

namespace dunlin {

struct Claim {
  int32_t track = -1;
  bool authentic = false;
  double proven = -1e18;      // s, time of the last report over an authenticated link
  Verdict verdict = Verdict::kUnchecked;
  uint8_t reasons = 0;
  double received = -1e18;       // s
  uint32_t reports = 0;
  uint32_t located = 0;       // number of plots of its track that located the aircraft, see `Settlement::Locates`
  uint32_t misses = 0;        // number of consecutive scans that covered the track but did not see it
  int conflicts = 0;
  double parted = -1e18;      // s, time when it was last separated from a track
  int32_t fused_by = -1;       // fusion system that reported it last, −1 for none, and the time of that report, s
  double fused_at = -1e18;
  Scatter error;
  double noise = 1;           // learnt factor by which its declared variances are multiplied
  double bias[3] = {0, 0, 0}; // learnt offset of the reported position, m
  double bias_variance[3] = {0, 0, 0};
  double samples = 0;
  SensorOnlyEstimate sensor_only;
  // `change_to`: number of the anonymous track that fits the claim's reports better than the claim's own track.
  // `change`: by how much it fits better, as the accumulated difference of squared Mahalanobis distances.
  uint32_t change_to = 0;
  double change = 0;
  // Number of an anonymous track that may be the aircraft of this claim, 0 for none, and the time since which it may be
  // so, s.
  uint32_t rival = 0;
  double rival_since = 0;
  // Whether sensors did not see the aircraft where it was alone. An invented aircraft then passes or approaches a real
  // one; an aircraft with two tracks is never alone.
  bool ghost = false;
  double alone = -1e18;       // s, last time at which a ghost had no other track near it
  bool stranger = false;      // whether a track is near the ghost that began before it came here
};

}  // namespace dunlin
