// Update of a state with another estimate of the same aircraft: a track of another fusion system. The errors of that
// estimate depend on those of the state in an unknown way. Covariance intersection therefore combines a share ω of the
// state's information with the share 1 − ω of the report's. Source: Julier and Uhlmann, "A non-divergent estimation
// algorithm in the presence of unknown correlations", ACC 1997. The result is consistent for every correlation, and N
// copies of a report have the effect of one.
//
// ω minimises the determinant of the new covariance. If the report has a velocity, ω minimises the determinant of the
// position's covariance alone, and also serves for the velocity. The reason: the state has a correlation of position
// and velocity, but a report states none. If both were compared, the state would seem better informed than it is, and
// the track would follow a turning aircraft late. The result is consistent for every ω. The logarithm of the
// determinant of ω·A + (1 − ω)·B is concave in ω. Its derivative thus has one zero, which a fixed number of bisections
// finds.
#pragma once

#include <algorithm>
#include <cmath>

#include "gaussian.h"

namespace dunlin {

/// Number of bisections: ω is exact to 1/4096.
inline constexpr int kBisections = 12;
/// Least share of the state's information that is kept: with 0 the state's covariance would become infinite.
inline constexpr double kLeastKept = 0.005;

/// Symmetric 6×6 matrix; only the lower triangle is valid.
struct Sym6 {
  double at[6][6];
};

/// Factors a matrix in place into L·Lᵀ; false if it is not positive definite.
inline bool Factor(Sym6& m) {
  for (int j = 0; j < 6; j++) {
    double d = m.at[j][j];
    for (int k = 0; k < j; k++) d -= m.at[j][k] * m.at[j][k];
    if (!(d > 0)) return false;
    double root = m.at[j][j] = std::sqrt(d);
    for (int i = j + 1; i < 6; i++) {
      double s = m.at[i][j];
      for (int k = 0; k < j; k++) s -= m.at[i][k] * m.at[j][k];
      m.at[i][j] = s / root;
    }
  }
  return true;
}

/// Inverts a positive definite matrix; false if the matrix is not positive definite.
inline bool InverseOf(Sym6 m, Sym6& inverse) {
  if (!Factor(m)) return false;
  double l[6][6] = {};  // L⁻¹
  for (int j = 0; j < 6; j++) {
    l[j][j] = 1 / m.at[j][j];
    for (int i = j + 1; i < 6; i++) {
      double s = 0;
      for (int k = j; k < i; k++) s -= m.at[i][k] * l[k][j];
      l[i][j] = s / m.at[i][i];
    }
  }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j <= i; j++) {
      inverse.at[i][j] = 0;
      for (int k = i; k < 6; k++) inverse.at[i][j] += l[k][i] * l[k][j];
    }
  return true;
}

/// Trace of a · b.
inline double TraceOfProduct(const Sym6& a, const Sym6& b) {
  double sum = 0;
  for (int i = 0; i < 6; i++) {
    sum += a.at[i][i] * b.at[i][i];
    for (int j = 0; j < i; j++) sum += 2 * a.at[i][j] * b.at[i][j];
  }
  return sum;
}

/// Covariance of a state, position first.
inline Sym6 CovarianceOf(const Gaussian& g) {
  Sym6 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      c.at[i][j] = g.pp[kSym[i][j]];
      c.at[3 + i][3 + j] = g.vv[kSym[i][j]];
      c.at[3 + i][j] = g.pv[3 * j + i];
    }
  return c;
}

/// Computes the information (inverse covariance) of a state, for a comparison with the information of a report. If the
/// report has a velocity (`moving`), only the position is compared. False if the state is not positive definite.
inline bool ComparedInformation(const Gaussian& g, const Sym6& report, bool moving, Sym6& own) {
  Sym6 covariance = CovarianceOf(g);
  if (moving)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) covariance.at[3 + i][j] = 0;
  if (!InverseOf(covariance, own)) return false;
  if (moving)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j <= i; j++) own.at[3 + i][3 + j] = report.at[3 + i][3 + j];
  return true;
}

