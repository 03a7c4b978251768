/** A position on WGS 84; the height is above the ellipsoid. */
export type Geodetic = { latDeg: number; lonDeg: number; altHaeM: number };

/** The horizontal part of a geodetic position: a place on the ground, or the vertical through a position of unknown height. */
export type LatLon = Pick<Geodetic, 'latDeg' | 'lonDeg'>;

/** A position in a local tangent plane. */
export type Enu = { eastM: number; northM: number; upM: number };

/** Cartesian axes at the earth's centre, x towards 0° E, z towards the north pole. */
export type Ecef = { xM: number; yM: number; zM: number };

/** Position on a `Chart`, along the ground from its middle. */
export type Spot = readonly [eastM: number, northM: number];

/** A spot with a height above the ground, not lowered by the earth's curvature. */
export type Point = readonly [...spot: Spot, heightM: number];

/** A `Point` that moves: the simulator's chart about the scenario's origin. */
export type ChartPosition = { eastM: number; northM: number; heightM: number };
