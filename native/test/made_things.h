// Random areas and states for tests of native/areas.
#pragma once

#include <limits>
#include <vector>

#include "../areas/areas.h"
#include "chance.h"

namespace dunlin {

struct MadeThings {
  std::vector<double> things, rings, positions;

  ThingRows Rows() const {
    return {things.data(), things.size() / kThingWidth, rings.data(), rings.size() / kThingRingWidth,
            positions.data(), positions.size() / 2};
  }

  void Add(ThingShape shape, bool measured, double near, double size, int ring_count) {
    const double none = std::numeric_limits<double>::infinity();
    bool open = things.size() % 3 == 0;
    things.insert(things.end(), {static_cast<double>(shape), measured ? 1.0 : 0.0, open ? -none : 0, open ? none : 150, near, size,
                                 static_cast<double>(ring_count)});
  }
  void Position(const Frame& site, double east, double north) {
    Vec3 place = site.ToGeodetic({east, north, 0});
    positions.insert(positions.end(), {place[0], place[1]});
  }
  /// Adds a closed star-shaped ring around a position, with `corners` corners.
  void Ring(Chance& chance, const Frame& site, double east, double north, double radius, int corners, int polygon) {
    rings.insert(rings.end(), {static_cast<double>(polygon), corners + 1.0});
    size_t first = positions.size();
    for (int i = 0; i < corners; i++) {
      double way = 2 * 3.14159265358979323846 * i / corners, far = radius * chance.Between(0.5, 1);
      Position(site, east + far * std::sin(way), north + far * std::cos(way));
    }
    positions.push_back(positions[first]);
    positions.push_back(positions[first + 1]);
  }

  /// Returns `count` valid areas with centres in a square of side `width`, m: polygons with a hole, overlapping
  /// polygons, circles and corridors.
  static MadeThings Sound(Chance& chance, const Frame& site, int count, double width) {
    MadeThings made;
    auto somewhere = [&] { return chance.Between(-width / 2, width / 2); };
    for (int i = 0; i < count; i++) {
      double east = somewhere(), north = somewhere(), radius = chance.Between(50, width / 8);
      bool measured = !chance.OneIn(3);
      double near = chance.Between(0, width / 4);
      switch (chance.Below(4)) {
        case 0:
          made.Add(kThingShapePolygons, measured, near, 0, 2);
          made.Ring(chance, site, east, north, radius, 3 + chance.Below(60), 0);
          made.Ring(chance, site, east, north, radius / 20, 3 + chance.Below(10), 0);
          break;
        case 1:
          made.Add(kThingShapePolygons, measured, near, 0, 3);
          for (int p = 0; p < 3; p++)
            made.Ring(chance, site, east + p * radius / 3, north + p * radius / 4, radius, 3 + chance.Below(20), p);
          break;
        case 2:
          made.Add(kThingShapeCircle, measured, near, chance.OneIn(2) ? 0 : radius, 1);
          made.rings.insert(made.rings.end(), {0, 1});
          made.Position(site, east, north);
          break;
        default: {
          int corners = 2 + chance.Below(20);
          made.Add(kThingShapeCorridor, measured, near, radius, 1);
          made.rings.insert(made.rings.end(), {0, static_cast<double>(corners)});
          for (int p = 0; p < corners; p++) made.Position(site, somewhere(), somewhere());
        }
      }
    }
    return made;
  }
};

/// Returns a random state in the `area_state` columns, at most `width`, m, east or north of the site.
inline std::vector<double> MadeState(Chance& chance, const Frame& site, double number, double width) {
  std::vector<double> state(kAreaStateWidth, 0);
  Vec3 place = site.ToGeodetic({chance.Between(-width, width), chance.Between(-width, width), chance.Between(-10, 500)});
  double speed = chance.Between(0, 60), way = chance.Between(0, 6.3);
  state[kAreaStateNumber] = number;
  for (int i = 0; i < 3; i++) state[kAreaStateLatDeg + i] = place[i];
  state[kAreaStateEastMps] = speed * std::sin(way);
  state[kAreaStateNorthMps] = speed * std::cos(way);
  state[kAreaStateUpMps] = chance.Between(-5, 5);
  for (int i : {0, 3, 5}) {
    state[kAreaStateCovPlaceM2 + i] = chance.Between(1, 400);
    state[kAreaStateCovVelocityM2ps2 + i] = chance.Between(0.1, 4);
  }
  return state;
}

}  // namespace dunlin
