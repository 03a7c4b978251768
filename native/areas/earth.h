// Positions on the ellipsoid, given by their verticals: unit vectors that point up, in ECEF axes. The shortest path
// between two positions is the great circle between their verticals, as in src/geo/shape.
#pragma once

#include "../geodesy.h"

namespace dunlin {

/// Mean radius of the earth, m: for corrections of distances, and for lengths that need not be exact.
inline constexpr double kEarthM = 6371008.8;

inline Vec3 Plus(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3 Minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 Times(const Vec3& a, double by) { return {a[0] * by, a[1] * by, a[2] * by}; }
inline double Dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double Length(const Vec3& a) { return std::sqrt(Dot(a, a)); }
inline Vec3 Cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Vec3 UpOf(double lat_deg, double lon_deg) {
  double lat = lat_deg * kDegree, lon = lon_deg * kDegree;
  return {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)};
}

/// Returns the point of the ellipsoid with this vertical, ECEF, m.
inline Vec3 GroundOf(const Vec3& up) {
  double prime_vertical = kSemiMajorM / std::sqrt(1.0 - kEccentricitySq * up[2] * up[2]);
  return {prime_vertical * up[0], prime_vertical * up[1], prime_vertical * (1.0 - kEccentricitySq) * up[2]};
}

/// Two unit vectors perpendicular to `up` and to each other, in no particular direction.
struct Axes {
  Vec3 x, y;

  static Axes About(const Vec3& up) {
    Vec3 aside = std::fabs(up[2]) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
    Vec3 x = Cross(aside, up);
    x = Times(x, 1 / Length(x));
    return {x, Cross(up, x)};
  }
};

/// Returns the vertical at the fraction `share` of the great circle from `a` to `b`.
inline Vec3 Between(const Vec3& a, const Vec3& b, double share) {
  double angle = std::atan2(Length(Cross(a, b)), Dot(a, b)), sine = std::sin(angle);
  if (sine < 1e-12) return a;
  return Plus(Times(a, std::sin((1 - share) * angle) / sine), Times(b, std::sin(share * angle) / sine));
}

/// Returns the factor that converts a projected distance to the distance over the ground. The plane of the projection
/// touches the earth at one end of the distance. `flat2` is the square of the projected distance, m².
inline double ArcShare(double flat2) {
  double x2 = flat2 * (1 / (kEarthM * kEarthM));
  if (x2 < 0.01) return 1 + x2 * (1.0 / 6 + x2 * (3.0 / 40));
  double x = std::sqrt(x2);
  return std::asin(std::fmin(x, 1)) / x;
}
/// Converts the projected distance `flat`, m, to the distance over the ground, m (see ArcShare). FlatOf is the inverse.
inline double ArcOf(double flat) { return flat * ArcShare(flat * flat); }
inline double FlatOf(double arc) { return kEarthM * std::sin(std::fmin(arc / kEarthM, 1.5)); }

}  // namespace dunlin
