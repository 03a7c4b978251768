import type { TrackFacts } from '../facts.ts';
import type { Builtin } from '../look.ts';
import { isBird } from '../standing.ts';
import { are, how, whoAll, zoneName } from '../words.ts';

/** It tells no name, one that is not borne out, or a person holds it to be hostile; a bird is known for what it is. */
function isStranger(track: TrackFacts): boolean {
  if (track.affiliation === 'hostile') return true;
  return track.affiliation === 'unknown' && (!track.named || track.verdict === 'suspect') && !isBird(track);
}

export const unidentifiedInProtectedZone: Builtin = () => ({
  find: ({ tracks }, hits) => {
    for (const track of tracks) {
      if (track.zones.length === 0 || !isStranger(track)) continue;
      for (const zone of track.zones) if (zone.inside && zone.kind === 'protected') hits.track(track, zone);
    }
  },
  say: ({ tracks, zone }) => {
    const [first] = tracks;
    const isOne = first !== undefined && tracks.length === 1;
    // Our own vehicle, too, where its telemetry has fallen silent: a key alone is what anybody can tell.
    const why = isOne && first.assetId !== null ? 'nothing bears out that it is ours' : 'nobody knows who flies there';
    return `${whoAll(tracks)} ${are(tracks)} in ${zoneName(zone)} and ${why}${isOne ? how(first) : ''}. Look at it now.`;
  },
  over: (label) => `${label}: out of the protected zone, known by now, or no longer followed.`,
});
