import type { Response } from '../model/doctrine.ts';
import type { Track } from '../model/track.ts';
import type { CommandParams, Verb } from '../model/verb.ts';

/**
 * Ratio of the radius of a path around a track to the standoff. Straight parts between points of the path then stay
 * outside the standoff.
 */
const ROUND = 1.5;

/**
 * Means by which vehicles carry out a response: possible verbs in order of preference, and whether the vehicle moves.
 */
export type Maneuver = { verbs: readonly Verb[]; moving: boolean };

/** Responses for which vehicles are matched to tracks. All other responses need no matching. */
export const maneuvers: Partial<Record<Response, Maneuver>> = {
  observe: { verbs: ['look_at'], moving: false },
  investigate: { verbs: ['orbit', 'shadow'], moving: true },
  shadow: { verbs: ['shadow'], moving: true },
  escort: { verbs: ['escort'], moving: true },
};

/** Command parameters of a leg. `ward` is the id of the asset that an escort protects; null if there is none. */
export function paramsOf(verb: Verb, track: Track, standoffM: number, ward: string | null): CommandParams {
  const track_id = track.id;
  if (verb === 'escort' && ward !== null) return { kind: 'asset', asset_id: ward, standoff_m: standoffM };
  if (verb === 'orbit')
    return { kind: 'track', track_id, standoff_m: standoffM, radius_m: Math.round(standoffM * ROUND) };
  if (verb === 'shadow') return { kind: 'track', track_id, standoff_m: standoffM };
  if (verb === 'look_at') return { kind: 'track', track_id };
  return { kind: 'none' };
}
