// A Gaussian over position and velocity with a constant-velocity motion model, stored in blocks of three. It holds one
// motion model, or two at once: each number is then a pair, and one instruction computes both.
//
// Axes are Cartesian, in metres and metres per second. The motion noise is white acceleration with spectral density q
// along the ground, and a fraction of q along the local vertical. Source: Bar-Shalom, Li, Kirubarajan, "Estimation with
// Applications to Tracking and Navigation", 2001, section 6.2.2.
#pragma once

#include <cmath>
#include <type_traits>

namespace dunlin {

/// One quantity for each of two motion models.
using Pair = double __attribute__((vector_size(16)));

/// Symmetric 3×3 matrix in six doubles: elements 00, 01, 02, 11, 12, 22.
using Sym3 = double[6];

inline constexpr int kSym[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

template <typename Number>
struct GaussianOf {
  Number p[3], v[3];
  Number pp[6], vv[6];  // read most often, so adjacent in memory
  Number pv[9];         // row-major: covariance of p[i] with v[j]
};
using Gaussian = GaussianOf<double>;
using GaussianPair = GaussianOf<Pair>;

/// Whether a condition holds; for a pair, whether it holds for both numbers.
inline bool All(bool holds) { return holds; }
inline bool All(decltype(Pair{} < Pair{}) holds) { return holds[0] && holds[1]; }

/// Inverts a matrix, or both matrices of a pair, and computes the determinants. False if a matrix is not positive
/// definite.
template <typename Number>
inline bool Invert(const Number (&s)[6], Number (&inverse)[6], Number& det) {
  Number c00 = s[3] * s[5] - s[4] * s[4], c01 = s[2] * s[4] - s[1] * s[5], c02 = s[1] * s[4] - s[2] * s[3];
  det = s[0] * c00 + s[1] * c01 + s[2] * c02;
  if (!All(det > 0) || !All(s[0] > 0) || !All(s[0] * s[3] - s[1] * s[1] > 0)) return false;
  Number scale = 1 / det;
  inverse[0] = c00 * scale;
  inverse[1] = c01 * scale;
  inverse[2] = c02 * scale;
  inverse[3] = (s[0] * s[5] - s[2] * s[2]) * scale;
  inverse[4] = (s[1] * s[2] - s[0] * s[4]) * scale;
  inverse[5] = (s[0] * s[3] - s[1] * s[1]) * scale;
  return true;
}

template <typename Number, typename Part>
inline Number Quadratic(const Number (&s)[6], const Part* y) {
  return s[0] * y[0] * y[0] + s[3] * y[1] * y[1] + s[5] * y[2] * y[2] +
         2 * (s[1] * y[0] * y[1] + s[2] * y[0] * y[2] + s[4] * y[1] * y[2]);
}

inline constexpr double kTwoPi = 6.283185307179586477;

/// Fit of a measurement to a state: the squared Mahalanobis distance, and the determinant of the innovation covariance.
/// For a sequence of measurements, distances are added and determinants multiplied. With n measured numbers the
/// likelihood is exp(−½·distance2) / √((2π)ⁿ·det). Likelihoods can thus be compared without a logarithm.
template <typename Number>
struct FitOf {
  Number distance2, det;

  FitOf And(const FitOf& next) const { return {distance2 + next.distance2, det * next.det}; }
};
using Fit = FitOf<double>;
using FitPair = FitOf<Pair>;

/// Fit of a measurement that cannot belong to a state.
inline constexpr Fit kImpossible{1e9, 1};
inline bool IsPossible(const Fit& fit) { return fit.distance2 < kImpossible.distance2; }

/// Vertical noise density divided by horizontal noise density, for the calm model and for states with one model.
inline constexpr double kClimb = 0.25;

/// Predicts the state `dt` seconds ahead. `q` is the spectral density of the horizontal noise, m²/s³. `up` is the local
/// vertical (unit vector), along which the density is `climb` · `q`.
template <typename Number>
inline void Predict(GaussianOf<Number>& g, double dt, std::type_identity_t<Number> q, const double* up,
                    std::type_identity_t<Number> climb) {
  Number n[6], less = 1 - climb;  // the noise has the shape I − less·up·upᵀ
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++) n[k] = static_cast<double>(i == j) - less * (up[i] * up[j]);
  double dt2 = dt * dt;
  Number q1 = q * dt, q2 = q1 * dt / 2, q3 = q1 * dt * dt / 3;
  for (int i = 0; i < 3; i++) g.p[i] += g.v[i] * dt;
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++)
      g.pp[k] += dt * (g.pv[3 * i + j] + g.pv[3 * j + i]) + dt2 * g.vv[k] + q3 * n[k];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) g.pv[3 * i + j] += dt * g.vv[kSym[i][j]] + q2 * n[kSym[i][j]];
  for (int k = 0; k < 6; k++) g.vv[k] += q1 * n[k];
}

