import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import type { UnscoredAlert } from '../state/unscored_alert.ts';
import { distanceText, durationText } from './units.ts';

type NameOf = (id: string) => string;
type NearestZone = NonNullable<Threat['nearest_zone']>;

/**
 * Time until a threat enters its nearest zone, s; null if it does not, or if the time is unknown: the spread is wider
 * than the time itself.
 */
function knownEntryS({ eta_s, eta_sigma_s }: NearestZone): number | null {
  return eta_s === null || (eta_sigma_s !== null && eta_sigma_s > eta_s) ? null : eta_s;
}

/** Texts about the levels of threats, and about alerts whose track has no level. */
export const levelWords = {
  /** Reason why a track has an alert but no level, in one sentence. */
  unscoredAlert: ({ severity, noLevel, because }: UnscoredAlert, zone: string | null): string => {
    const why = {
      crewed: 'people on board lower its score',
      friend: 'a friend has a lower score',
      bird: 'a bird has a lower score',
      neutral: 'a neutral track has a lower score',
      low: 'its score is below low',
    }[noLevel];
    const still = {
      zone: `the alarm of ${zone ?? 'its zone'} is about everybody it applies to, whatever the score`,
      gives_way: 'an own vehicle near it must give way',
      near_own: 'an own vehicle is close to it',
      rule: 'its rule is about what happens, whatever the score',
    }[because];
    return `No threat level, because ${why}; the ${severity} alert stands, because ${still}.`;
  },
  /** Position of a threat relative to its nearest zone; inside another zone, also to the nearest protected place. */
  whereabouts: (threat: Threat, nameOf: NameOf): string => {
    const { nearest_zone: zone } = threat;
    if (zone === null) return 'no zone near';
    if (zone.inside) {
      const before = beforeProtected(threat, nameOf);
      return `inside ${nameOf(zone.id)}${before ?? `, ${distanceText(zone.depth_m ?? 0)} from its edge`}`;
    }
    const away = `${distanceText(zone.distance_m)} to ${nameOf(zone.id)}`;
    const etaS = knownEntryS(zone);
    if (etaS === null) return away;
    if (etaS < 0.5) return `${away}, now`;
    const sigma = zone.eta_sigma_s === null ? '' : `\u00a0±\u00a0${Math.round(zone.eta_sigma_s)}`;
    return `${away}, ${Math.round(etaS)}${sigma}\u00a0s`;
  },
  /** Time until a threat enters its nearest zone, as the end of a sentence; empty if it does not or is not known. */
  zoneIn: (zone: Threat['nearest_zone'], name: string): string => {
    const etaS = zone === null ? null : knownEntryS(zone);
    if (etaS === null) return '';
    return etaS < 0.5 ? `, in ${name || 'zone'}` : `, ${name || 'zone'} in ${durationText(etaS)}`;
  },
  /** Threats that were not in view yet, by keys of number and level. */
  unseenThreats: (keys: readonly string[]) => {
    const [first = ''] = keys;
    const more = keys.length === 1 ? '' : ` and ${keys.length - 1} more`;
    return `New: ${first.replace(':', ' ')}${more}`;
  },
  /** Position of a threat relative to its nearest zone, for a column. */
  placed: ({ id, inside, distance_m }: NearestZone, nameOf: NameOf): string =>
    inside ? `in ${nameOf(id)}` : `${distanceText(distance_m)} to ${nameOf(id)}`,
  belowLow: (count: number) => `${count} more ${count === 1 ? 'track' : 'tracks'} below the level low`,
  /** Doubt about a claim, by the first reason that a person can see in the sky. */
  claimsSuspect: ({ integrity: { reasons } }: Track): string => {
    const ids = reasons.map(({ id }) => id);
    if (ids.includes('not_seen_by_sensor')) return 'suspect: no sensor sees it where it says';
    if (ids.includes('position_disagrees')) return 'suspect: sensors see it elsewhere';
    return 'its claims are suspect';
  },
  unseenFor: (state: 'lost' | 'coasting', s: number | null) =>
    `${state === 'lost' ? 'lost ' : ''}${s === null ? '' : durationText(s)}`.trim(),
  looksNow: (phase: string) =>
    phase === 'on_station'
      ? 'looks at it now; its picture is at its own station. Once you know what it is, dismiss it or set its affiliation.'
      : `is approved to look at it: ${phase === 'going' ? 'on its way' : 'see Approvals'}.`,
  perhapsNow: (number: string) => `perhaps now ${number}`,
  perhapsSame: (isLost: boolean) =>
    isLost ? 'Perhaps the same aircraft as the new' : 'Perhaps the same aircraft as the lost',
  threatOrder: 'by level, time to zone, score',
  levelFalls: (s: number) => `its score fell, the level follows after ${durationText(s)}`,
  levelStays: (level: string, score: number) => `stays ${level} down to a score of ${score}`,
  levelLags: 'the level follows the score with a delay, unless a rule holds it',
  /** Alerts about tracks that the list leaves out, such as an aircraft with people on board. */
  alertsWithoutLevel: (numbers: readonly string[], more: number, severity: string) =>
    `${severity} ${numbers.length === 1 ? 'alert' : 'alerts'} about ${numbers.join(', ')}, which ` +
    `${numbers.length === 1 ? 'has' : 'have'} no threat level${more === 0 ? '' : `; ${more} more with an alert`}: see Alerts`,
};

/**
 * Distance and time to the protected place that a threat inside another zone has not reached; null if it has, or if
 * there is none.
 */
function beforeProtected({ nearest_protected: place, cpa }: Threat, nameOf: NameOf): string | null {
  const id = place?.zone_id ?? place?.asset_id ?? null;
  if (place === null || id === null || place.inside) return null;
  const isSamePlace = cpa !== null && (cpa.zone_id ?? cpa.asset_id) === id;
  const when = isSamePlace && cpa.in_s > 0 ? `, closest in ${durationText(cpa.in_s).replaceAll(' ', '\u00a0')}` : '';
  return ` · ${distanceText(place.distance_m)} to ${nameOf(id)}${when}`;
}
