// WGS 84 geometry: geodetic ↔ earth-centred (ECEF) ↔ local tangent plane (ENU). Angles are in degrees, lengths in
// metres.
#pragma once

#include <array>
#include <cmath>

namespace dunlin {

using Vec3 = std::array<double, 3>;
/// Rotation matrix, row-major.
using Mat3 = std::array<double, 9>;

inline constexpr double kSemiMajorM = 6378137.0;
inline constexpr double kFlattening = 1.0 / 298.257223563;
inline constexpr double kEccentricitySq = kFlattening * (2.0 - kFlattening);
inline constexpr double kDegree = 3.14159265358979323846 / 180.0;

/// Converts geodetic latitude, longitude and height above the ellipsoid to ECEF, m.
inline Vec3 GeodeticToEcef(double lat_deg, double lon_deg, double height_m) {
  double sin_lat = std::sin(lat_deg * kDegree), cos_lat = std::cos(lat_deg * kDegree);
  double prime_vertical = kSemiMajorM / std::sqrt(1.0 - kEccentricitySq * sin_lat * sin_lat);
  double radius = (prime_vertical + height_m) * cos_lat;
  return {radius * std::cos(lon_deg * kDegree), radius * std::sin(lon_deg * kDegree),
          (prime_vertical * (1.0 - kEccentricitySq) + height_m) * sin_lat};
}

/// The vertical through a position: sine and cosine of the geodetic latitude, and the height above the ellipsoid, m.
struct Vertical {
  double sin_lat, cos_lat, height;
};

/// Computes the vertical by Bowring's parametric-latitude iteration (Survey Review 28, 1985). Three rounds converge to
/// less than a nanometre from the sea floor to low orbit, including the poles and the axis. `axis` is the distance of
/// ECEF `p` from the earth's axis, m.
inline Vertical VerticalOf(const Vec3& p, double axis) {
  constexpr double semi_minor = kSemiMajorM * (1.0 - kFlattening);
  constexpr double second_eccentricity_sq = kEccentricitySq / (1.0 - kEccentricitySq);
  double sin_beta = p[2] * kSemiMajorM, cos_beta = axis * semi_minor;
  double sin_lat = 0, cos_lat = 1;
  for (int round = 0; round < 3; round++) {
    double norm = std::sqrt(sin_beta * sin_beta + cos_beta * cos_beta);
    if (norm == 0) return {0, 1, -kSemiMajorM};
    sin_beta /= norm;
    cos_beta /= norm;
    sin_lat = p[2] + second_eccentricity_sq * semi_minor * sin_beta * sin_beta * sin_beta;
    cos_lat = axis - kEccentricitySq * kSemiMajorM * cos_beta * cos_beta * cos_beta;
    sin_beta = sin_lat * (1.0 - kFlattening);
    cos_beta = cos_lat;
  }
  double norm = std::sqrt(sin_lat * sin_lat + cos_lat * cos_lat);
  sin_lat /= norm;
  cos_lat /= norm;
  double prime_vertical = kSemiMajorM / std::sqrt(1.0 - kEccentricitySq * sin_lat * sin_lat);
  return {sin_lat, cos_lat,
          axis * cos_lat + p[2] * sin_lat - prime_vertical * (1.0 - kEccentricitySq * sin_lat * sin_lat)};
}

inline Mat3 EnuAxes(double sin_lat, double cos_lat, double sin_lon, double cos_lon) {
  return {-sin_lon,           cos_lon,            0,
          -sin_lat * cos_lon, -sin_lat * sin_lon, cos_lat,
          cos_lat * cos_lon,  cos_lat * sin_lon,  sin_lat};
}

/// Returns the rotation from ECEF differences to east, north, up at a position.
inline Mat3 EnuAxes(double lat_deg, double lon_deg) {
  return EnuAxes(std::sin(lat_deg * kDegree), std::cos(lat_deg * kDegree), std::sin(lon_deg * kDegree),
                 std::cos(lon_deg * kDegree));
}

/// Returns r · v. Always inline, since calls from hot loops would cost 0.7 % more instructions in the tracker.
[[gnu::always_inline]] inline Vec3 Rotate(const Mat3& r, const Vec3& v) {
  return {r[0] * v[0] + r[1] * v[1] + r[2] * v[2], r[3] * v[0] + r[4] * v[1] + r[5] * v[2],
          r[6] * v[0] + r[7] * v[1] + r[8] * v[2]};
}

/// Returns rᵀ · v.
[[gnu::always_inline]] inline Vec3 RotateBack(const Mat3& r, const Vec3& v) {
  return {r[0] * v[0] + r[3] * v[1] + r[6] * v[2], r[1] * v[0] + r[4] * v[1] + r[7] * v[2],
          r[2] * v[0] + r[5] * v[1] + r[8] * v[2]};
}

/// Returns a · bᵀ for two rotations: the rotation that converts coordinates in the axes of `b` to those in the axes of
/// `a`.
inline Mat3 TimesTransposed(const Mat3& a, const Mat3& b) {
  Mat3 out;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[i * 3 + j] = a[i * 3] * b[j * 3] + a[i * 3 + 1] * b[j * 3 + 1] + a[i * 3 + 2] * b[j * 3 + 2];
  return out;
}

/// Converts an ECEF position, m, to geodetic {lat, lon, height}, and computes the local axes at this position.
inline Vec3 EcefToGeodetic(const Vec3& p, Mat3& axes) {
  double axis = std::sqrt(p[0] * p[0] + p[1] * p[1]);
  Vertical v = VerticalOf(p, axis);
  axes = axis > 0 ? EnuAxes(v.sin_lat, v.cos_lat, p[1] / axis, p[0] / axis) : EnuAxes(v.sin_lat, v.cos_lat, 0, 1);
  return {std::atan2(v.sin_lat, v.cos_lat) / kDegree, std::atan2(p[1], p[0]) / kDegree, v.height};
}

/// A local tangent plane: its origin in ECEF and its axes.
struct Frame {
  Vec3 origin;
  Mat3 axes;

  static Frame At(double lat_deg, double lon_deg, double height_m) {
    return {GeodeticToEcef(lat_deg, lon_deg, height_m), EnuAxes(lat_deg, lon_deg)};
  }
  Vec3 FromEcef(const Vec3& p) const {
    return Rotate(axes, {p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]});
  }
  Vec3 ToEcef(const Vec3& enu) const {
    Vec3 d = RotateBack(axes, enu);
    return {origin[0] + d[0], origin[1] + d[1], origin[2] + d[2]};
  }
  Vec3 FromGeodetic(double lat_deg, double lon_deg, double height_m) const {
    return FromEcef(GeodeticToEcef(lat_deg, lon_deg, height_m));
  }
  Vec3 ToGeodetic(const Vec3& enu, Mat3& axes_there) const { return EcefToGeodetic(ToEcef(enu), axes_there); }
  Vec3 ToGeodetic(const Vec3& enu) const {
    Mat3 axes_there;
    return ToGeodetic(enu, axes_there);
  }
};

}  // namespace dunlin
