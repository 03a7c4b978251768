import type { NearFact, TrackFacts } from '../facts.ts';
import type { Builtin } from '../look.ts';
import { nearestOurs } from '../near.ts';
import { isSureFriend } from '../standing.ts';
import { metres, who } from '../words.ts';

export const ownPlatformClose: Builtin = (_rule, parameter) => {
  const withinM = parameter('distance_m');
  const ours = (track: TrackFacts): NearFact | null => nearestOurs(track, withinM);
  return {
    // Of ours the same pair is seen from the other side; what is crewed has a rule of its own.
    find: ({ present }, hits) => {
      for (const track of present)
        if (track.near.length > 0 && !track.crewed && !isSureFriend(track) && ours(track)) hits.track(track, null);
    },
    say: ({ tracks }) => {
      const [first] = tracks;
      const near = first ? ours(first) : null;
      if (!first || !near) return 'A vehicle of ours is close to a contact.';
      const more = tracks.length > 1 ? `, and ${tracks.length - 1} more contacts are close to ours` : '';
      return `${near.assetName} is ${metres(near.distanceM)} from ${who(first)}${more}. Keep it clear.`;
    },
    evenDismissed: true,
    over: (label) => `${label}: clear of our vehicles.`,
  };
};
