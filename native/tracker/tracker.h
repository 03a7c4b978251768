// The multi-sensor tracker: packed observations in, tracks out. Observations are processed in order of arrival, and
// time advances only with the input. Anything due at a time, such as closing a scan or ending a silent track, happens
// at that time. Results therefore do not depend on how the input is divided into batches.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "association.h"
#include "claim_reports.h"
#include "conversion.h"
#include "limits.h"
#include "open_scans.h"
#include "report.h"
#include "settle.h"

namespace dunlin {

/// Period of the sweeps over all tracks, s.
inline constexpr double kSweepS = 0.25;
/// Interval of sweeps while no track exists, s. Such a sweep only advances time.
inline constexpr double kIdleSweepS = 1;
/// Time for which a due sweep waits for an observation that makes the step, s. The sweep still applies to its own time.
inline constexpr double kSweepWaitsS = 0.1;
/// Greatest valid time, s. A double resolves it to 15 µs. A resolution coarser than `kSweepS` would stop the sweeps.
inline constexpr double kMostTimeS = 1e11;

class Tracker {
 public:
  Tracker(const Settings& settings, const Limits& limits, const Frame& site, uint32_t last_number)
      : set_(Sane(settings)), site_(site), sensors_(limits.sensors), plots_(limits.plots),
        tracks_(set_, sensors_, limits.tracks, limits.history, last_number), claims_(set_, sensors_, limits.claims),
        outcomes_(limits.plots * 4, limits.tracks * 2, limits.claims), life_(set_, tracks_, claims_, outcomes_),
        binding_(set_, sensors_, tracks_, claims_, life_, outcomes_),
        reports_(set_, site_, tracks_, claims_, life_, binding_, outcomes_), open_(sensors_, plots_),
        association_(set_, limits, tracks_, claims_),
        settlement_(set_, sensors_, plots_, tracks_, claims_, life_, binding_, association_, outcomes_),
        report_(set_, site_, tracks_, claims_, life_) {}
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;

  const Frame& site() const { return site_; }
  Settings& settings() { return set_; }

  /// Sets the axes of the site; false if a track already has a position in the current axes. Call SetSensor for every
  /// sensor afterwards.
  bool SetSite(const Frame& site) {
    for (int slot : tracks_.live())
      if (tracks_[slot].placed) return false;
    site_ = site;
    return true;
  }

  /// Declares a sensor by the `sensor` columns of layouts.json.
  void SetSensor(int index, const double* columns) {
    if (index < 0 || index >= sensors_.size()) return;
    sensors_.Use(index);
    if (sensors_.Is(index, columns, site_)) return;
    if (sensors_[index].open) CloseScan(index);
    sensors_.Declare(index, columns, site_);
  }

  /// Processes `count` observations, then advances time to `now`, s.
  void Step(const double* rows, size_t count, double now) {
    for (size_t i = 0; i < count; i++) {
      const double* o = rows + i * kObservedWidth;
      outcomes_.BeginRow(static_cast<int32_t>(i));
      if (std::isfinite(o[kObservedReceivedS])) Advance(o[kObservedReceivedS]);
      Take(o);
    }
    outcomes_.BeginRow(-1);
    if (std::isfinite(now)) Advance(now);
  }

  /// Restores a track of an earlier run; see LifeCycle::Restore.
  bool Restore(uint32_t number, int32_t claim, double received) { return life_.Restore(number, claim, received); }
  /// Merges claim `from` into claim `into`.
  void JoinClaims(int32_t from, int32_t into) { binding_.JoinClaims(from, into); }
  /// Resets a claim whose index another identity will use.
  void ForgetClaim(int32_t claim) { binding_.ForgetClaim(claim); }
  /// Ends a track on a person's order; false if no track has this number.
  bool Drop(uint32_t number) {
    int slot = tracks_.SlotOf(number);
    if (slot >= 0) life_.Finish(slot, EndReason::kDropped, 0);
    return slot >= 0;
  }
  /// Merges two tracks on a person's order; the result has the number `into`. False if a track does not exist,
  /// both are the same, or both have claims.
  bool Merge(uint32_t number, uint32_t into) { return binding_.MergeTracks(number, into); }

