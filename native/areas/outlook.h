// Comparison of a path with the edges of an area. The edges are in groups of up to kStretchEdges, called stretches. A
// stretch too far away to change the result is skipped.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels.h"

namespace dunlin {

template <bool kMoves>
class Outlook {
 public:
  /// `nearest` is the index of the stretch whose middle is nearest to the start of the path; used for a compact area
  /// only. A distance already in `found` is a bound: only a smaller distance replaces it.
  Outlook(const Kernels& kernels, const Thing& thing, const Flight& flight, const Path& path, size_t nearest, const Window& window,
          Found& found)
      : thing_(thing), flight_(flight), path_(path), window_(window), found_(found) {
    if (thing.wide) {
      toward_ = Plus(Times(path.axes.x, path.way.x), Times(path.axes.y, path.way.y));
      bulge_ = path.length * path.length / (2 * kEarthM);
      LookRound();
    } else {
      (kMoves ? kernels.look_over : kernels.look_over_now)(thing.Outline(), nearest, path, window, found);
      Settle(path, found);
    }
    if (found.now2 <= found.pass2) {
      found.pass = found.now;
      found.pass_at = 0;
      found.passing = found.apart;
    } else if (found.of_line || found.crossing == kFarOff) {
      SettlePass(path, found);
    }
    found.apart = path.Turned(found.apart);
    found.passing = path.Turned(found.passing);
    if (found.crossing < kFarOff) found.crossed = path.Turned(found.crossed);
    if (found.within < kFarOff) found.entered = path.Turned(found.entered);
  }

  /// Lower bound of the distance between the path and a stretch, m.
  double LeastFrom(size_t i) const {
    const Stretch& s = thing_.stretches[i];
    return std::sqrt(std::max(Least2(From(s)), 0.0)) - s.radius - bulge_;
  }
  /// Returns the corners of a stretch in the plane of the path.
  const Corners& CornersOf(size_t i) {
    if (!thing_.wide) return thing_.corners[i];
    for (int k = 0; k <= kStretchEdges; k++) {
      Vec3 d = Minus(thing_.ground[i][static_cast<size_t>(k)], flight_.foot);
      seen_.Set(k, {Dot(d, path_.axes.x), Dot(d, path_.axes.y)});
    }
    seen_.Measure();
    return seen_;
  }

 private:
  /// Greatest distance at which a stretch (a group of edges) is compared, m. At more than 90° of arc from the track,
  /// the projection on the path's plane would bring positions back near the track.
  static constexpr double kMostSeenM = 1.2 * kEarthM;

  /// Compares the path with the stretches of a wide area, the nearest first. For a compact area see look_over.h.
  void LookRound() {
    size_t nearest = 0, count = thing_.stretches.size();
    double least = kFarOff * kFarOff;
    for (size_t i = 0; i < count; i++) {
      Vec3 d = From(thing_.stretches[i]);
      double d2 = Dot(d, d);
      if (d2 >= least) continue;
      least = d2;
      nearest = i;
    }
    Visit(nearest);
    for (size_t i = 0; i < count; i++)
      if (i != nearest) Visit(i);
  }

  Vec3 From(const Stretch& s) const {
    if (thing_.wide) return Minus(s.middle, flight_.foot);
    return {s.middle[0] - path_.from.x, s.middle[1] - path_.from.y, 0};
  }

  double Along(const Vec3& d) const { return thing_.wide ? Dot(d, toward_) : d[0] * path_.way.x + d[1] * path_.way.y; }

  double Least2(const Vec3& d) const {
    double along = Along(d), s = std::min(std::max(along, 0.0), path_.length);
    return Dot(d, d) - s * (2 * along - s);
  }

  void Visit(size_t i) {
    const Stretch& s = thing_.stretches[i];
    Vec3 d = From(s);
    double d2 = Dot(d, d), reach = s.radius + found_.now, passing = s.radius + bulge_ + std::min(found_.now, found_.pass);
    if (d2 > kMostSeenM * kMostSeenM) return;
    // Edges behind the flight are nearest at the start of the path, so `pass` is false for them.
    bool now = d2 <= reach * reach;
    bool pass = kMoves && Along(d) > -s.radius - bulge_ && Least2(d) <= passing * passing;
    if (!now && !pass) return;
    const Corners& corners = CornersOf(i);
    if (!pass) pairs::TakeEdges<true, false>(corners, path_, window_, found_);
    else if (now) pairs::TakeEdges<true, true>(corners, path_, window_, found_);
    else pairs::TakeEdges<false, true>(corners, path_, window_, found_);
    // Differences and normals are computed for each stretch, since CornersOf overwrites the corners with those of the
    // next stretch.
    Settle(path_, found_);
    SettlePass(path_, found_);
  }

  const Thing& thing_;
  const Flight& flight_;
  const Path& path_;
  const Window& window_;
  Found& found_;
  Vec3 toward_{};
  double bulge_ = 0;
  Corners seen_;
};

}  // namespace dunlin
