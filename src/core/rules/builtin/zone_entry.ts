import type { Builtin } from '../look.ts';
import { concerns, loudness } from '../standing.ts';
import { are, how, whoAll, zoneName } from '../words.ts';

export const zoneEntry: Builtin = (rule) => ({
  find: ({ tracks }, hits) => {
    for (const track of tracks)
      for (const zone of track.zones)
        if (zone.inside && zone.alarm.on.includes('enter') && concerns(zone, track)) hits.track(track, zone);
  },
  severity: (zone) => loudness(zone, rule.severity),
  say: ({ tracks, zone }) => {
    const [first] = tracks;
    return `${whoAll(tracks)} ${are(tracks)} in ${zoneName(zone)}${first && tracks.length === 1 ? how(first) : ''}.`;
  },
  over: (label) => `${label}: out of the zone, a friend by now, or no longer followed.`,
});
