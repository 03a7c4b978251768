// The offset of one radar in azimuth and range, learnt from plots of aircraft that report their own positions.
#pragma once

#include <cmath>

#include "../geodesy.h"
#include "settings.h"

namespace dunlin {

/// Scatter of reported positions around measured ones, relative to the declared accuracy. It is kept for each claim,
/// and for each sensor that receives claims.
struct Scatter {
  double over = 1;   // mean squared normalised residual: 1 if all declared errors are right
  double scale = 1;  // variance of the source in units of its declared variance
  double alone = 1;  // share of reports from the sender of the report before: 1 for one sender, ¼ for four at random
  int last = -1;

  void Take(int who, double weight) {
    alone += weight * ((who == last) - alone);
    last = who;
  }
  void Learn(double residual, double excess, double weight) {
    over += weight * (residual - over);
    scale += weight * (excess - scale);
  }
};

struct Registration {
  double azimuth = 0, range = 0;  // rad, m: learnt offsets: measured minus true
  double aa = 0, ar = 0, rr = 0;  // covariance of the offsets
  double plots = 0;
  bool begun = false;

  void Begin(const Settings& set) {
    begun = true;
    aa = set.bias_azimuth_deg * kDegree * set.bias_azimuth_deg * kDegree;
    rr = set.bias_range_m * set.bias_range_m;
    ar = 0;
  }

  /// Updates the offsets by the difference between a plot and its track: `da`, rad, and `dr`, m, with the variances
  /// `va` and `vr`. Ignores a difference beyond five standard deviations.
  void Learn(double da, double dr, double va, double vr, const Settings& set) {
    if (!begun) Begin(set);
    va *= set.bias_caution;
    vr *= set.bias_caution;
    double ya = da - azimuth, yr = dr - range;
    double saa = aa + va, srr = rr + vr, det = saa * srr - ar * ar;
    if (!(det > 0) || ya * ya / saa > 25 || yr * yr / srr > 25) return;
    double iaa = srr / det, irr = saa / det, iar = -ar / det;
    double k00 = aa * iaa + ar * iar, k01 = aa * iar + ar * irr, k10 = ar * iaa + rr * iar, k11 = ar * iar + rr * irr;
    azimuth += k00 * ya + k01 * yr;
    range += k10 * ya + k11 * yr;
    double new_aa = aa - k00 * aa - k01 * ar, new_ar = ar - k00 * ar - k01 * rr, new_rr = rr - k10 * ar - k11 * rr;
    aa = new_aa;
    ar = new_ar;
    rr = new_rr;
    plots++;
  }

  bool AppliesAzimuth(const Settings& set) const { return azimuth * azimuth > set.bias_sigma * set.bias_sigma * aa && begun; }
  bool AppliesRange(const Settings& set) const { return range * range > set.bias_sigma * set.bias_sigma * rr && begun; }
};

}  // namespace dunlin
