import type { Builtin } from '../look.ts';
import { isBird, isNear, isSureFriend } from '../standing.ts';
import { how, whereTo, whoAll } from '../words.ts';

export const rapidDescent: Builtin = (_rule, parameter) => {
  const [descentMps, distanceM] = [parameter('descent_mps'), parameter('distance_m')];
  return {
    find: ({ tracks }, hits) => {
      for (const track of tracks) {
        if (!(track.climbMps <= -descentMps) || !isNear(track, distanceM)) continue;
        if (!track.crewed && !isSureFriend(track) && !isBird(track)) hits.track(track, null);
      }
    },
    say: ({ tracks }) => {
      const [first] = tracks;
      const fastest = Math.round(Math.max(...tracks.map((track) => -track.climbMps)));
      return `${whoAll(tracks)} ${tracks.length === 1 ? 'comes' : 'come'} down at ${fastest} m/s${first ? whereTo(first) + how(first) : ''}.`;
    },
    over: (label) => `${label}: no longer comes down fast.`,
  };
};
