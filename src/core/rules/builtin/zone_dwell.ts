import type { Builtin } from '../look.ts';
import { concerns, loudness } from '../standing.ts';
import { seconds, whoAll, zoneName } from '../words.ts';

export const zoneDwell: Builtin = (rule) => ({
  find: ({ tracks }, hits) => {
    for (const track of tracks)
      for (const zone of track.zones)
        if (zone.dwelling && zone.inside && zone.alarm.on.includes('dwell') && concerns(zone, track))
          hits.track(track, zone);
  },
  severity: (zone) => loudness(zone, rule.severity),
  say: ({ tracks, zone }) => {
    const stays = tracks.length === 1 ? 'stays' : 'stay';
    const longS = zone?.dwellS ?? Number.NaN;
    return `${whoAll(tracks)} ${stays} in ${zoneName(zone)}${longS > 0 ? `, for ${seconds(longS)} now` : ''}.`;
  },
  over: (label) => `${label}: no longer stays in the zone.`,
});
