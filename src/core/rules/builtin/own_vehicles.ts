import type { Builtin } from '../evaluation.ts';
import type { NearFact, TrackFacts } from '../facts.ts';
import { isSureFriend } from '../standing.ts';
import { how, metres, who } from '../words.ts';

/** The nearest vehicle of ours within so far, itself aside. */
function nearestOurs({ near }: TrackFacts, withinM: number): NearFact | null {
  let nearest: NearFact | null = null;
  for (const one of near) {
    if (one.assetName === null || !(one.distanceM <= withinM)) continue;
    if (nearest === null || one.distanceM < nearest.distanceM) nearest = one;
  }
  return nearest;
}

/** A pair of our own vehicles is no contact, and a crewed aircraft has a rule of its own. */
export const ownPlatformClose: Builtin = (_rule, parameter) => {
  const withinM = parameter('distance_m');
  return {
    find: ({ present }, hits) => {
      for (const track of present)
        if (track.near.length > 0 && !track.crewed && !isSureFriend(track) && nearestOurs(track, withinM))
          hits.track(track, null);
    },
    say: ({ tracks }) => {
      const [first] = tracks;
      const near = first ? nearestOurs(first, withinM) : null;
      if (!first || !near) return 'A vehicle of ours is close to a contact.';
      const more = tracks.length > 1 ? `, and ${tracks.length - 1} more contacts are close to ours` : '';
      return `${near.assetName} is ${metres(near.distanceM)} from ${who(first)}${more}. Keep it clear.`;
    },
    evenDismissed: true,
    over: (label) => `${label}: clear of our vehicles.`,
  };
};

export const crewedAircraftNear: Builtin = (_rule, parameter) => {
  const withinM = parameter('distance_m');
  return {
    find: ({ present }, hits) => {
      for (const track of present)
        if (track.crewed && track.near.length > 0 && nearestOurs(track, withinM)) hits.track(track, null);
    },
    say: ({ tracks }) => {
      const [first] = tracks;
      const near = first ? nearestOurs(first, withinM) : null;
      if (!first || !near) return 'A crewed aircraft is near a vehicle of ours. Give way.';
      const more = tracks.length > 1 ? ` ${tracks.length - 1} more are near ours.` : '';
      return `Crewed aircraft ${who(first)} is ${metres(near.distanceM)} from ${near.assetName}${how(first)}.${more} Give way: hold, descend or return.`;
    },
    evenDismissed: true,
    over: (label) => `${label}: clear of our vehicles.`,
  };
};
