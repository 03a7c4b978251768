/** A position on WGS 84; the height is above the ellipsoid. */
export type Geodetic = { latDeg: number; lonDeg: number; altHaeM: number };

/** The horizontal part of a geodetic position: a point on the ground, or a position of unknown height. */
export type LatLon = Pick<Geodetic, 'latDeg' | 'lonDeg'>;

/** A position in the axes of a local tangent plane. */
export type Enu = { eastM: number; northM: number; upM: number };

/** A position in Cartesian axes from the earth's centre, x towards 0° E on the equator, z towards the north pole. */
export type Ecef = { xM: number; yM: number; zM: number };

/** A position on a `Chart`: distances from its middle, m. */
export type Spot = readonly [eastM: number, northM: number];

/** A spot with a height above the ground at this spot: the height does not depend on the curvature of the earth. */
export type Point = readonly [...spot: Spot, heightM: number];

/** A `Point` with named members, on the simulator's chart around the scenario's origin. */
export type ChartPosition = { eastM: number; northM: number; heightM: number };
