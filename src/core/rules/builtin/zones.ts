import type { ZoneTransition } from '../../../model/firing.ts';
import type { Builtin, Finder } from '../evaluation.ts';
import type { TrackFacts, ZoneFact } from '../facts.ts';
import { concerns, isBird, isSureFriend, loudness } from '../standing.ts';
import { are, how, howSoon, isPast, lastSeen, metres, seconds, verb, whoAll, zoneName } from '../words.ts';

/**
 * Returns the reason for the end of a zone alert. If the track is still inside, the zone's alarm must have changed: the
 * reason is `rule_changed`.
 */
const stillInside: Finder['ends'] = (_track, isInside) => (isInside ? 'rule_changed' : 'left');

/**
 * Explains an alert about a friend that is identified by its own claim alone: why the alert exists, and what ends it.
 */
function whatEnds(tracks: readonly TrackFacts[]): string {
  const [first] = tracks;
  if (!first || tracks.length > 1 || first.affiliation !== 'friend' || isSureFriend(first)) return '';
  return (
    ' Only its Remote ID says that it is ours. Its own telemetry ends this alert. A person can end it as well: set ' +
    'the affiliation of the track with an end (an expected flight), or confirm its serial.'
  );
}

/**
 * Creates the rule of a zone alarm. It matches a track and a zone if `holds` is true for the two. The zone's alarm must
 * include `transition`, and must apply to the track.
 */
function zoneAlarm(
  transition: ZoneTransition,
  holds: (zone: ZoneFact) => boolean,
  words: Pick<Finder, 'say' | 'over' | 'ends'>,
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
    const more = first && tracks.length === 1 ? how(first) : lastSeen(tracks);
    return `${whoAll(tracks)} ${are(tracks)} in ${zoneName(zone)}${more}.${whatEnds(tracks)}`;
  },
  ends: stillInside,
  over: (label) => `${label}: out of the zone.`,
});

export const zoneDwell = zoneAlarm('dwell', ({ dwelling, inside }) => dwelling && inside, {
  say: ({ tracks, zone }) => {
    const stays = verb(tracks, 'stays', 'stay', 'stayed');
    const longS = zone?.dwellS ?? Number.NaN;
    return `${whoAll(tracks)} ${stays} in ${zoneName(zone)}${longS > 0 ? `, for ${seconds(longS)}${isPast(tracks) ? '' : ' now'}` : ''}${lastSeen(tracks)}.${whatEnds(tracks)}`;
  },
  ends: stillInside,
  over: (label) => `${label}: out of the zone.`,
});

export const zoneApproach = zoneAlarm('approach', ({ approaching, inside }) => approaching && !inside, {
  say: ({ tracks, zone }) => {
    if (isPast(tracks))
      return `${whoAll(tracks)} flew towards ${zoneName(zone)}${lastSeen(tracks)}.${whatEnds(tracks)}`;
    const first = `${whoAll(tracks)} will be in ${zoneName(zone)}${howSoon(zone?.etaS ?? Number.NaN)}`;
    const ended = whatEnds(tracks);
    if (!zone || tracks.length > 1 || !(zone.distanceM > 0)) return `${first}.${ended}`;
    const closing = zone.closingMps >= 1 ? `, closing at ${Math.round(zone.closingMps)} m/s` : '';
    return `${first}: ${metres(zone.distanceM)} away${closing}.${ended}`;
  },
  over: (label) => `${label}: no longer on its way into the zone.`,
});

/** Whether the track is hostile, or unknown without a credible name. Excludes unknown tracks classified as birds. */
function isStranger(track: TrackFacts): boolean {
  if (track.affiliation === 'hostile') return true;
  return track.affiliation === 'unknown' && (!track.named || track.verdict === 'suspect') && !isBird(track);
}

/**
 * States why the track is not trusted. An own vehicle whose telemetry is silent is not trusted either: any transmitter
 * can send its identity.
 */
function doubtOf({ assetId, verdict }: TrackFacts): string {
  if (assetId !== null) return ' and nothing confirms that it is ours';
  return verdict === 'suspect' ? ' and its identity is suspect' : '';
}

/** States how many of several tracks have a suspect identity. */
function doubtsOf(tracks: readonly TrackFacts[]): string {
  const suspects = tracks.filter(({ verdict }) => verdict === 'suspect').length;
  if (suspects === 0) return '';
  return suspects === tracks.length ? ', all with suspect identities' : `, ${suspects} of them with suspect identities`;
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
    const doubt = isOne ? doubtOf(first) : doubtsOf(tracks);
    const more = isOne ? how(first) : lastSeen(tracks);
    const look = isPast(tracks) ? 'Look where it went.' : 'Look at it now.';
    return `${whoAll(tracks)} ${are(tracks)} in ${zoneName(zone)}${doubt}${more}. ${look}`;
  },
  ends: (_track, isInside) => (isInside ? 'recovered' : 'left'),
  over: (label, because) =>
    because === 'left'
      ? `${label}: out of the protected zone.`
      : `${label}: still inside, but it now has a known identity or is classified as a bird.`,
});
