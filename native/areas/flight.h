// A track in the form that is compared with areas: the point where its vertical meets the ellipsoid (`foot`), and the
// motion of that point.
#pragma once

#include <cmath>
#include <limits>

#include "../tracker/gaussian.h"
#include "earth.h"
#include "pairs.h"

namespace dunlin {

struct Flight {
  double number;
  Vec3 foot, velocity;  // ECEF, m and m/s; `velocity` is that of the foot, which is horizontal
  Vec3 up;
  double height, climb, per_climb;  // m above the ellipsoid, NaN if not known; m/s; s/m
  const Gaussian* state;
  const Mat3* axes;  // axes of the state in ECEF
  // Covariances in ECEF axes, in the layout that `Along` reads. They are computed on first use. `mixed` is
  // the sum of the covariance of position with velocity and its transpose.
  mutable Sym3 places, mixed, velocities;
  mutable bool turned = false;

  /// `axes` are the directions of the state's axes, in ECEF. The flight is assumed to keep its climb rate relative to
  /// the curved earth.
  Flight(double number, const Gaussian& g, const Vec3& place, const Mat3& axes, bool height_known)
      : number(number), state(&g), axes(&axes) {
    double axis = std::sqrt(place[0] * place[0] + place[1] * place[1]);
    Vertical v = VerticalOf(place, axis);
    up = axis > 0 ? Vec3{v.cos_lat * place[0] / axis, v.cos_lat * place[1] / axis, v.sin_lat} : Vec3{v.cos_lat, 0, v.sin_lat};
    foot = Minus(place, Times(up, v.height));
    Vec3 moves = RotateBack(axes, {g.v[0], g.v[1], g.v[2]});
    climb = Dot(moves, up);
    per_climb = 1 / climb;
    velocity = Times(Minus(moves, Times(up, climb)), kEarthM / (kEarthM + v.height));
    height = height_known ? v.height : std::numeric_limits<double>::quiet_NaN();
  }

  /// Variance of the position along a direction (unit vector, ECEF) after `t` seconds, m².
  double SpreadAlong(const Vec3& n, double t) const {
    if (!turned) TurnAll();
    double spread = Along(places, n);
    if (t != 0) spread += t * (Along(mixed, n) + t * Along(velocities, n));
    return Greater(spread, 0.0);
  }

  /// Variance of the scalar p · `a` + v · `b` for position p and velocity v; `a` and `b` are vectors in ECEF axes.
  double SpreadOfSum(const Vec3& a, const Vec3& b) const {
    Vec3 p = Rotate(*axes, a), v = Rotate(*axes, b);
    double mixed = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) mixed += p[i] * state->pv[3 * i + j] * v[j];
    return Greater(Quadratic(state->pp, p.data()) + 2 * mixed + Quadratic(state->vv, v.data()), 0.0);
  }

 private:
  /// Rotates all covariances to ECEF axes. Called on first use, since most flights come near no area and never need
  /// them.
  void TurnAll() const {
    const auto& pv = state->pv;
    double even[6] = {2 * pv[0], pv[1] + pv[3], pv[2] + pv[6], 2 * pv[4], pv[5] + pv[7], 2 * pv[8]};
    Turn(*axes, state->pp, places);
    Turn(*axes, even, mixed);
    Turn(*axes, state->vv, velocities);
    turned = true;
  }

  static double Along(const Sym3& s, const Vec3& n) {
    return n[0] * (s[0] * n[0] + s[1] * n[1] + s[2] * n[2]) + n[1] * (s[3] * n[1] + s[4] * n[2]) + n[2] * (s[5] * n[2]);
  }

  /// Computes axesᵀ · s · axes with doubled off-diagonal elements.
  static void Turn(const Mat3& axes, const Sym3& s, Sym3& out) {
    double half[3][3];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        half[i][j] = s[kSym[i][0]] * axes[j] + s[kSym[i][1]] * axes[3 + j] + s[kSym[i][2]] * axes[6 + j];
    for (int i = 0, k = 0; i < 3; i++)
      for (int j = i; j < 3; j++, k++)
        out[k] = (axes[i] * half[0][j] + axes[3 + i] * half[1][j] + axes[6 + i] * half[2][j]) * (i == j ? 1 : 2);
  }
};

}  // namespace dunlin