inline void Predict(Gaussian& g, double dt, double q, const double* up) { Predict(g, dt, q, up, kClimb); }

/// Computes a · b and makes the result exactly symmetric. Valid only if the exact product is symmetric. Always inline,
/// since calls from hot loops would cost 0.8 % more instructions in the tracker.
template <typename Number>
[[gnu::always_inline]] inline void ProductSym(const Number* a, const Number* b, Number* out) {
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++) {
      Number ij = a[3 * i] * b[kSym[0][j]] + a[3 * i + 1] * b[kSym[1][j]] + a[3 * i + 2] * b[kSym[2][j]];
      Number ji = a[3 * j] * b[kSym[0][i]] + a[3 * j + 1] * b[kSym[1][i]] + a[3 * j + 2] * b[kSym[2][i]];
      out[k] = (ij + ji) / 2;
    }
}

/// Updates a state with a position `z` of covariance `r` and computes the fit. If the update is impossible, it returns
/// false and changes nothing. With W = (pp + r)⁻¹ it uses M = r·W = I − pp·W, which avoids differences of nearly equal
/// values.
template <typename Number>
inline bool TakePosition(GaussianOf<Number>& g, const double* z, const Sym3& r, FitOf<Number>& fit) {
  Number s[6], w[6], det, y[3], wy[3], m[9], t[9];
  for (int k = 0; k < 6; k++) s[k] = g.pp[k] + r[k];
  if (!Invert(s, w, det)) return false;
  for (int i = 0; i < 3; i++) y[i] = z[i] - g.p[i];
  for (int i = 0; i < 3; i++) wy[i] = w[kSym[i][0]] * y[0] + w[kSym[i][1]] * y[1] + w[kSym[i][2]] * y[2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m[3 * i + j] = r[kSym[i][0]] * w[kSym[0][j]] + r[kSym[i][1]] * w[kSym[1][j]] + r[kSym[i][2]] * w[kSym[2][j]];
  for (int i = 0; i < 3; i++) {
    g.p[i] += g.pp[kSym[i][0]] * wy[0] + g.pp[kSym[i][1]] * wy[1] + g.pp[kSym[i][2]] * wy[2];
    g.v[i] += g.pv[i] * wy[0] + g.pv[3 + i] * wy[1] + g.pv[6 + i] * wy[2];
  }
  for (int i = 0; i < 3; i++)  // t = W · pv
    for (int j = 0; j < 3; j++)
      t[3 * i + j] = w[kSym[i][0]] * g.pv[j] + w[kSym[i][1]] * g.pv[3 + j] + w[kSym[i][2]] * g.pv[6 + j];
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++) g.vv[k] -= g.pv[i] * t[j] + g.pv[3 + i] * t[3 + j] + g.pv[6 + i] * t[6 + j];
  for (int i = 0; i < 3; i++)  // pv = M · pv = r · t
    for (int j = 0; j < 3; j++)
      g.pv[3 * i + j] = r[kSym[i][0]] * t[j] + r[kSym[i][1]] * t[3 + j] + r[kSym[i][2]] * t[6 + j];
  Number pp[6];
  ProductSym(m, g.pp, pp);
  for (int k = 0; k < 6; k++) g.pp[k] = pp[k];
  fit = {y[0] * wy[0] + y[1] * wy[1] + y[2] * wy[2], det};
  return true;
}

