import type { UnscoredAlert } from '../state/unscored_alert.ts';
import { durationText } from './units.ts';

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
