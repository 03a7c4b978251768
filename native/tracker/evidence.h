// When evidence about one track was received: its latest hits, and the last report of its altitude.
#pragma once

#include <algorithm>
#include <functional>

#include "track.h"

namespace dunlin {

/// Time within which reports of fusion systems count as one hit, s.
inline constexpr double kTogetherS = 0.5;
/// Time after its last report for which an altitude is known while plots without elevation move the track, s.
inline constexpr double kHeightHoldsS = 20;

/// Counts one hit: evidence received at `received`, s.
inline void AddHit(Track& k, TrackCold& cold, double received) {
  k.received = std::max(k.received, received);
  cold.hits[k.hits % 8] = received;
  k.hits++;
  k.dirty = true;
}

/// Counts a report of another fusion system, received at `received`, s. Two systems may report the plot of one sensor, so
/// reports within kTogetherS are one hit.
inline void AddFused(Track& k, TrackCold& cold, double received) {
  if (k.hits == 0 || received - cold.hits[(k.hits - 1) % 8] >= kTogetherS) return AddHit(k, cold, received);
  k.received = std::max(k.received, received);
  k.dirty = true;
}

/// Adds the hits of track `from`, which is the same aircraft and is ending. The latest eight hits of both are kept.
inline void TakeHits(Track& k, TrackCold& cold, const Track& from, const TrackCold& from_cold) {
  double times[16];
  int count = 0;
  auto take = [&](uint32_t hits, const double* ring) {
    for (uint32_t back = 1; back <= std::min(hits, 8u); back++) times[count++] = ring[(hits - back) % 8];
  };
  take(k.hits, cold.hits);
  take(from.hits, from_cold.hits);
  std::sort(times, times + count, std::greater<>());
  uint32_t hits = k.hits += from.hits;
  for (uint32_t back = 1; back <= std::min<uint32_t>(count, 8); back++) cold.hits[(hits - back) % 8] = times[back - 1];
}

/// Whether the last `needed` hits, at most eight, came within `window_s`.
inline bool HasHits(const Track& k, const TrackCold& cold, double needed, double window_s) {
  uint32_t count = static_cast<uint32_t>(std::clamp(needed, 1.0, 8.0));
  if (k.hits < needed) return false;
  return cold.hits[(k.hits - 1) % 8] - cold.hits[(k.hits - count) % 8] <= window_s;
}

/// Notes a report of the altitude at `received`, s, by the claim of the track or by another source.
inline void NoteHeight(Track& k, TrackCold& cold, double received, bool by_claim) {
  k.height_known = true;
  k.height_sensed |= !by_claim;
  cold.height_at = std::max(cold.height_at, static_cast<float>(received - cold.born));
}

/// Takes over what is known about the altitude, with the estimate of track `from`.
inline void TakeHeight(Track& k, TrackCold& cold, const Track& from, const TrackCold& from_cold) {
  k.height_known = from.height_known;
  k.height_sensed = from.height_sensed;
  cold.height_at = static_cast<float>(from_cold.born + from_cold.height_at - cold.born);
}

/// Forgets an altitude that is older than kHeightHoldsS at `received`, s. Plots without elevation hardly measure it, so it
/// would drift.
inline void ForgetOldHeight(Track& k, const TrackCold& cold, double received) {
  if (received - cold.born - cold.height_at > kHeightHoldsS) k.height_known = k.height_sensed = false;
}

}  // namespace dunlin
