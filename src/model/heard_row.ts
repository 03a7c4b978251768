import type { TrackCard } from './track_row.ts';

/**
 * Columns of one packed row of what was heard of a track since its card was told: when the entry at `place` of the card's
 * `list` was heard last, and for a contributor how often and how loud (dBm, NaN where not known). Cards change seldom,
 * these with every report: told apart, so that a sky of a thousand aircraft is a few arrays a second.
 */
export const HEARD = { number: 0, list: 1, place: 2, lastMs: 3, hits: 4, rssiDbm: 5 } as const;
export const HEARD_WIDTH = 6;
export const HEARD_LIST = { contributors: 0, identities: 1 } as const;

/** Writes packed rows into the cards they are of, where there are such; tells the number of each. */
export function hearInto(heard: Float64Array, cardOf: (number: number) => TrackCard | null | undefined): Set<number> {
  const numbers = new Set<number>();
  for (let at = 0; at < heard.length; at += HEARD_WIDTH) {
    const number = heard[at + HEARD.number] ?? 0;
    const card = cardOf(number);
    if (!card) continue;
    hearOf(card, heard, at);
    numbers.add(number);
  }
  return numbers;
}

function hearOf(card: TrackCard, heard: Float64Array, at: number): void {
  const place = heard[at + HEARD.place] ?? -1;
  const lastMs = heard[at + HEARD.lastMs] ?? 0;
  if (heard[at + HEARD.list] === HEARD_LIST.identities) {
    const identity = card.identities[place];
    if (identity) identity.lastMs = lastMs;
    return;
  }
  const contributor = card.contributors[place];
  if (!contributor) return;
  const rssiDbm = heard[at + HEARD.rssiDbm] ?? Number.NaN;
  contributor.lastMs = lastMs;
  contributor.hits = heard[at + HEARD.hits] ?? 0;
  contributor.rssiDbm = Number.isNaN(rssiDbm) ? null : rssiDbm;
}
