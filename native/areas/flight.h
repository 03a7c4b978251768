// A track as things are measured against it: where its vertical meets the ellipsoid and how that place moves.
#pragma once

#include <cmath>
#include <limits>

#include "../tracker/gaussian.h"
#include "earth.h"

namespace dunlin {

struct Flight {
  double number = 0;
  Vec3 foot{}, velocity{};  // ECEF; the velocity is level, that of the foot
  Vec3 up{};
  double height = 0, climb = 0;  // m above the ellipsoid, NaN where not known; m/s
  const Gaussian* state = nullptr;
  const Mat3* axes = nullptr;  // of the state, against ECEF

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
    return f;
  }

  /// The variance of where it is along a direction (ECEF, unit) in `t` seconds, m².
  double SpreadAlong(const Vec3& direction, double t) const {
    Vec3 n = Rotate(*axes, direction);
    double mixed = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) mixed += n[i] * state->pv[3 * i + j] * n[j];
    return std::fmax(0, Quadratic(state->pp, n.data()) + t * (2 * mixed + t * Quadratic(state->vv, n.data())));
  }

  /// The variance of p · `a` + v · `b`, directions in ECEF.
  double SpreadOfSum(const Vec3& a, const Vec3& b) const {
    Vec3 p = Rotate(*axes, a), v = Rotate(*axes, b);
    double mixed = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) mixed += p[i] * state->pv[3 * i + j] * v[j];
    return std::fmax(0, Quadratic(state->pp, p.data()) + 2 * mixed + Quadratic(state->vv, v.data()));
  }
};

}  // namespace dunlin
