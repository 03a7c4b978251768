import type { TrackCard } from './track_row.ts';

/**
 * Columns of one packed row: later receptions of a track whose description (`TrackCard`) is already published. `number`
 * is the track number. `list` selects the contributors or the identities of the description, and `place` the entry in
 * that list. `lastMs` is the time of the last reception. Only a contributor has `hits`, the number of receptions, and
 * `rssiDbm`, the signal strength, dBm (NaN if unknown). The rows are separate because receptions change with every
 * report, and descriptions rarely. A thousand aircraft thus need only a few arrays per second.
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
