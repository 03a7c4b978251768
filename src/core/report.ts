import { type FilterBank, REPORT_BASE, REPORT_PER_LEAD } from '../geo/filter_bank.ts';
import { COLUMN, LEADS_S, ROW_WIDTH, stateCodes, type TrackCard } from '../model/track_row.ts';
import type { TrackRecord } from './track_record.ts';

const leads = Float64Array.from(LEADS_S);
const PLACED_WIDTH = REPORT_BASE + LEADS_S.length * REPORT_PER_LEAD;

/** One packed row for each track: its kinematics as of `nowMs`. A lost track stays where it was last believed to be. */
export function rowsOf(tracks: readonly TrackRecord[], bank: FilterBank, nowMs: number): Float64Array {
  const rows = new Float64Array(tracks.length * ROW_WIDTH).fill(Number.NaN);
  const placed = tracks.filter((track) => track.slot !== null);
  const slots = Float64Array.from(placed, (track) => track.slot ?? 0);
  const kinematics = bank.report(slots, nowMs, leads);
  let next = 0;
  tracks.forEach((track, i) => {
    const row = rows.subarray(i * ROW_WIDTH, (i + 1) * ROW_WIDTH);
    row[COLUMN.number] = track.number;
    row[COLUMN.state] = stateCodes.indexOf(track.state);
    row[COLUMN.updatedMs] = nowMs;
    row[COLUMN.lastSeenMs] = track.lastSeenMs;
    row[COLUMN.heightTakeoffM] = track.heightTakeoffM;
    row[COLUMN.altAglM] = track.altAglM;
    if (track.slot === null) return;
    row.set(kinematics.subarray(next, next + PLACED_WIDTH), COLUMN.lat);
    next += PLACED_WIDTH;
  });
  return rows;
}

export function cardsOf(tracks: Iterable<TrackRecord>, nowMs: number): TrackCard[] {
  const cards: TrackCard[] = [];
  for (const track of tracks) {
    const card = track.dueCard(nowMs);
    if (card) cards.push(card);
  }
  return cards;
}
