import type { Response } from '../model/doctrine.ts';
import type { Track } from '../model/track.ts';
import type { CommandParams, Verb } from '../model/verb.ts';

/**
 * Factor by which a path round a track is wider than the standoff: the straight parts between its points then stay
 * outside the standoff.
 */
const ROUND = 1.5;

/** Ways in which vehicles serve a response: by these verbs, in their order of preference, and whether a vehicle moves for it. */
export type Maneuver = { verbs: readonly Verb[]; moving: boolean };

/** Responses that take a vehicle for each track; the others need no matching. */
export const maneuvers: Partial<Record<Response, Maneuver>> = {
  observe: { verbs: ['look_at'], moving: false },
  investigate: { verbs: ['orbit', 'shadow'], moving: true },
  shadow: { verbs: ['shadow'], moving: true },
  escort: { verbs: ['escort'], moving: true },
};

/** Parameters of the command of a leg. `ward` is the asset that an escort protects. */
export function paramsOf(verb: Verb, track: Track, standoffM: number, ward: string | null): CommandParams {
  const track_id = track.id;
  if (verb === 'escort' && ward !== null) return { kind: 'asset', asset_id: ward, standoff_m: standoffM };
  if (verb === 'orbit')
    return { kind: 'track', track_id, standoff_m: standoffM, radius_m: Math.round(standoffM * ROUND) };
  if (verb === 'shadow') return { kind: 'track', track_id, standoff_m: standoffM };
  if (verb === 'look_at') return { kind: 'track', track_id };
  return { kind: 'none' };
}
