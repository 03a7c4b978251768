// One observation after another, and what becomes due between them.
#pragma once

#include "tracker.h"

namespace dunlin {

inline constexpr double kSweepS = 0.25;
/// No clock tells more; beyond it a quarter of a second is soon nothing.
inline constexpr double kMostTimeS = 1e11;
/// A look whose plots stop coming is closed after so long.
inline constexpr double kLookPatienceS = 0.25;
/// Where no head told how many plots follow, those that come within so much are weighed together.
inline constexpr double kSectorPatienceS = 0.05;
/// Plots of a rotating sensor are weighed together over so much of its turn.
inline constexpr double kSectorS = 0.12;
/// No source is better than this, whatever it declares, and what is vaguer says nothing.
inline constexpr double kLeastSdM = 0.1, kMostSdM = 20000, kMostSdHeightM = 1000, kLeastSdMps = 0.05, kMostSdMps = 300;

/// A small whole number, −1 where it is none.
inline int32_t Whole(double value) { return value >= 0 && value < 2147483647.0 ? static_cast<int32_t>(value) : -1; }

/// As far as it can order what was measured at the same time.
inline double Sequence(const double* o) { return std::isfinite(o[kColSequence]) ? std::clamp(o[kColSequence], 0.0, 9e15) : 0; }

/// Scans are closed and silent tracks ended at their own times, whatever the batches.
inline void Tracker::Advance(double now) {
  if (!(now > now_) || std::fabs(now) > kMostTimeS) return;
  if (now_ < -1e17) {
    now_ = now;
    swept_ = std::floor(now / kSweepS) * kSweepS;
  }
  if (now - swept_ > 3600) swept_ = std::floor(now / kSweepS) * kSweepS - 600;
  while (true) {
    double next = swept_ + kSweepS;
    int closing = -1;
    if (due_ <= std::min(next, now)) {
      double first = 1e18;
      for (int i = 0; i < sensors_used_; i++)
        if (sensors_[i].open && sensors_[i].deadline < first) {
          first = sensors_[i].deadline;
          closing = i;
        }
      if (closing >= 0 && first <= std::min(next, now)) {
        now_ = std::max(now_, first);
        CloseLook(closing);
        continue;
      }
      due_ = first;
    }
    if (next > now) break;
    now_ = std::max(now_, next);
    swept_ = next;
    Sweep(next);
  }
  now_ = now;
}

inline void Tracker::Take(const double* o) {
  bool sane = std::fabs(o[kColReceived]) <= kMostTimeS && std::fabs(o[kColTime]) <= kMostTimeS &&
              o[kColTime] <= o[kColReceived] + 60;
  int sensor = sane && o[kColSensor] >= 0 && o[kColSensor] < limits_.sensors ? Whole(o[kColSensor]) : -1;
  sensors_used_ = std::max(sensors_used_, sensor + 1);
  if (sensor < 0) {
    rejected_++;
    return Answered(o, 0);
  }
  switch (Whole(o[kColKind])) {
    case kLook: return TakeLook(o);
    case kPlot: return TakePlot(o);
    case kPosition: return o[kColClaim] >= 0 && o[kColClaim] < limits_.claims ? TakeFix(o) : TakePlot(o);
    case kWord: return TakeWord(o);
    default: rejected_++; return Answered(o, 0);
  }
}

inline void Tracker::Answered(const double* o, uint32_t number) {
  answers_.push_back({o[kColSequence], o[kColReceived], o[kColSignal], number, Whole(o[kColSensor]), row_});
}

/// The head of a scan: so many plots follow. None is a look that saw nothing.
inline void Tracker::TakeLook(const double* o) {
  int index = static_cast<int>(o[kColSensor]);
  Sensor& s = sensors_[index];
  if (s.open) CloseLook(index);
  s.headed = true;
  if (s.rotating) {
    if (s.sweep >= 0) MissCovered(s, o[kColTime], s.sweep_time);
    s.clutter = s.sweep < 0 ? s.clutter : std::max(0.05, s.clutter + 0.02 * (s.strangers - s.clutter));
    s.strangers = 0;
    s.sweep = o[kColLook];
    s.sweep_time = o[kColTime];
    return;
  }
  s.open = true;
  s.look = o[kColLook];
  s.look_time = o[kColTime];
  s.expected = std::isfinite(o[kColPlots]) ? static_cast<int>(std::clamp(o[kColPlots], 0.0, 1e6)) : 0;
  s.got = 0;
  s.first_plot = s.last_plot = -1;
  s.deadline = now_ + kLookPatienceS;
  due_ = std::min(due_, s.deadline);
  if (s.expected == 0) CloseLook(index);
}

/// Whether a plot is told twice.
inline bool IsTwin(const Measurement& a, const Measurement& b) {
  return a.form == b.form && a.t == b.t && a.z[0] == b.z[0] && a.z[1] == b.z[1] && a.z[2] == b.z[2];
}

inline void Tracker::TakePlot(const double* o) {
  int index = static_cast<int>(o[kColSensor]);
  Sensor& s = sensors_[index];
  Plot plot{};
  if (!ToMeasurement(o, plot)) {
    rejected_++;
    return Answered(o, 0);
  }
  double look = std::isfinite(o[kColLook]) ? o[kColLook] : -1;
  // Without a head, plots of one time are one look: a sensor may tell of the same thing again a moment later.
  double span = s.expected >= 0 ? 1e3 : s.rotating && s.sweep >= 0 ? kSectorS : 1e-6;
  bool same = s.open && s.look == look && std::fabs(o[kColTime] - s.look_time) <= span;
  if (!same) {
    if (s.open) CloseLook(index);
    s.open = true;
    s.look = look;
    s.look_time = o[kColTime];
    s.expected = -1;
    s.got = 0;
    s.first_plot = s.last_plot = -1;
    s.deadline = now_ + kSectorPatienceS;
    due_ = std::min(due_, s.deadline);
  }
  plot.signal = o[kColSignal];
  plot.sequence = Sequence(o);
  plot.received = now_;
  plot.emitter = Whole(o[kColEmitter]);
  plot.next = -1;
  int place = free_plot_;
  if (place >= 0) {
    free_plot_ = plots_[place].next;
    plots_[place] = plot;
  } else if (static_cast<int>(plots_.size()) < limits_.plots) {
    place = static_cast<int>(plots_.size());
    plots_.push_back(plot);
  } else {
    rejected_++;
    return Answered(o, 0);
  }
  if (same && s.last_plot >= 0 && IsTwin(plots_[s.last_plot].m, plot.m)) {
    plots_[place].next = free_plot_;
    free_plot_ = place;
    if (++s.got == s.expected) CloseLook(index);
    return Answered(o, 0);
  }
  if (s.last_plot >= 0) plots_[s.last_plot].next = place;
  else s.first_plot = place;
  s.last_plot = place;
  if (++s.got == s.expected) CloseLook(index);
}

/// Heard without a place: it keeps a track alive, or begins one that has none.
inline void Tracker::TakeWord(const double* o) {
  int32_t index = o[kColClaim] >= 0 && o[kColClaim] < limits_.claims ? static_cast<int32_t>(o[kColClaim]) : -1;
  if (index < 0) return Answered(o, 0);
  Claim& c = claims_[index];
  if (SpeaksForAnother(c, o)) return Answered(o, 0);
  c.heard = now_;
  if (c.track < 0) {
    c.track = Open(Origin::kClaim, now_);
    if (c.track < 0) return Answered(o, 0);
    SetClaim(c.track, index);
  }
  Heard(c.track, now_);
  if (HasHits(c.track, set_.confirm_hits)) Confirm(c.track);
  Answered(o, tracks_[c.track].number);
}

/// Nobody is as sure as that, or less than not at all.
inline bool IsSaneSd(double sd) { return std::isnan(sd) || (sd > 0 && std::isfinite(sd)); }

inline bool IsSaneFix(const double* o) {
  for (int column : {kColSdA, kColSdB, kColSdSpeed, kColSdClimb})
    if (!IsSaneSd(o[column])) return false;
  return std::isfinite(o[kColA]) && std::isfinite(o[kColB]) && std::fabs(o[kColA]) <= 90 && std::fabs(o[kColB]) <= 360 &&
         !(std::fabs(o[kColC]) > 1e6) && !(std::fabs(o[kColEast]) > kMostSpeedMps) && !(std::fabs(o[kColNorth]) > kMostSpeedMps) &&
         !(std::fabs(o[kColUp]) > kMostSpeedMps);
}

inline bool Tracker::ToMeasurement(const double* o, Plot& plot) const {
  Measurement& m = plot.m;
  if (Whole(o[kColKind]) == kPosition) {
    if (!IsSaneFix(o)) return false;
    FixOf(o, m, plot.height_known);
    return true;
  }
  if (!sensors_[static_cast<int>(o[kColSensor])].placed) return false;
  double azimuth = o[kColA], elevation = o[kColB], range = o[kColC];
  double sd[3] = {o[kColSdA], o[kColSdB], o[kColSdC]};
  if (!std::isfinite(azimuth) || std::fabs(azimuth) > 720) return false;
  for (double value : sd)
    if (!IsSaneSd(value)) return false;
  bool tilted = std::isfinite(elevation) && sensors_[Whole(o[kColSensor])].level, ranged = std::isfinite(range);
  if ((tilted && std::fabs(elevation) > 90) || (ranged && (range < 0 || range > 1e6))) return false;
  auto variance = [](double value, double otherwise, double least, double most) {
    double sound = std::isfinite(value) && value > 0 ? std::clamp(value, least, most) : otherwise;
    return sound * sound;
  };
  m.sensor = static_cast<int32_t>(o[kColSensor]);
  m.t = o[kColTime];
  m.z[0] = azimuth * kDegree;
  m.z[1] = tilted ? elevation * kDegree : 0;
  m.z[2] = ranged ? range : 0;
  std::fill(m.r, m.r + 6, 0.0);
  m.r[0] = variance(sd[0], 1.5, 0.01, 60) * kDegree * kDegree;
  m.r[3] = variance(sd[1], 1.5, 0.01, 60) * kDegree * kDegree;
  m.r[5] = variance(sd[2], 20, kLeastSdM, kMostSdM);
  m.form = ranged ? (tilted ? Form::kPlace : Form::kPlane) : tilted ? Form::kAngles : Form::kBearing;
  return true;
}

/// A place on the earth in the site's axes, with what is declared of its errors.
inline void Tracker::FixOf(const double* o, Measurement& m, bool& height_known) const {
  double lat = o[kColA], lon = o[kColB];
  height_known = std::isfinite(o[kColC]);
  Mat3 local = EnuAxes(lat, lon);
  Mat3 turn = TimesTransposed(site_.axes, local);
  double rows[3][3];
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < 3; i++) rows[a][i] = turn[i * 3 + a];
  auto sd = [](double value, double otherwise, double least, double most) {
    return std::isfinite(value) && value > 0 ? std::clamp(value, least, most) : otherwise;
  };
  double h = sd(o[kColSdA], 15, kLeastSdM, kMostSdM);
  double v = height_known ? sd(o[kColSdB], 30, kLeastSdM, kMostSdHeightM) : kMostSdHeightM;
  // A height is over a curved earth: told at a vague place it is vague by as much as the earth bends there.
  double bend = h * h / (2 * 6371000.0);
  double variance[3] = {h * h, h * h, v * v + bend * bend};
  m.form = Form::kFix;
  m.sensor = static_cast<int32_t>(o[kColSensor]);
  m.t = o[kColTime];
  Vec3 place = site_.FromGeodetic(lat, lon, height_known ? o[kColC] : 0);
  for (int i = 0; i < 3; i++) m.z[i] = place[i];
  TurnDiagonal(rows, variance, m.r);
  bool moving = std::isfinite(o[kColEast]) && std::isfinite(o[kColNorth]);
  std::fill(m.rv, m.rv + 6, 0.0);
  std::fill(m.v, m.v + 3, 0.0);
  if (!moving) return;
  bool climbing = std::isfinite(o[kColUp]);
  double speed = sd(o[kColSdSpeed], 2, kLeastSdMps, kMostSdMps);
  double climb = climbing ? sd(o[kColSdClimb], 1.5, kLeastSdMps, kMostSdMps) : 10;
  double spread[3] = {speed * speed, speed * speed, climb * climb};
  TurnDiagonal(rows, spread, m.rv);
  Vec3 velocity = Rotate(turn, {o[kColEast], o[kColNorth], climbing ? o[kColUp] : 0});
  for (int i = 0; i < 3; i++) m.v[i] = velocity[i];
}

}  // namespace dunlin
