// All things of a world, taken whole from rows of numbers or not at all.
#pragma once

#include <cmath>
#include <vector>

#include "thing.h"

namespace dunlin {

/// What is wrong with things that were told; src/core/areas.ts puts it into a sentence.
enum class ThingFault { kNone, kTooMany, kTooManyPositions, kUnshapely, kNoPlace, kTooWide, kNothing, kKnotted };

struct ThingRows {
  const double* things;
  size_t count;
  const double* rings;
  size_t ring_count;
  const double* positions;  // latitude and longitude, degrees
  size_t position_count;
};

class Things {
 public:
  static constexpr size_t kMost = 1000, kMostPositions = 100000, kMostPositionsEach = 10000;

  /// Writes to `faulty` which of them it is that something is wrong with.
  static ThingFault Read(const ThingRows& rows, std::vector<Thing>& things, size_t& faulty) {
    faulty = 0;
    if (rows.count > kMost) return ThingFault::kTooMany;
    if (rows.position_count > kMostPositions) return ThingFault::kTooManyPositions;
    things.clear();
    things.resize(rows.count);
    size_t ring = 0, position = 0;
    for (size_t i = 0; i < rows.count; i++) {
      faulty = i;
      ThingFault fault = ReadOne(rows, rows.things + i * kThingColumns, ring, position, things[i]);
      if (fault != ThingFault::kNone) return fault;
    }
    return ring == rows.ring_count && position == rows.position_count ? ThingFault::kNone : ThingFault::kUnshapely;
  }

 private:
  static bool IsCount(double value, size_t most) { return value >= 0 && value <= static_cast<double>(most) && std::floor(value) == value; }

  static ThingFault ReadOne(const ThingRows& rows, const double* row, size_t& ring, size_t& position, Thing& thing) {
    if (!IsCount(row[kThingForm], 2) || !(row[kThingFloor] <= row[kThingCeiling]) || !(row[kThingNear] >= 0) ||
        !(row[kThingNear] <= 1e6) || !(row[kThingSize] >= 0) || !(row[kThingSize] <= 2e5) ||
        !IsCount(row[kThingRings], rows.ring_count - ring) || row[kThingRings] < 1)
      return ThingFault::kUnshapely;
    thing.shape = static_cast<Shape>(static_cast<int>(row[kThingForm]));
    thing.measured = row[kThingMeasured] == 1;
    thing.floor = row[kThingFloor];
    thing.ceiling = row[kThingCeiling];
    thing.near = row[kThingNear];
    thing.size = thing.shape == Shape::kCorridor ? row[kThingSize] / 2 : row[kThingSize];
    std::vector<std::vector<Line>> polygons;
    size_t before = position, rings = static_cast<size_t>(row[kThingRings]);
    for (size_t i = 0; i < rings; i++, ring++) {
      const double* told = rows.rings + ring * kRingColumns;
      if (!IsCount(told[kRingPolygon], polygons.size()) || told[kRingPolygon] + 1 < static_cast<double>(polygons.size()) ||
          !IsCount(told[kRingPositions], rows.position_count - position))
        return ThingFault::kUnshapely;
      if (told[kRingPolygon] == static_cast<double>(polygons.size())) polygons.emplace_back();
      Line line;
      for (size_t k = 0; k < told[kRingPositions]; k++, position++) {
        double lat = rows.positions[2 * position], lon = rows.positions[2 * position + 1];
        if (!(std::fabs(lat) <= 90) || !(std::fabs(lon) <= 360)) return ThingFault::kNoPlace;
        Vec3 up = UpOf(lat, lon);
        // The same place with its longitude told otherwise: a ring that ends so is closed.
        if (k > 0 && Length(Minus(up, line.back())) <= kSame) continue;
        line.push_back(k > 0 && Length(Minus(up, line.front())) <= kSame ? line.front() : up);
      }
      polygons.back().push_back(line);
    }
    if (position - before > kMostPositionsEach) return ThingFault::kTooManyPositions;
    return thing.shape == Shape::kPolygons ? LayPolygons(polygons, thing) : LayLine(polygons, thing);
  }

  /// A circle's middle, a corridor's line.
  static ThingFault LayLine(const std::vector<std::vector<Line>>& told, Thing& thing) {
    if (told.size() != 1 || told[0].size() != 1 || told[0][0].empty()) return ThingFault::kUnshapely;
    const Line& line = told[0][0];
    if (line.size() == 1) thing.shape = Shape::kCircle;
    if (thing.shape == Shape::kCircle && line.size() > 1) return ThingFault::kUnshapely;
    Layout::Of(thing, {line});
    thing.radius += thing.size;
    return ThingFault::kNone;
  }

  static ThingFault LayPolygons(const std::vector<std::vector<Line>>& polygons, Thing& thing) {
    for (const std::vector<Line>& polygon : polygons) {
      for (const Line& ring : polygon)
        if (ring.size() < 4 || ring.front() != ring.back()) return ThingFault::kNothing;
      thing.sheets.emplace_back(polygon);
      if (!thing.sheets.back().IsSeen()) return ThingFault::kTooWide;
    }
    bool one = polygons.size() == 1;
    if (one) {
      Layout::Of(thing, polygons[0]);
    } else {
      Outline outline(polygons, thing.sheets);
      if (outline.IsKnotted()) return ThingFault::kKnotted;
      Layout::Of(thing, outline.Lines());
    }
    if (thing.stretches.empty()) return ThingFault::kNothing;
    if (!one || thing.wide) return ThingFault::kNone;
    // Held against the very edges that are measured.
    thing.sheets.clear();
    std::vector<Spot> spots;
    std::vector<uint32_t> ends;
    for (size_t s = 0; s < thing.stretches.size(); s++) {
      for (int i = 0; i <= thing.stretches[s].edges; i++) spots.push_back(thing.corners[s].At(i));
      ends.push_back(static_cast<uint32_t>(spots.size()));
    }
    thing.rim = Rim(spots, ends);
    return ThingFault::kNone;
  }
};

}  // namespace dunlin
