// What is known of one who says "I am this aircraft, here": Remote ID, ADS-B, a vehicle's own telemetry. A claim has at
// most one track, a track at most one claim, and a claim is believed only as far as sensors that need not trust it agree.
#pragma once

#include <cstdint>

#include "gaussian.h"
#include "registration.h"

namespace dunlin {

enum class Verdict : uint8_t { kUnchecked, kConsistent, kSuspect };
/// Bits of why a claim is suspect.
enum Reason : uint8_t { kPositionDisagrees = 1, kNotSeenBySensor = 2, kJump = 4 };

struct Claim {
  int32_t track = -1;
  bool authentic = false;
  double proven = -1e18;      // s, when last came in what it said over a link that proves the sender
  Verdict verdict = Verdict::kUnchecked;
  uint8_t reasons = 0;
  double heard = -1e18;       // s
  uint32_t reports = 0;
  uint32_t misses = 0;        // looks that should have seen it and did not, in a row
  int conflicts = 0;
  double parted = -1e18;      // s, when it was last split off
  Scatter error;
  double noise = 1;           // times the declared variance that its errors are taken to have
  double bias[3] = {0, 0, 0}; // learnt: what it tells too much, m
  double bias_variance[3] = {0, 0, 0};
  double samples = 0;
  // The same aircraft as the sensors alone see it: what the claim is held against.
  Gaussian shadow{};
  double shadow_t = -1e18;
  uint32_t shadow_plots = 0;
  // An anonymous track that fits it better than its own, and by how much.
  uint32_t change_to = 0;
  double change = 0;
  // An anonymous track that may be this aircraft.
  uint32_t rival = 0;
  double rival_since = 0, rival_t = 0;
};

}  // namespace dunlin
