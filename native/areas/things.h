// Reads all areas of a world from rows of numbers: all areas or none.
#pragma once

#include <cmath>
#include <vector>

#include "thing.h"

namespace dunlin {

struct ThingRows {
  const double* things;
  size_t count;
  const double* rings;
  size_t ring_count;
  const double* positions;
  size_t position_count;
};

class Things {
 public:
  static constexpr size_t kMost = kLimitThings, kMostPositions = kLimitThingPositions, kMostPositionsEach = kLimitPositionsOfOneThing;

  /// Reads all areas. On an error of one area it sets `faulty` to the index of this area. On an error of the whole set
  /// it sets `faulty` to 0, or to the last index if rings or positions are left over.
  static AreasCode Read(const ThingRows& rows, std::vector<Thing>& things, size_t& faulty) {
    faulty = 0;
    if (rows.count > kMost) return kAreasCodeTooManyThings;
    if (rows.position_count > kMostPositions) return kAreasCodeTooManyPositions;
    things.clear();
    things.resize(rows.count);
    size_t ring = 0, position = 0;
    for (size_t i = 0; i < rows.count; i++) {
      faulty = i;
      AreasCode fault = ReadOne(rows, rows.things + i * kThingWidth, ring, position, things[i]);
      if (fault != kAreasCodeDone) return fault;
    }
    return ring == rows.ring_count && position == rows.position_count ? kAreasCodeDone : kAreasCodeMalformed;
  }

 private:
  static bool IsCount(double value, size_t most) { return value >= 0 && value <= static_cast<double>(most) && std::floor(value) == value; }

  static AreasCode ReadOne(const ThingRows& rows, const double* row, size_t& ring, size_t& position, Thing& thing) {
    if (!IsCount(row[kThingShape], 2) || !(row[kThingFloorM] <= row[kThingCeilingM]) || !(row[kThingNearM] >= 0) ||
        !(row[kThingNearM] <= 1e6) || !(row[kThingSizeM] >= 0) || !(row[kThingSizeM] <= 2e5) ||
        !IsCount(row[kThingRings], rows.ring_count - ring) || row[kThingRings] < 1)
      return kAreasCodeMalformed;
    thing.shape = static_cast<ThingShape>(static_cast<int>(row[kThingShape]));
    thing.measured = row[kThingMeasured] == 1;
    thing.floor = row[kThingFloorM];
    thing.ceiling = row[kThingCeilingM];
    thing.near = row[kThingNearM];
    thing.size = thing.shape == kThingShapeCorridor ? row[kThingSizeM] / 2 : row[kThingSizeM];
    std::vector<std::vector<Line>> polygons;
    size_t before = position, rings = static_cast<size_t>(row[kThingRings]);
    for (size_t i = 0; i < rings; i++, ring++) {
      const double* row = rows.rings + ring * kThingRingWidth;
      if (!IsCount(row[kThingRingPolygon], polygons.size()) || row[kThingRingPolygon] + 1 < static_cast<double>(polygons.size()) ||
          !IsCount(row[kThingRingPositions], rows.position_count - position))
        return kAreasCodeMalformed;
      if (row[kThingRingPolygon] == static_cast<double>(polygons.size())) polygons.emplace_back();
      Line line;
      for (size_t k = 0; k < row[kThingRingPositions]; k++, position++) {
        const double* corner = rows.positions + kThingPositionWidth * position;
        double lat = corner[kThingPositionLatDeg], lon = corner[kThingPositionLonDeg];
        if (!(std::fabs(lat) <= 90) || !(std::fabs(lon) <= 360)) return kAreasCodeNotOnEarth;
        Vec3 up = UpOf(lat, lon);
        // One position may be written with two longitudes (180° and −180°). A ring that ends with the other longitude
        // is closed too.
        if (k > 0 && Length(Minus(up, line.back())) <= kSame) continue;
        line.push_back(k > 0 && Length(Minus(up, line.front())) <= kSame ? line.front() : up);
      }
      polygons.back().push_back(line);
    }
    if (position - before > kMostPositionsEach) return kAreasCodeTooManyPositions;
    return thing.shape == kThingShapePolygons ? LayPolygons(polygons, thing) : LayLine(polygons, thing);
  }

  /// Prepares the centre of a circle or the line of a corridor.
  static AreasCode LayLine(const std::vector<std::vector<Line>>& lines, Thing& thing) {
    if (lines.size() != 1 || lines[0].size() != 1 || lines[0][0].empty()) return kAreasCodeMalformed;
    const Line& line = lines[0][0];
    if (line.size() == 1) thing.shape = kThingShapeCircle;
    if (thing.shape == kThingShapeCircle && line.size() > 1) return kAreasCodeMalformed;
    Layout::Of(thing, {line});
    thing.radius += thing.size;
    return kAreasCodeDone;
  }

  static AreasCode LayPolygons(const std::vector<std::vector<Line>>& polygons, Thing& thing) {
    for (const std::vector<Line>& polygon : polygons) {
      for (const Line& ring : polygon)
        if (ring.size() < 4 || ring.front() != ring.back()) return kAreasCodeEmptyRing;
      thing.sheets.emplace_back(polygon);
      if (!thing.sheets.back().IsSeen()) return kAreasCodeTooWide;
    }
    bool one = polygons.size() == 1;
    if (one) {
      Layout::Of(thing, polygons[0]);
    } else {
      Outline outline(polygons, thing.sheets);
      if (outline.IsKnotted()) return kAreasCodeTangled;
      Layout::Of(thing, outline.Lines());
    }
    if (thing.stretches.empty()) return kAreasCodeEmptyRing;
    if (!one || thing.wide) return kAreasCodeDone;
    // The index is built from the same edges as the distances, so that both agree on which positions are inside.
    thing.sheets.clear();
    std::vector<Spot> spots;
    std::vector<uint32_t> ends;
    for (size_t s = 0; s < thing.stretches.size(); s++) {
      for (int i = 0; i <= thing.stretches[s].edges; i++) spots.push_back(thing.corners[s].At(i));
      ends.push_back(static_cast<uint32_t>(spots.size()));
    }
    thing.edge_index = EdgeIndex(spots, ends);
    return kAreasCodeDone;
  }
};

}  // namespace dunlin
