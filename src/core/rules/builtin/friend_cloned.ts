import type { Builtin } from '../look.ts';
import { labels } from '../words.ts';

export const friendCloned: Builtin = () => ({
  find: ({ present }, hits) => {
    for (const track of present) if (track.clonedOf !== null && !track.dismissed) hits.track(track, null);
  },
  say: ({ tracks }) => {
    const [first] = tracks;
    const name = first?.clonedOf?.name ?? 'an aircraft of ours';
    if (tracks.length > 1)
      return `Serials of ours are heard on ${tracks.length} aircraft that are not ours (${labels(tracks)}): treat them as unknown.`;
    return `The serial of ${name} is heard on ${first?.label ?? 'a track'}, where ${name} is not: treat it as unknown and check on ${name}.`;
  },
  over: (label) => `${label}: no longer tells a serial of ours.`,
});
