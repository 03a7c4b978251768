// Reports of tracks: one row of numbers for each, in the `track` columns of layouts.json.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "life.h"

namespace dunlin {

/// Half of the difference between the greatest and the least eigenvalue of the covariance [a b; b c].
inline double SpreadOf(double a, double b, double c) { return std::sqrt((a - c) * (a - c) / 4 + b * b); }

/// 1-sigma radius along the longest axis of the covariance [a b; b c].
inline double MajorOf(double a, double b, double c) { return std::sqrt(std::max((a + c) / 2 + SpreadOf(a, b, c), 0.0)); }

/// 1-sigma ellipse of the covariance [a b; b c] over (east, north): {semi-major axis, semi-minor axis, bearing of the
/// major axis}. The bearing is in degrees from north, 0 ≤ x < 180.
inline Vec3 EllipseOf(double a, double b, double c) {
  double orientation = 0.5 * std::atan2(2 * b, c - a) / kDegree;
  if (orientation < 0) orientation += 180;
  if (orientation >= 180) orientation -= 180;
  return {MajorOf(a, b, c), std::sqrt(std::max((a + c) / 2 - SpreadOf(a, b, c), 0.0)), orientation};
}

/// Rotates a symmetric matrix: turn · s · turnᵀ.
inline void TurnSym(const Mat3& turn, const Sym3& s, Sym3& out) {
  double half[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      half[3 * i + j] = turn[3 * i] * s[kSym[0][j]] + turn[3 * i + 1] * s[kSym[1][j]] + turn[3 * i + 2] * s[kSym[2][j]];
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++)
      out[k] = half[3 * i] * turn[3 * j] + half[3 * i + 1] * turn[3 * j + 1] + half[3 * i + 2] * turn[3 * j + 2];
}

/// Horizontal position covariance some seconds ahead, computed in closed form. `Predict` would give the same result.
class GroundAhead {
 public:
  /// `turn` rotates from the state's axes into east, north and up; `q` is the spectral density of the horizontal noise,
  /// m²/s³.
  GroundAhead(const Gaussian& g, const Mat3& turn, double q) {
    const double *east = &turn[0], *north = &turn[3];
    double crossed[6], up[3];
    for (int i = 0, k = 0; i < 3; i++)
      for (int j = i; j < 3; j++, k++) crossed[k] = g.pv[3 * i + j] + g.pv[3 * j + i];
    UpAt(g.p, up);
    double up_east = Dot(east, up), up_north = Dot(north, up);
    double noise[3] = {1 - 0.75 * up_east * up_east, -0.75 * up_east * up_north, 1 - 0.75 * up_north * up_north};
    Turn(east, north, g.pp, terms_[0]);
    Turn(east, north, crossed, terms_[1]);
    Turn(east, north, g.vv, terms_[2]);
    for (int k = 0; k < 3; k++) terms_[3][k] = q / 3 * noise[k];
  }

  /// 1-sigma radius along the longest axis `dt` seconds ahead, m.
  double MajorAfter(double dt) const {
    double s[3];
    for (int k = 0; k < 3; k++) s[k] = terms_[0][k] + dt * (terms_[1][k] + dt * (terms_[2][k] + dt * terms_[3][k]));
    return MajorOf(s[0], s[1], s[2]);
  }

 private:
  static double Dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  /// Computes the horizontal block of a covariance: east-east, east-north, north-north.
  static void Turn(const double* east, const double* north, const Sym3& s, double* out) {
    double by_east[3], by_north[3];
    for (int i = 0; i < 3; i++) {
      by_east[i] = s[kSym[i][0]] * east[0] + s[kSym[i][1]] * east[1] + s[kSym[i][2]] * east[2];
      by_north[i] = s[kSym[i][0]] * north[0] + s[kSym[i][1]] * north[1] + s[kSym[i][2]] * north[2];
    }
    out[0] = Dot(east, by_east);
    out[1] = Dot(north, by_east);
    out[2] = Dot(north, by_north);
  }

