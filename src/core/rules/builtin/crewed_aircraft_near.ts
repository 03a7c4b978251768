import type { Builtin } from '../look.ts';
import { nearestOurs } from '../near.ts';
import { how, metres, who } from '../words.ts';

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