/// Updates a state with a velocity `z` of covariance `r`, like TakePosition.
template <typename Number>
inline bool TakeVelocity(GaussianOf<Number>& g, const double* z, const Sym3& r, FitOf<Number>& fit) {
  Number s[6], w[6], det, y[3], wy[3], m[9], t[9];
  for (int k = 0; k < 6; k++) s[k] = g.vv[k] + r[k];
  if (!Invert(s, w, det)) return false;
  for (int i = 0; i < 3; i++) y[i] = z[i] - g.v[i];
  for (int i = 0; i < 3; i++) wy[i] = w[kSym[i][0]] * y[0] + w[kSym[i][1]] * y[1] + w[kSym[i][2]] * y[2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m[3 * i + j] = r[kSym[i][0]] * w[kSym[0][j]] + r[kSym[i][1]] * w[kSym[1][j]] + r[kSym[i][2]] * w[kSym[2][j]];
  for (int i = 0; i < 3; i++) {
    g.v[i] += g.vv[kSym[i][0]] * wy[0] + g.vv[kSym[i][1]] * wy[1] + g.vv[kSym[i][2]] * wy[2];
    g.p[i] += g.pv[3 * i] * wy[0] + g.pv[3 * i + 1] * wy[1] + g.pv[3 * i + 2] * wy[2];
  }
  for (int i = 0; i < 3; i++)  // t = pv · W
    for (int j = 0; j < 3; j++)
      t[3 * i + j] = g.pv[3 * i] * w[kSym[0][j]] + g.pv[3 * i + 1] * w[kSym[1][j]] + g.pv[3 * i + 2] * w[kSym[2][j]];
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++)
      g.pp[k] -= t[3 * i] * g.pv[3 * j] + t[3 * i + 1] * g.pv[3 * j + 1] + t[3 * i + 2] * g.pv[3 * j + 2];
  for (int i = 0; i < 3; i++)  // pv = pv · Mᵀ = t · r
    for (int j = 0; j < 3; j++)
      g.pv[3 * i + j] = t[3 * i] * r[kSym[0][j]] + t[3 * i + 1] * r[kSym[1][j]] + t[3 * i + 2] * r[kSym[2][j]];
  Number vv[6];
  ProductSym(m, g.vv, vv);
  for (int k = 0; k < 6; k++) g.vv[k] = vv[k];
  fit = {y[0] * wy[0] + y[1] * wy[1] + y[2] * wy[2], det};
  return true;
}

/// Updates one model with a position or a velocity; returns the fit, kImpossible if the update fails.
inline Fit UpdatePosition(Gaussian& g, const double* z, const Sym3& r) {
  Fit fit;
  return TakePosition(g, z, r, fit) ? fit : kImpossible;
}
inline Fit UpdateVelocity(Gaussian& g, const double* z, const Sym3& r) {
  Fit fit;
  return TakeVelocity(g, z, r, fit) ? fit : kImpossible;
}

/// Updates a state with one number. `h` is the number's gradient with respect to position, `y` is measured minus
/// predicted, `r` is the variance.
inline Fit UpdateAlongRow(Gaussian& g, const double* h, double y, double r) {
  double gain_p[3], gain_v[3];
  for (int i = 0; i < 3; i++) {
    gain_p[i] = g.pp[kSym[i][0]] * h[0] + g.pp[kSym[i][1]] * h[1] + g.pp[kSym[i][2]] * h[2];
    gain_v[i] = g.pv[i] * h[0] + g.pv[3 + i] * h[1] + g.pv[6 + i] * h[2];
  }
  double s = h[0] * gain_p[0] + h[1] * gain_p[1] + h[2] * gain_p[2] + r;
  if (!(s > 0)) return kImpossible;
  double inverse = 1 / s;
  for (int i = 0; i < 3; i++) {
    g.p[i] += gain_p[i] * y * inverse;
    g.v[i] += gain_v[i] * y * inverse;
  }
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++) {
      g.pp[k] -= gain_p[i] * gain_p[j] * inverse;
      g.vv[k] -= gain_v[i] * gain_v[j] * inverse;
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) g.pv[3 * i + j] -= gain_p[i] * gain_v[j] * inverse;
  return {y * y * inverse, s};
}

/// Greatest valid speed of a track, m/s. All expected aircraft are slower. A greater reported speed is therefore an
/// error, and would move the track far away.
inline constexpr double kMostSpeedMps = 1000;

/// Whether a state is valid: variances are positive, numbers finite, and the speed is plausible.
template <typename Number>
inline bool IsSound(const GaussianOf<Number>& g) {
  Number sum = g.p[0] + g.v[0];
  for (int i = 1; i < 3; i++) sum += g.p[i] + g.v[i];
  for (int i = 0; i < 9; i++) sum += g.pv[i];
  for (int k = 0; k < 6; k++) sum += g.pp[k] + g.vv[k];
  Number speed2 = g.v[0] * g.v[0] + g.v[1] * g.v[1] + g.v[2] * g.v[2];
  bool spread = All(g.pp[0] > 0) && All(g.pp[3] > 0) && All(g.pp[5] > 0) && All(g.vv[0] > 0) && All(g.vv[3] > 0) && All(g.vv[5] > 0);
  return spread && All(sum - sum == 0) && All(speed2 <= kMostSpeedMps * kMostSpeedMps);  // infinity minus itself is NaN
}

}  // namespace dunlin
