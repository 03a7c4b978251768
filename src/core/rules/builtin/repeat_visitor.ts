import type { Builtin } from '../look.ts';
import { whereTo, whoAll } from '../words.ts';

/** Airliners come every day, and of a neutral one a person has said who it is. */
export const repeatVisitor: Builtin = (_rule, parameter) => {
  const visits = parameter('visits');
  return {
    find: ({ tracks }, hits) => {
      for (const track of tracks) {
        if (!(track.visits >= visits) || !track.named || track.crewed) continue;
        if (track.affiliation === 'unknown' || track.affiliation === 'hostile') hits.track(track, null);
      }
    },
    say: ({ tracks }) => {
      const [first] = tracks;
      const days = Math.max(...tracks.map((track) => track.visits));
      return `${whoAll(tracks)} ${tracks.length === 1 ? 'was' : 'were'} here on ${days} earlier ${days === 1 ? 'day' : 'days'}${first ? whereTo(first) : ''}.`;
    },
    over: (label) => `${label}: gone again.`,
  };
};