  /// Number of tracks that are due for a report.
  size_t Due() { return report_.Due(); }
  /// Writes rows of the due tracks; see TrackReport::Write.
  size_t Report(double now, const double* leads, int lead_count, const double* urgent, size_t urgent_count, size_t most,
                double* out) {
    return report_.Write(now, leads, lead_count, urgent, urgent_count, most, out);
  }

  const std::vector<Answer>& answers() const { return outcomes_.answers(); }
  const std::vector<End>& ends() const { return outcomes_.ends(); }
  const std::vector<Parting>& partings() const { return outcomes_.partings(); }
  /// Clears answers, ends and partings; call it after they were passed on.
  void ClearOutcomes() { outcomes_.Clear(); }
  /// Number of observations that were rejected as invalid.
  uint64_t rejected() const { return outcomes_.rejected(); }

  /// `now`: time up to which everything was processed, s. `due`: time at which the next action is due without input, s.
  double now() const { return now_; }
  double due() const {
    return std::min(open_.due(), swept_ + (live().empty() ? kIdleSweepS : kSweepS) + kSweepWaitsS);
  }

  int capacity() const { return tracks_.capacity(); }
  /// Number of slots that a track has used since the start; `track` and `cold` take lower ones.
  int slots() const { return tracks_.used(); }
  /// Highest index of a claim that was used since the start, plus 1; `claim` takes lower ones.
  int claims() const { return claims_.used(); }
  const std::vector<int>& live() const { return tracks_.live(); }
  const Track& track(int slot) const { return tracks_[slot]; }
  const TrackCold& cold(int slot) const { return tracks_.cold(slot); }
  const Claim& claim(int i) const { return claims_[i]; }
  const Sensor& sensor(int i) const { return sensors_[i]; }
  bool SensorLearnt(int i, double* out) const { return sensors_.Learnt(i, set_, out); }
  /// State of a track as of `t`, s, blended from both models.
  Gaussian At(int slot, double t) const { return tracks_.At(slot, t); }
  /// Probability that the aircraft exists near its reported position; see LifeCycle::Confidence.
  double Confidence(int slot, double now, const Gaussian& g) const { return life_.Confidence(slot, now, g); }

 private:
  static Settings Sane(Settings set) {
    set.cluster_most = std::clamp(set.cluster_most, 2.0, 1024.0);
    return set;
  }

  void Advance(double now);
  void Sweep(double now);
  void Take(const double* o);
  void TakeHead(const double* o);
  void BeginSweep(Sensor& s, const double* o);
  void TakePlot(const double* o);
  void CloseScan(int sensor);

