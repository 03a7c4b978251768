/**
 * How one track stands to one thing (a zone, an asset): what native/areas measures each step. Distances are along the
 * ground, from where the track's vertical meets it; what lies ahead is of the straight and level way that it flies now,
 * within the horizon that was asked for. NaN where it is not known or does not happen; of things that are not measured
 * for threat, all from `closingMps` on.
 */
export const AREA = {
  /** The track's number. */
  number: 0,
  /** Which of the things that were set. */
  thing: 1,
  /** 1 over, in or under it: whatever the height. */
  inside: 2,
  /** Index in `heightRelations`: where its height lies against floor and ceiling. */
  height: 3,
  /** Metres above the ceiling; below the floor, if negative; 0 between them. */
  verticalM: 4,
  /** To the edge, negative inside, with its 1-sigma. Of things that overlap in one, to their common edge. */
  distanceM: 5,
  distanceSigmaM: 6,
  /** How fast that distance shrinks; growing ones are negative. */
  closingMps: 7,
  /** The least distance that is still to come, and its 1-sigma; 0 where it flies in or is inside. */
  passM: 8,
  passSigmaM: 9,
  /** When that is: 0 where it is now, else with its 1-sigma. */
  passInS: 10,
  passInSigmaS: 11,
  /** When it flies over the edge next: in, or out where it is inside. */
  edgeInS: 12,
  edgeInSigmaS: 13,
  /** When it is inside and between floor and ceiling, 0 where it is; an unknown height counts as between them. */
  volumeInS: 14,
  volumeInSigmaS: 15,
  width: 16,
} as const;

export const heightRelations = ['unknown', 'below', 'within', 'above'] as const;
export type HeightRelation = (typeof heightRelations)[number];

/**
 * One for each track that has a place: where its rows begin, how many of them are of things measured for threat and how
 * many of others (each nearest first), and how many things more may have been near.
 */
export const AREA_HEAD = { number: 0, first: 1, measured: 2, contained: 3, more: 4, width: 5 } as const;

/**
 * A state that is measured without a tracker. Place in degrees and metres above the ellipsoid (height NaN where not
 * known), velocity and covariances in the local axes at the aircraft; covariances that are not known are taken as zero.
 */
export const AREA_STATE = {
  number: 0,
  lat: 1,
  lon: 2,
  altHaeM: 3,
  eastMps: 4,
  northMps: 5,
  upMps: 6,
  /** Of the place, m²: east-east, east-north, east-up, north-north, north-up, up-up. */
  covEE: 7,
  /** Of the place with the velocity, m²/s, nine row by row. */
  covMixed: 13,
  /** Of the velocity, (m/s)²: six as of the place. */
  covVelocity: 22,
  width: 28,
} as const;
