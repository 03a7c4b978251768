// A track as things are measured against it: where its vertical meets the ellipsoid and how that place moves.
#pragma once

#include <cmath>
#include <limits>

#include "../tracker/gaussian.h"
#include "earth.h"
#include "pairs.h"

namespace dunlin {

struct Flight {
  double number = 0;
  Vec3 foot{}, velocity{};  // ECEF; the velocity is level, that of the foot
  Vec3 up{};
  double height = 0, climb = 0;  // m above the ellipsoid, NaN where not known; m/s
  const Gaussian* state = nullptr;
  const Mat3* axes = nullptr;  // of the state, against ECEF
  Sym3 places, mixed, velocities;  // its covariances, ECEF, laid out for `Along`; of place with velocity the even part

  /// `axes` are those of the state's; it flies on level or climbs on, over a curved earth.
  static Flight Of(double number, const Gaussian& g, const Vec3& place, const Mat3& axes, bool height_known) {
    double axis = std::sqrt(place[0] * place[0] + place[1] * place[1]);
    Vertical v = VerticalOf(place, axis);
    Flight f;
    f.number = number;
    f.up = axis > 0 ? Vec3{v.cos_lat * place[0] / axis, v.cos_lat * place[1] / axis, v.sin_lat} : Vec3{v.cos_lat, 0, v.sin_lat};
    f.foot = Minus(place, Times(f.up, v.height));
    Vec3 moves = RotateBack(axes, {g.v[0], g.v[1], g.v[2]});
    f.climb = Dot(moves, f.up);
    f.velocity = Times(Minus(moves, Times(f.up, f.climb)), kEarthM / (kEarthM + v.height));
    f.height = height_known ? v.height : std::numeric_limits<double>::quiet_NaN();
    f.state = &g;
    f.axes = &axes;
    double even[6] = {2 * g.pv[0], g.pv[1] + g.pv[3], g.pv[2] + g.pv[6], 2 * g.pv[4], g.pv[5] + g.pv[7], 2 * g.pv[8]};
    Turn(axes, g.pp, f.places);
    Turn(axes, even, f.mixed);
    Turn(axes, g.vv, f.velocities);
    return f;
  }

  /// The variance of where it is along a direction (ECEF, unit) in `t` seconds, m².
  double SpreadAlong(const Vec3& n, double t) const {
    double spread = Along(places, n);
    if (t != 0) spread += t * (Along(mixed, n) + t * Along(velocities, n));
    return Greater(spread, 0.0);
  }

  /// The variance of p · `a` + v · `b`, directions in ECEF.
  double SpreadOfSum(const Vec3& a, const Vec3& b) const {
    Vec3 p = Rotate(*axes, a), v = Rotate(*axes, b);
    double mixed = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) mixed += p[i] * state->pv[3 * i + j] * v[j];
    return Greater(Quadratic(state->pp, p.data()) + 2 * mixed + Quadratic(state->vv, v.data()), 0.0);
  }

 private:
  static double Along(const Sym3& s, const Vec3& n) {
    return n[0] * (s[0] * n[0] + s[1] * n[1] + s[2] * n[2]) + n[1] * (s[3] * n[1] + s[4] * n[2]) + n[2] * (s[5] * n[2]);
  }

  /// axesᵀ · s · axes, what lies beside the diagonal twice.
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