  double terms_[4][3];  // coefficients of 1, dt, dt² and dt³
};

/// Converts positions near a given position to geodetic ones, by the earth's radii of curvature there. Near a pole,
/// where east is undefined, and beyond 10 km it uses the exact conversion.
class Vicinity {
 public:
  /// `axes` are east, north and up at the given position; `turn` rotates into them from the axes of the site.
  Vicinity(const Frame& site, const Vec3& place, const Mat3& axes, const Mat3& turn, const double* p)
      : site_(site), place_(place), turn_(turn), p_{p[0], p[1], p[2]}, sin_(axes[8]), cos_(axes[5]) {
    double w2 = 1 - kEccentricitySq * sin_ * sin_, w = std::sqrt(w2);
    north_m_ = kSemiMajorM * (1 - kEccentricitySq) / (w2 * w) + place[2];
    east_m_ = kSemiMajorM / w + place[2];
  }

  /// Geodetic position of a point in the site's axes. Within 4 km the error is 2 m beside a pole, and decimetres
  /// elsewhere.
  Vec3 At(const double* p) const {
    Vec3 d = Rotate(turn_, {p[0] - p_[0], p[1] - p_[1], p[2] - p_[2]});
    double far2 = d[0] * d[0] + d[1] * d[1];
    if (cos_ < 0.01 || far2 > kFarM * kFarM) return site_.ToGeodetic({p[0], p[1], p[2]});
    double north = d[1] - d[0] * d[0] * sin_ / (2 * east_m_ * cos_), east = d[0] / (east_m_ * cos_ - d[1] * sin_);
    double lon = place_[1] + east / kDegree;
    return {place_[0] + north / north_m_ / kDegree, lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon,
            place_[2] + d[2] + far2 / (2 * east_m_)};
  }

 private:
  static constexpr double kFarM = 10000;
  const Frame& site_;
  Vec3 place_;
  const Mat3& turn_;
  double p_[3], sin_, cos_, north_m_, east_m_;
};

inline void ReportPlace(const Frame& site, const Gaussian& g, bool height_known, const double* leads, int lead_count, double q,
                        double* out) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  Mat3 axes;
  Vec3 place = site.ToGeodetic({g.p[0], g.p[1], g.p[2]}, axes);
  Mat3 turn = TimesTransposed(axes, site.axes);
  Vec3 velocity = Rotate(turn, {g.v[0], g.v[1], g.v[2]});
  double covariance[6];
  TurnSym(turn, g.pp, covariance);
  Vec3 ellipse = EllipseOf(covariance[0], covariance[1], covariance[3]);
  out[kTrackLatDeg] = place[0];
  out[kTrackLonDeg] = place[1];
  out[kTrackAltHaeM] = height_known ? place[2] : kNaN;
  out[kTrackEastMps] = velocity[0];
  out[kTrackNorthMps] = velocity[1];
  out[kTrackUpMps] = velocity[2];
  out[kTrackMajorM] = ellipse[0];
  out[kTrackMinorM] = ellipse[1];
  out[kTrackOrientationDeg] = ellipse[2];
  out[kTrackSigmaVM] = height_known ? std::sqrt(std::max(covariance[5], 0.0)) : kNaN;
  for (int i = 0; i < 6; i++) out[kTrackCovEeM2 + i] = covariance[i];
  Vicinity vicinity(site, place, axes, turn, g.p);
  GroundAhead ahead(g, turn, q);
  for (int i = 0; i < lead_count; i++) {
    double p[3];
    for (int a = 0; a < 3; a++) p[a] = g.p[a] + g.v[a] * leads[i];
    Vec3 there = vicinity.At(p);
    double* cell = out + kTrackPredicted + kPredictionWidth * i;
    cell[kPredictionLatDeg] = there[0];
    cell[kPredictionLonDeg] = there[1];
    cell[kPredictionAltHaeM] = height_known ? there[2] : kNaN;
    cell[kPredictionRadiusM] = ahead.MajorAfter(leads[i]);
  }
}

/// Greatest number of consecutive reports that may leave out a due track.
inline constexpr int kPassedOverMost = 7;

class TrackReport {
 public:
  TrackReport(const Settings& set, const Frame& site, TrackTable& tracks, const Claims& claims, const LifeCycle& life)
      : set_(set), site_(site), tracks_(tracks), claims_(claims), life_(life) {
    due_.reserve(tracks.capacity());
  }