/// Returns the share ω of a state's information that covariance intersection keeps. `report` is the information of the
/// report. Negative if the covariance of the state is not positive definite.
inline double KeptShare(const Gaussian& g, const Sym6& report, bool moving) {
  Sym6 own, surplus, sum, inverse;
  if (!ComparedInformation(g, report, moving, own)) return -1;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j <= i; j++) surplus.at[i][j] = own.at[i][j] - report.at[i][j];
  // Derivative of the log determinant of the fused information with respect to ω (`kept`); 1 if it is not positive definite.
  auto slope = [&](double kept) {
    for (int i = 0; i < 6; i++)
      for (int j = 0; j <= i; j++) sum.at[i][j] = report.at[i][j] + kept * surplus.at[i][j];
    return InverseOf(sum, inverse) ? TraceOfProduct(inverse, surplus) : 1;
  };
  if (slope(1) >= 0) return 1;
  double least = kLeastKept, most = 1;
  if (slope(least) <= 0) return least;
  for (int i = 0; i < kBisections; i++) {
    double middle = (least + most) / 2;
    (slope(middle) > 0 ? least : most) = middle;
  }
  return (least + most) / 2;
}

/// Computes the information of a report: a position of covariance `r`, and, if `moving`, a velocity of covariance `rv`.
/// False if a covariance is not positive definite.
inline bool InformationOf(const Sym3& r, const Sym3& rv, bool moving, Sym6& report) {
  double place[6], velocity[6] = {}, det;
  if (!Invert(r, place, det) || (moving && !Invert(rv, velocity, det))) return false;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      report.at[i][j] = place[kSym[i][j]];
      report.at[3 + i][3 + j] = velocity[kSym[i][j]];
      report.at[3 + i][j] = report.at[i][3 + j] = 0;
    }
  return true;
}

/// Fit of a report to a state, computed as if their errors were independent. The fit serves to decide between two
/// motion models. It depends on the innovation, and not on the share of the report's information that is used.
inline Fit FitOfReport(const Gaussian& g, const double* z, const Sym3& r, const double* v, const Sym3& rv, bool moving) {
  auto fit = [](const double* at, const Sym3& spread, const double* measured, const Sym3& error) {
    double s[6], inverse[6], det, y[3];
    for (int k = 0; k < 6; k++) s[k] = spread[k] + error[k];
    for (int i = 0; i < 3; i++) y[i] = measured[i] - at[i];
    return Invert(s, inverse, det) ? Fit{Quadratic(inverse, y), det} : kImpossible;
  };
  Fit place = fit(g.p, g.pp, z, r);
  return moving ? place.And(fit(g.v, g.vv, v, rv)) : place;
}

/// Replaces a state by a report of position and velocity. This is for a state that reports of fusion systems alone have
/// made: the report contains the information of the earlier ones, and a second filter would only add its lag. Returns
/// the fit of the report to the former state.
inline Fit Adopt(Gaussian& g, const double* z, const Sym3& r, const double* v, const Sym3& rv) {
  Fit fit = FitOfReport(g, z, r, v, rv, true);
  if (!IsPossible(fit)) return kImpossible;
  for (int i = 0; i < 3; i++) {
    g.p[i] = z[i];
    g.v[i] = v[i];
  }
  for (int k = 0; k < 6; k++) {
    g.pp[k] = r[k];
    g.vv[k] = rv[k];
  }
  for (double& c : g.pv) c = 0;
  return fit;
}

/// Updates a state by covariance intersection with a position and, if `moving`, a velocity. The state keeps the share
/// `kept` of its information, between 0 and 1. False if a covariance is not positive definite.
inline bool IntersectAt(double kept, Gaussian& g, const double* z, const Sym3& r, const double* v, const Sym3& rv, bool moving) {
  double wider[6], wider_v[6];
  for (int k = 0; k < 6; k++) {
    g.pp[k] /= kept;
    g.vv[k] /= kept;
    wider[k] = r[k] / (1 - kept);
    wider_v[k] = rv[k] / (1 - kept);
  }
  for (double& c : g.pv) c /= kept;
  return IsPossible(UpdatePosition(g, z, wider)) && (!moving || IsPossible(UpdateVelocity(g, v, wider_v)));
}

/// As `IntersectAt`, with the share that leaves the least covariance. Returns the fit of the report.
inline Fit Intersect(Gaussian& g, const double* z, const Sym3& r, const double* v, const Sym3& rv, bool moving) {
  Sym6 report;
  Fit fit = FitOfReport(g, z, r, v, rv, moving);
  if (!IsPossible(fit) || !InformationOf(r, rv, moving, report)) return kImpossible;
  double kept = KeptShare(g, report, moving);
  if (kept < 0) return kImpossible;
  if (kept == 1) return fit;
  return IntersectAt(kept, g, z, r, v, rv, moving) ? fit : kImpossible;
}

}  // namespace dunlin