  // The order of the members matters, since some refer to earlier ones.
  Settings set_;
  Frame site_;
  Sensors sensors_;
  Plots plots_;
  TrackTable tracks_;
  Claims claims_;
  Outcomes outcomes_;
  LifeCycle life_;
  ClaimBinding binding_;
  ClaimReports reports_;
  OpenScans open_;
  ScanAssociation association_;
  Settlement settlement_;
  TrackReport report_;
  double now_ = -1e18, swept_ = -1e18;
};

/// Advances time to `now`, s: closes scans and sweeps tracks at their due times, independently of batches. After a gap
/// of more than an hour only the last 600 s are swept.
inline void Tracker::Advance(double now) {
  if (!(now > now_) || std::fabs(now) > kMostTimeS) return;
  if (now_ < -1e17) {
    now_ = now;
    swept_ = std::floor(now / kSweepS) * kSweepS;
  }
  if (now - swept_ > 3600) swept_ = std::floor(now / kSweepS) * kSweepS - 600;
  while (true) {
    double next = swept_ + kSweepS;
    int closing = open_.DueBy(std::min(next, now));
    if (closing >= 0) {
      now_ = std::max(now_, sensors_[closing].deadline);
      CloseScan(closing);
      continue;
    }
    if (next > now) break;
    now_ = std::max(now_, next);
    swept_ = next;
    Sweep(next);
  }
  now_ = now;
}

inline void Tracker::Sweep(double now) {
  for (Sensor& s : sensors_) {
    if (!s.IsAtWork(now)) continue;
    s.missed = now;
    settlement_.MissCovered(s, s.reported_at, s.reported_at - 1.25 * s.revisit);
  }
  life_.Sweep(now);
}

inline void Tracker::Take(const double* o) {
  bool sane = std::fabs(o[kObservedReceivedS]) <= kMostTimeS && std::fabs(o[kObservedTimeS]) <= kMostTimeS &&
              o[kObservedTimeS] <= o[kObservedReceivedS] + 60;
  int sensor = sane && o[kObservedSensor] >= 0 && o[kObservedSensor] < sensors_.size() ? Whole(o[kObservedSensor]) : -1;
  if (sensor < 0) return outcomes_.Reject(o);
  sensors_.Use(sensor);
  switch (Whole(o[kObservedKind])) {
    case kObservedKindScan: return TakeHead(o);
    case kObservedKindPlot: return TakePlot(o);
    case kObservedKindPosition: return reports_.IsOfClaim(o) ? reports_.TakePosition(o, now_) : TakePlot(o);
    case kObservedKindWord: return reports_.TakeSign(o, now_);
    default: return outcomes_.Reject(o);
  }
}

/// Processes the head of a scan, or of a rotating sensor's sweep. A head ends the previous scan or sweep.
inline void Tracker::TakeHead(const double* o) {
  int index = static_cast<int>(o[kObservedSensor]);
  Sensor& s = sensors_[index];
  if (s.open) CloseScan(index);
  s.headed = true;
  if (s.rotating) return BeginSweep(s, o);
  open_.OpenHeaded(s, o, now_);
  if (s.IsComplete()) CloseScan(index);
}

inline void Tracker::BeginSweep(Sensor& s, const double* o) {
  if (s.sweep >= 0) {
    settlement_.MissCovered(s, o[kObservedTimeS], s.sweep_time);
    s.LearnClutter(s.strangers);
  }
  s.strangers = 0;
  s.sweep = o[kObservedScan];
  s.sweep_time = o[kObservedTimeS];
}

inline void Tracker::TakePlot(const double* o) {
  int index = static_cast<int>(o[kObservedSensor]);
  Sensor& s = sensors_[index];
  Plot plot{};
  if (!ReadPlot(o, s, site_, now_, plot)) return outcomes_.Reject(o);
  if (!open_.Continues(s, o)) {
    if (s.open) CloseScan(index);
    open_.OpenByPlot(s, o, now_);
  }
  OpenScans::Added added = open_.Add(s, plot);
  if (added == OpenScans::Added::kNoRoom) return outcomes_.Reject(o);
  if (s.IsComplete()) CloseScan(index);
  if (added == OpenScans::Added::kDuplicate) outcomes_.Answered(o, 0);
}

/// Closes a scan, even if plots are missing: converts its plots, associates them with tracks, and applies the result.
inline void Tracker::CloseScan(int index) {
  Sensor& s = sensors_[index];
  s.open = false;
  association_.Begin();
  for (int i = s.first_plot; i >= 0; i = plots_[i].next) {
    Convert(plots_[i], s, sensors_.radars(), set_);
    association_.Add(i, plots_[i]);
  }
  association_.Associate(s, s.scan_time, now_);
  settlement_.Settle(s, s.scan_time, now_);
  for (const ScanPlot& p : association_.plots()) plots_.Free(p.place);
  s.first_plot = s.last_plot = -1;
}

}  // namespace dunlin
