import type { Alert } from '../../model/alert.ts';

export type Tone = { hz: number; atS: number; lengthS: number };

const pair = (count: number, hz: readonly number[], lengthS: number): Tone[] =>
  Array.from({ length: count }, (_, index) => ({
    hz: hz[index % hz.length] as number,
    atS: index * lengthS * 1.2,
    lengthS,
  }));

/** Sounds by severity (IMO MSC.302(87), 7). The critical one differs clearly from all others. `info` has no sound. */
export const tones: Record<Alert['severity'] | 'no_link', Tone[]> = {
  critical: pair(6, [880, 660], 0.25),
  warning: pair(2, [660], 0.15),
  notice: pair(1, [440], 0.08),
  info: [],
  no_link: [
    { hz: 660, atS: 0, lengthS: 0.2 },
    { hz: 440, atS: 0.22, lengthS: 0.2 },
    { hz: 330, atS: 0.44, lengthS: 0.3 },
  ],
};

/** Interval at which a sound repeats until the alert is acknowledged or cleared, s; null: no repetition. */
export const repeatS: Record<Alert['severity'], number | null> = { critical: 8, warning: 60, notice: null, info: null };
/** Interval at which the sound about a lost link repeats, s. */
export const LINK_REPEAT_S = 60;
