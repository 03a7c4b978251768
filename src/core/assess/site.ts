import type { ThingValue } from '../../geo/thing_columns.ts';
import { heightGapOf } from '../threat/situation.ts';

/** A zone or an asset as tracks are scored against it. */
export type SiteThing = {
  id: string;
  name: string;
  kind: 'zone' | 'asset';
  /** 0 to 1, see `importanceOf`; 0 of what is not scored. */
  importance: number;
  value: ThingValue;
  /** Its floor and ceiling over the ground, where they cannot be told over the ellipsoid: the ground's height is not known. */
  aboveGround: { floorM: number; ceilingM: number } | null;
  /** How high the ground is there, above the ellipsoid; NaN where nobody says. */
  groundAltHaeM: number;
};

/** Everything that tracks are scored against, and whether a receiver that would hear Remote ID works. */
export type SiteValue = { things: readonly SiteThing[]; listens: boolean };

export const emptySite: SiteValue = { things: [], listens: false };

/** Above its ceiling positive, below its floor negative; NaN where the height is not known. */
export function heightGapAt(thing: SiteThing, altHaeM: number, toldHeightM: number, openCeilingM: number): number {
  const heightM = Number.isNaN(toldHeightM) ? altHaeM - thing.groundAltHaeM : toldHeightM;
  if (thing.aboveGround) {
    const { floorM, ceilingM } = thing.aboveGround;
    return heightGapOf(heightM, floorM, ceilingM, heightM, openCeilingM);
  }
  return heightGapOf(altHaeM, thing.value.floorM, thing.value.ceilingM, heightM, openCeilingM);
}
