// One packed observation, as TypeScript writes it and the tracker reads it: NaN where not known.
#pragma once

namespace dunlin {

enum Column {
  kColKind,         // see Kind
  kColSensor,       // index given by SetSensor
  kColTime,         // s, when it was measured
  kColReceived,     // s, when it arrived
  kColSequence,     // number that the answer refers to
  kColClaim,        // number of the one who claims to be it, −1 for none
  kColA,            // azimuth from the sensor's true north, deg | latitude, deg
  kColB,            // elevation, deg | longitude, deg
  kColC,            // slant range, m | height above the ellipsoid, m
  kColSdA,          // azimuth, deg | along the ground, m
  kColSdB,          // elevation, deg | height, m
  kColSdC,          // range, m
  kColEast,         // m/s in the local axes at the aircraft
  kColNorth,
  kColUp,
  kColSdSpeed,      // m/s along the ground
  kColSdClimb,      // m/s
  kColLook,         // number of the scan or sector that it is of, −1 where the sensor tells none
  kColPlots,        // plots that follow with this look
  kColEmitter,      // number of the radio emitter, −1 for none
  kColAuthentic,    // 1 where the claim came over a link that proves it
  kColHeightTakeoff,
  kColHeightGround,
  kColSignal,
  kColDossier,      // TypeScript's own, as what follows
  kColSource,       // s, what the source's own clock said
  kColSaidSpeed,    // m/s along the ground, also where no course is told
  kColumns
};

enum Kind { kLook = 0, kPlot = 1, kPosition = 2, kWord = 3 };

}  // namespace dunlin
