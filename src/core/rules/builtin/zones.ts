import type { ZoneTransition } from '../../../model/firing.ts';
import type { Builtin, Finder } from '../evaluation.ts';
import type { TrackFacts, ZoneFact } from '../facts.ts';
import { concerns, isBird, loudness } from '../standing.ts';
import { are, how, howSoon, metres, seconds, whoAll, zoneName } from '../words.ts';

/** Alarm of zones: found of each track that `holds` in a zone whose alarm is set to `transition` and concerns the track. */
function zoneAlarm(
  transition: ZoneTransition,
  holds: (zone: ZoneFact) => boolean,
  words: Pick<Finder, 'say' | 'over'>,
): Builtin {
  return (rule) => ({
    find: ({ tracks }, hits) => {
      for (const track of tracks)
        for (const zone of track.zones)
          if (holds(zone) && zone.alarm.on.includes(transition) && concerns(zone, track)) hits.track(track, zone);
    },
    severity: (zone) => loudness(zone, rule.severity),
    ...words,
  });
}

export const zoneEntry = zoneAlarm('enter', ({ inside }) => inside, {
  say: ({ tracks, zone }) => {
    const [first] = tracks;
    return `${whoAll(tracks)} ${are(tracks)} in ${zoneName(zone)}${first && tracks.length === 1 ? how(first) : ''}.`;
  },
  over: (label) => `${label}: out of the zone, a friend by now, or no longer followed.`,
});

export const zoneDwell = zoneAlarm('dwell', ({ dwelling, inside }) => dwelling && inside, {
  say: ({ tracks, zone }) => {
    const stays = tracks.length === 1 ? 'stays' : 'stay';
    const longS = zone?.dwellS ?? Number.NaN;
    return `${whoAll(tracks)} ${stays} in ${zoneName(zone)}${longS > 0 ? `, for ${seconds(longS)} now` : ''}.`;
  },
  over: (label) => `${label}: no longer stays in the zone.`,
});

export const zoneApproach = zoneAlarm('approach', ({ approaching, inside }) => approaching && !inside, {
  say: ({ tracks, zone }) => {
    const first = `${whoAll(tracks)} will be in ${zoneName(zone)}${howSoon(zone?.etaS ?? Number.NaN)}`;
    if (!zone || tracks.length > 1 || !(zone.distanceM > 0)) return `${first}.`;
    const closing = zone.closingMps >= 1 ? `, closing at ${Math.round(zone.closingMps)} m/s` : '';
    return `${first}: ${metres(zone.distanceM)} away${closing}.`;
  },
  over: (label) => `${label}: in the zone by now, or turned away.`,
});

/** A hostile track, or an unknown one without a name that is borne out. A bird is known for what it is. */
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
    // Holds of our own vehicle too while its telemetry is silent: anybody can send its key.
    const why = isOne && first.assetId !== null ? 'nothing bears out that it is ours' : 'nobody knows who flies there';
    return `${whoAll(tracks)} ${are(tracks)} in ${zoneName(zone)} and ${why}${isOne ? how(first) : ''}. Look at it now.`;
  },
  over: (label) => `${label}: out of the protected zone, known by now, or no longer followed.`,
});