  /// Collects the tracks that changed since their last report, and returns their number.
  size_t Due();
  /// Writes rows of the due tracks as of `now`, s, with predictions at `leads`, s; returns the number of rows. If more
  /// than `most` are due, some are left out and stay due. Tracks in `urgent` (numbers, sorted) are never left out.
  /// Other tracks are left out at most kPassedOverMost times in a row. There may thus be more than `most` rows. If room
  /// remains, it goes to the tracks that were left out most often.
  size_t Write(double now, const double* leads, int lead_count, const double* urgent, size_t urgent_count, size_t most,
               double* out);

 private:
  void PassOver(const double* urgent, size_t urgent_count, size_t most);
  void WriteTrack(int slot, double now, const double* leads, int lead_count, double* row, size_t width);

  const Settings& set_;
  const Frame& site_;
  TrackTable& tracks_;
  const Claims& claims_;
  const LifeCycle& life_;
  std::vector<int> due_;
};

inline size_t TrackReport::Due() {
  due_.clear();
  for (int slot : tracks_.live())
    if (tracks_[slot].dirty) due_.push_back(slot);
  return due_.size();
}

/// Reduces the due tracks to the rows of this report. Urgent tracks stay, and tracks that the last kPassedOverMost
/// reports left out. The room up to `most` goes to the tracks that were left out most often. All others are left out
/// once more.
inline void TrackReport::PassOver(const double* urgent, size_t urgent_count, size_t most) {
  auto is_urgent = [&](int slot) {
    const Track& k = tracks_[slot];
    return k.passed_over == kPassedOverMost || std::binary_search(urgent, urgent + urgent_count, static_cast<double>(k.number));
  };
  size_t patient[kPassedOverMost] = {}, room = most;
  for (int& slot : due_) {
    if (!is_urgent(slot)) patient[tracks_[slot].passed_over]++;
    else {
      room -= room > 0;
      slot = ~slot;
    }
  }
  for (int times = kPassedOverMost - 1; times >= 0; times--) {
    patient[times] = std::min(patient[times], room);
    room -= patient[times];
  }
  size_t kept = 0;
  for (int slot : due_) {
    if (slot < 0) {
      due_[kept++] = ~slot;
      continue;
    }
    uint8_t& times = tracks_[slot].passed_over;
    if (patient[times] > 0) {
      patient[times]--;
      due_[kept++] = slot;
    } else times++;
  }
  due_.resize(kept);
}

inline size_t TrackReport::Write(double now, const double* leads, int lead_count, const double* urgent, size_t urgent_count,
                                 size_t most, double* out) {
  if (Due() > most) PassOver(urgent, urgent_count, most);
  size_t width = kTrackPredicted + kPredictionWidth * static_cast<size_t>(lead_count);
  for (int slot : due_) {
    WriteTrack(slot, now, leads, lead_count, out, width);
    out += width;
  }
  return due_.size();
}

inline void TrackReport::WriteTrack(int slot, double now, const double* leads, int lead_count, double* row, size_t width) {
  Track& k = tracks_[slot];
  std::fill(row, row + width, std::numeric_limits<double>::quiet_NaN());
  k.dirty = false;
  k.passed_over = 0;
  k.reported = life_.StateOf(k, now);
  row[kTrackNumber] = k.number;
  row[kTrackState] = static_cast<double>(k.reported);
  row[kTrackUpdatedMs] = now * 1000;
  row[kTrackLastSeenMs] = k.received * 1000;
  row[kTrackVerdict] = k.claim >= 0 ? static_cast<double>(claims_[k.claim].verdict) : 0;
  row[kTrackReasons] = k.claim >= 0 ? claims_[k.claim].reasons : 0;
  row[kTrackMisses] = k.claim >= 0 ? claims_[k.claim].misses : 0;
  row[kTrackConfidence] = 0;
  if (!k.placed) return;
  // A lost track is reported where it would be `lost_s` after its last evidence.
  double believed = k.life == Life::kResting ? std::min(now, k.received + set_.lost_s) : now;
  Gaussian g = tracks_.At(slot, believed);
  row[kTrackConfidence] = life_.Confidence(slot, now, believed == now ? g : tracks_.At(slot, now));
  ReportPlace(site_, g, k.height_known, leads, lead_count, k.imm.habit * set_.q_calm + (1 - k.imm.habit) * set_.q_wild, row);
}

}  // namespace dunlin
