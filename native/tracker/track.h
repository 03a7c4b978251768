// Hot state of one track: the data that every scan reads, at most 512 bytes. Rarely used data is in TrackCold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "../layouts.h"
#include "history.h"

namespace dunlin {

enum class Life : uint8_t { kFree, kTentative, kConfirmed, kResting };
enum class Origin : uint8_t { kPlot, kClaim, kCrossing };

struct alignas(64) Track {
  Imm imm;
  double t;               // s, time of the state
  double received;           // s, time of the last evidence
  double existence_t;     // s, time of the two probabilities below
  double shown, hidden;   // probabilities: exists and is visible; exists and is hidden; the rest: does not exist
  uint32_t number;        // public number, never reused
  int32_t claim;          // claim of the track, −1 for none
  int32_t emitter;
  uint32_t hits;
  Life life;
  Origin origin;
  bool placed;            // false: reports were received, but none with a position
  bool height_known;
  TrackState reported;
  bool claimed : 1;       // whether a recent report of its claim confirmed it at the last sweep
  bool missing : 1;       // a sensor should see it but does not; Silences has not learnt from this yet
  bool back : 1;          // seen again after it was missing
  bool height_sensed : 1;  // whether another source than the claim reported the height
  bool dirty;             // to be reported
  uint8_t passed_over;    // number of consecutive calls of TrackReport::Write that left out this track

  double Existence() const { return shown + hidden; }
};
static_assert(sizeof(Track) <= 512, "a track's hot state is at most eight cache lines");

struct alignas(64) TrackCold {
  double born = 0;
  double plotted = -1e18;      // s, last evidence of a sensor, not of a claim
  double silent_from = 0;      // s, last evidence before it was missing
  History::List history;
  int32_t candidate = -1;      // index among the current scan's candidates, valid only if `stamp` is that scan's number
  uint32_t stamp = 0;
  float fused_at = -1e9f;      // s after `born`, time of the last report by `fused_by`
  double hits[8];              // s, times of the last eight hits, as a ring; NaN if there was none
  uint32_t plots = 0;          // total number of plots by sensors
  uint32_t beside = 0;         // number of scans that saw both this track and a claimed aircraft near it
  int16_t plotted_by = -1;     // sensor of the last plot; there are at most 10 000
  int16_t fused_by = -1;       // fusion system that reported it last without a claim
  float height_at = -1e9f;     // s after `born`, time of the last report of the altitude

  TrackCold() { std::fill(std::begin(hits), std::end(hits), std::numeric_limits<double>::quiet_NaN()); }
};

static_assert(sizeof(TrackCold) == 128, "a table of tracks is walked by shifts, not by products");

/// Horizontal motion of a track in the site's axes, m and m/s. The grid needs nothing else of a track's state, so a
/// pass over all tracks reads only this struct.
struct alignas(64) Course {
  double t;       // s, time of the state
  double p[2], v[2];
  double speed;   // m/s
  double reach;   // m, greatest distance of its plots from `p`
  double spread;  // m²/s², variance of its velocity along the less certain axis
};

/// Markov chain two of integrated probabilistic data association (Mušicki, Evans, Stanković, IEEE TAC 39, 1994).
/// Advances the probabilities of existence to `t`, s. A `claimed` track keeps its probability of existence, since its
/// transmitter keeps reporting its presence.
inline void Age(Track& k, double t, bool claimed, const Settings& set, Decays& decays) {
  double dt = t - k.existence_t;
  if (!(dt > 0)) return;
  k.existence_t = t;
  double hide = decays.hides.Gone(set.hide_per_s * dt), show = decays.shows.Gone(set.show_per_s * dt);
  double end = claimed ? 0 : decays.ends.Gone(set.end_per_s * decays.ending * dt);
  double lapse = claimed ? 0 : decays.lapses.Gone(set.end_hidden_per_s * decays.ending * dt);
  double shown = k.shown * (1 - end) * (1 - hide) + k.hidden * (1 - lapse) * show;
  double hidden = k.hidden * (1 - lapse) * (1 - show) + k.shown * (1 - end) * hide;
  k.shown = shown;
  k.hidden = hidden;
}

/// Updates the probabilities of existence after a scan that covers the track. `ratio` is the likelihood of the scan
/// with the aircraft divided by its likelihood without the aircraft.
inline void Weigh(Track& k, double ratio) {
  double gone = std::fmax(1 - k.shown - k.hidden, 1e-9), shown = k.shown * ratio;
  double sum = shown + k.hidden + gone;
  k.shown = shown / sum;
  k.hidden /= sum;
}

}  // namespace dunlin
