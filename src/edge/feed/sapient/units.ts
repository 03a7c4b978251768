import type { SapientPart } from '../../wire/sapient/schema.ts';

const unitS: Readonly<Record<SapientPart<'Registration.Duration'>['units'], number>> = {
  ...{ UNSPECIFIED: Number.NaN, NANOSECONDS: 1e-9, MICROSECONDS: 1e-6, MILLISECONDS: 1e-3 },
  ...{ SECONDS: 1, MINUTES: 60, HOURS: 3_600, DAYS: 86_400 },
};

/** Converts a duration to s; NaN if it has no unit. */
export function secondsOf({ units, value }: SapientPart<'Registration.Duration'>): number {
  return value * unitS[units];
}

/** Rounds a 32-bit float to its seven significant digits. */
export function single(value: number): number {
  return Number(value.toPrecision(7));
}

/** Returns a finite number within limits; null for any other value, and if it is absent. */
export function within(value: number | undefined, least: number, most: number): number | null {
  return value !== undefined && value >= least && value <= most ? value : null;
}

/** Returns a standard deviation. Null if it is absent, not positive (0 means unknown) or above `most`. */
export function sigmaOf(value: number | undefined, most: number): number | null {
  return value !== undefined && value > 0 ? within(value, 0, most) : null;
}
