import type { Builtin } from '../look.ts';
import { isBird, isNear, isSureFriend } from '../standing.ts';
import { seconds, whereTo, whoAll } from '../words.ts';

export const loitering: Builtin = (_rule, parameter) => {
  const [loiterS, distanceM] = [parameter('loiter_s'), parameter('distance_m')];
  return {
    find: ({ tracks }, hits) => {
      for (const track of tracks) {
        if (!(track.loiterS >= loiterS) || !isNear(track, distanceM)) continue;
        if (track.crewed || track.affiliation === 'neutral' || isSureFriend(track) || isBird(track)) continue;
        hits.track(track, null);
      }
    },
    say: ({ tracks }) => {
      const [first] = tracks;
      const longS = Math.max(...tracks.map((track) => track.loiterS));
      return `${whoAll(tracks)} ${tracks.length === 1 ? 'keeps' : 'keep'} to one place, for ${seconds(longS)} now${first ? whereTo(first) : ''}.`;
    },
    over: (label) => `${label}: moved on, or no longer followed.`,
  };
};
