import type { TrackCard } from './track_row.ts';

/**
 * Columns of a packed row that updates one list entry of a published track description (`TrackCard`).
 *
 * - `number`: track number
 * - `list`: list of the entry, a value of `RECEIVED_LIST`
 * - `place`: index of the entry in the list
 * - `lastMs`: time of the last reception, ms
 * - `hits`: number of receptions, only for contributors
 * - `rssiDbm`: signal strength, dBm, only for contributors; NaN if unknown
 *
 * These values change with every report, and the rest of a description rarely. Packed rows are therefore cheaper than
 * new descriptions.
 */
export const RECEIVED = { number: 0, list: 1, place: 2, lastMs: 3, hits: 4, rssiDbm: 5 } as const;
export const RECEIVED_WIDTH = 6;
export const RECEIVED_LIST = { contributors: 0, identities: 1 } as const;

/**
 * Writes packed rows into the descriptions of their tracks; rows of unknown tracks are skipped. Returns the numbers of
 * the changed tracks.
 */
export function receiveInto(
  received: Float64Array,
  cardOf: (number: number) => TrackCard | null | undefined,
): Set<number> {
  const numbers = new Set<number>();
  for (let at = 0; at < received.length; at += RECEIVED_WIDTH) {
    const number = received[at + RECEIVED.number] ?? 0;
    const card = cardOf(number);
    if (!card) continue;
    receiveOf(card, received, at);
    numbers.add(number);
  }
  return numbers;
}

function receiveOf(card: TrackCard, received: Float64Array, at: number): void {
  const place = received[at + RECEIVED.place] ?? -1;
  const lastMs = received[at + RECEIVED.lastMs] ?? 0;
  if (received[at + RECEIVED.list] === RECEIVED_LIST.identities) {
    const identity = card.identities[place];
    if (identity) identity.lastMs = lastMs;
    return;
  }
  const contributor = card.contributors[place];
  if (!contributor) return;
  const rssiDbm = received[at + RECEIVED.rssiDbm] ?? Number.NaN;
  contributor.lastMs = lastMs;
  contributor.hits = received[at + RECEIVED.hits] ?? 0;
  contributor.rssiDbm = Number.isNaN(rssiDbm) ? null : rssiDbm;
}
