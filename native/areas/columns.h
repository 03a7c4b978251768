// The columns in which things come in and what was measured goes out; src/geo/thing_columns.ts and
// src/model/area_row.ts have the same.
#pragma once

#include <cstddef>

namespace dunlin {

enum ThingColumn {
  kThingForm,      // as Form below
  kThingMeasured,  // 1: how it is approached is measured; 0: only whether one is inside
  kThingFloor,     // m above the ellipsoid, −∞ where there is none
  kThingCeiling,   // m above the ellipsoid, ∞ where there is none
  kThingNear,      // m: it is told of whoever is or comes so near
  kThingSize,      // m: radius of a circle, width of a corridor
  kThingRings,     // how many rings are its; of a circle or corridor one
  kThingColumns
};
enum class Shape : int { kPolygons, kCircle, kCorridor };

/// A ring: which of the thing's polygons it is of, and how many positions it has.
enum RingColumn { kRingPolygon, kRingPositions, kRingColumns };

/// A state that is not a tracker's: place in degrees and m above the ellipsoid, the rest in the local axes there.
enum StateColumn {
  kStateNumber, kStateLat, kStateLon, kStateHeight, kStateEast, kStateNorth, kStateUp,
  kStatePlaces,                             // six: covariance of the place
  kStateMixed = kStatePlaces + 6,           // nine: of place with velocity
  kStateVelocities = kStateMixed + 9,       // six: of velocity
  kStateColumns = kStateVelocities + 6
};

/// One for each track: its number, where its rows begin, how many are of things measured and how many of others, and how
/// many things more may be near.
enum HeadColumn { kHeadNumber, kHeadFirst, kHeadMeasured, kHeadContained, kHeadMore, kHeadColumns };

/// One for each thing that a track is inside of, near to or will come near to. NaN where not known or never.
enum AreaColumn {
  kAreaNumber, kAreaThing,
  kAreaInside,                              // 1 over or under it, whatever the height
  kAreaHeight,                              // 0 not known, 1 below, 2 within, 3 above
  kAreaVertical,                            // m above its ceiling, below its floor if negative
  kAreaDistance, kAreaDistanceSigma,        // m along the ground to its edge, negative inside
  kAreaClosing,                             // m/s by which the distance shrinks
  kAreaPass, kAreaPassSigma,                // m: least distance within the horizon, 0 where it enters
  kAreaPassIn, kAreaPassInSigma,            // s until then
  kAreaEdgeIn, kAreaEdgeInSigma,            // s until it is over the edge: in, or out where it is inside
  kAreaVolumeIn, kAreaVolumeInSigma,        // s until it is inside in height too; 0 where it is
  kAreaColumns
};

}  // namespace dunlin
