import type { Kind } from './packed.ts';

/** Numbers of rows that were dropped, by kind. */
export type Dropped = Record<Kind, number>;

export function noneDropped(): Dropped {
  return { detection: 0, point: 0, track: 0, event: 0 };
}
