import type { Threat } from '../../model/threat.ts';
import type { UnscoredAlert } from '../state/unscored_alert.ts';
import { distanceText, durationText } from './units.ts';

type NameOf = (id: string) => string;

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
    if (zone.eta_s === null) return away;
    // A spread wider than the time itself says only that the time is not known.
    if (zone.eta_sigma_s !== null && zone.eta_sigma_s > zone.eta_s) return away;
    const sigma = zone.eta_sigma_s === null ? '' : `\u00a0±\u00a0${Math.round(zone.eta_sigma_s)}`;
    return `${away}, ${Math.round(zone.eta_s)}${sigma}\u00a0s`;
  },
  belowLow: (count: number) => `${count} more with a score below low`,
  claimsSuspect: 'its claims are suspect',
  unseenFor: (state: 'lost' | 'coasting', s: number | null) =>
    `${state === 'lost' ? 'lost ' : ''}${s === null ? '' : durationText(s)}`.trim(),
  threatOrder: 'by level, time to zone, score',
  levelAbove: 'lags',
  levelLags: 'the level follows the score with a delay, unless a rule holds it',
  alertsWithoutLevel: (count: number) =>
    `${count} without a level ${count === 1 ? 'has' : 'have'} an alert: see Alerts`,
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
