// State and outcomes of a tracker as bits: two trackers are alike if these bits are equal. Also a check that the state
// of a tracker is valid.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include "../tracker/tracker.h"

namespace dunlin {

using Bits = std::vector<uint64_t>;

inline void Fail(const char* what, double value) {
  std::printf("%s: %.17g\n", what, value);
  std::exit(1);
}

template <typename... Values>
void Note(Bits& bits, Values... values) {
  (bits.push_back(std::bit_cast<uint64_t>(static_cast<double>(values))), ...);
}

inline void NoteState(Bits& bits, const Gaussian& g) {
  for (double value : g.p) Note(bits, value);
  for (double value : g.v) Note(bits, value);
  for (double value : g.pp) Note(bits, value);
  for (double value : g.pv) Note(bits, value);
  for (double value : g.vv) Note(bits, value);
}

/// Returns the state as bits: tracks in the order in which they began, then the claims, then the learnt values of
/// `sensors` sensors.
inline Bits LikenessOf(const Tracker& tracker, int sensors) {
  Bits bits;
  for (int slot : tracker.live()) {
    const Track& k = tracker.track(slot);
    Note(bits, k.number, k.claim, k.emitter, k.hits, static_cast<int>(k.life), static_cast<int>(k.origin), k.placed);
    Note(bits, k.received, k.existence_t, k.shown, k.hidden);
    if (!k.placed) continue;
    Note(bits, k.t, k.imm.calm, k.imm.habit, k.imm.climb, k.imm.rising, k.height_known);
    for (int i : {0, 1}) NoteState(bits, ModelOf(k.imm, i));
  }
  for (int i = 0; i < tracker.claims(); i++) {
    const Claim& c = tracker.claim(i);
    Note(bits, c.track, static_cast<int>(c.verdict), c.reasons, c.noise, c.samples, c.misses, c.conflicts);
    for (double bias : c.bias) Note(bits, bias);
  }
  for (int i = 0; i < sensors; i++) {
    const Sensor& s = tracker.sensor(i);
    Note(bits, s.clutter, s.registration.azimuth, s.registration.range, s.registration.plots);
  }
  return bits;
}

/// Answers and ends of a tracker so far, in order; without answers to the sequence number `unheard`.
struct SeenOutcomes {
  Bits answers, ends;
  double unheard = -1;

  void Take(Tracker& tracker) {
    for (const Answer& a : tracker.answers())
      if (a.sequence != unheard) Note(answers, a.sequence, a.number);
    for (const End& e : tracker.ends()) Note(ends, e.number, static_cast<int>(e.reason), e.into);
    tracker.ClearOutcomes();
  }
  bool operator==(const SeenOutcomes&) const = default;
};

/// Ends the program if the state of a track is invalid, if tracks and claims contradict each other, or if they exceed
/// their limits.
inline void CheckSound(const Tracker& tracker, const Limits& limits) {
  const std::vector<int>& live = tracker.live();
  if (static_cast<int>(live.size()) > limits.tracks) Fail("there are more tracks than the limit", live.size());
  std::set<uint32_t> numbers;
  for (int slot : live) {
    const Track& k = tracker.track(slot);
    if (k.life == Life::kFree) Fail("a live track has a free slot", slot);
    if (!numbers.insert(k.number).second) Fail("a number was given twice", k.number);
    if (k.claim >= tracker.claims()) Fail("the claim of a track was never used", k.claim);
    if (k.claim >= 0 && tracker.claim(k.claim).track != slot) Fail("the claim of a track belongs to another track", k.claim);
    if (!(k.shown >= 0 && k.hidden >= 0 && k.Existence() <= 1 + 1e-9)) Fail("the probabilities of existence are out of range", k.Existence());
    const double* hits = tracker.cold(slot).hits;
    for (uint32_t at = k.hits - std::min(k.hits, 8u); at < k.hits; at++)
      if (std::isnan(hits[at % 8])) Fail("a hit has no time", k.number);
    if (!k.placed) continue;
    if (!(k.imm.calm > 0 && k.imm.calm < 1)) Fail("the probability of the calm model is out of range", k.imm.calm);
    if (!(k.imm.habit > 0 && k.imm.habit < 1)) Fail("a habit is out of range", k.imm.habit);
    if (!(k.imm.climb > 0 && k.imm.climb <= 1)) Fail("a ratio of noise densities is out of range", k.imm.climb);
    if (!(std::fabs(k.imm.rising) <= 3)) Fail("a mean innovation is out of range", k.imm.rising);
    for (int i : {0, 1})
      if (!IsSound(ModelOf(k.imm, i))) Fail("a state is invalid", k.number);
    if (!IsSound(tracker.At(slot, tracker.now()))) Fail("a predicted state is invalid", k.number);
  }
  if (tracker.claims() > limits.claims) Fail("there are more claims than the limit", tracker.claims());
  for (int i = 0; i < tracker.claims(); i++) {
    int slot = tracker.claim(i).track;
    if (slot >= 0 && (slot >= tracker.slots() || tracker.track(slot).life == Life::kFree || tracker.track(slot).claim != i))
      Fail("a claim has a track that is not its own", i);
  }
}

}  // namespace dunlin
