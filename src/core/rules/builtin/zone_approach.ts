import type { Builtin } from '../look.ts';
import { concerns, loudness } from '../standing.ts';
import { howSoon, metres, whoAll, zoneName } from '../words.ts';

export const zoneApproach: Builtin = (rule) => ({
  find: ({ tracks }, hits) => {
    for (const track of tracks)
      for (const zone of track.zones)
        if (zone.approaching && !zone.inside && zone.alarm.on.includes('approach') && concerns(zone, track))
          hits.track(track, zone);
  },
  severity: (zone) => loudness(zone, rule.severity),
  say: ({ tracks, zone }) => {
    const first = `${whoAll(tracks)} will be in ${zoneName(zone)}${howSoon(zone?.etaS ?? Number.NaN)}`;
    if (!zone || tracks.length > 1 || !(zone.distanceM > 0)) return `${first}.`;
    const closing = zone.closingMps >= 1 ? `, closing at ${Math.round(zone.closingMps)} m/s` : '';
    return `${first}: ${metres(zone.distanceM)} away${closing}.`;
  },
  over: (label) => `${label}: in the zone by now, or turned away.`,
});
