import { Outline } from '../geo/shape/outline.ts';
import { vectorOf } from '../geo/shape/plane.ts';
import type { Region } from '../model/region.ts';

type Piece = { outline: Outline; reach: number; groundAltHaeM: number };

/** Ground height by the regions. Queried for each track several times a second. */
export class Ground {
  readonly #pieces: readonly Piece[];

  constructor(regions: readonly Region[]) {
    const known = regions.flatMap(({ geometry, ground_alt_hae_m: groundAltHaeM }) => {
      const outline = new Outline(geometry);
      return groundAltHaeM === null ? [] : [{ outline, reach: outline.reach, groundAltHaeM }];
    });
    // The smallest of nested regions is the most exact.
    this.#pieces = known.sort((a, b) => a.reach - b.reach);
  }

  /** Metres above the ellipsoid; null where no region says. */
  altHaeM(latDeg: number, lonDeg: number): number | null {
    if (this.#pieces.length === 0) return null;
    const place = vectorOf([lonDeg, latDeg]);
    for (const { outline, groundAltHaeM } of this.#pieces) if (outline.contains(place)) return groundAltHaeM;
    return null;
  }
}
