import type { Builtin } from '../evaluation.ts';
import type { NearFact, TrackFacts } from '../facts.ts';
import { isSureFriend } from '../standing.ts';
import { how, isPast, lastSeen, metres, who } from '../words.ts';

/** Nearest own vehicle at most `withinM` from the track, other than the track itself; null if there is none. */
function nearestOurs({ near }: TrackFacts, withinM: number): NearFact | null {
  let nearest: NearFact | null = null;
  for (const one of near) {
    if (one.assetName === null || !(one.distanceM <= withinM)) continue;
    if (nearest === null || one.distanceM < nearest.distanceM) nearest = one;
  }
  return nearest;
}

/**
 * Creates a rule about aircraft close to own vehicles. `isMeant` selects the aircraft, `sentence` describes the first
 * of them, and `unnamed` is the text if no track is known.
 */
function closeToOurs(
  isMeant: (track: TrackFacts) => boolean,
  sentence: (first: TrackFacts, near: NearFact, more: number, is: 'is' | 'was') => string,
  unnamed: string,
): Builtin {
  return (_rule, parameter) => {
    const withinM = parameter('distance_m');
    return {
      find: ({ present }, hits) => {
        for (const track of present)
          if (track.near.length > 0 && isMeant(track) && nearestOurs(track, withinM)) hits.track(track, null);
      },
      say: ({ tracks }) => {
        const [first] = tracks;
        const near = first ? nearestOurs(first, withinM) : null;
        return first && near ? sentence(first, near, tracks.length - 1, isPast(tracks) ? 'was' : 'is') : unnamed;
      },
      evenDismissed: true,
      over: (label) => `${label}: clear of our vehicles.`,
    };
  };
}

/**
 * Rule for aircraft close to own vehicles. Excludes friends by telemetry or assignment. Also excludes crewed aircraft,
 * which `crewedAircraftNear` reports.
 */
export const ownPlatformClose = closeToOurs(
  (track) => !track.crewed && !isSureFriend(track),
  (first, near, others, is) => {
    const more = others > 0 ? `, and ${others} more contacts are close to our vehicles` : '';
    return `${near.assetName} ${is} ${metres(near.distanceM)} from ${who(first)}${lastSeen([first])}${more}. Keep our vehicle clear.`;
  },
  'A vehicle of ours is close to a contact.',
);

export const crewedAircraftNear = closeToOurs(
  (track) => track.crewed,
  (first, near, others, is) => {
    const more = others > 0 ? ` ${others} more crewed aircraft are near our vehicles.` : '';
    return `Crewed aircraft ${who(first)} ${is} ${metres(near.distanceM)} from ${near.assetName}${how(first)}.${more} Give way: order hold or return home in Fleet.`;
  },
  'A crewed aircraft is near a vehicle of ours. Give way.',
);
