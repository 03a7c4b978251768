import type { Covariance } from '../../geo/turn.ts';
import type { TrackState } from '../../model/track.ts';
import { COLUMN, ROW_WIDTH, stateCodes } from '../../model/track_row.ts';

/** A packed row, unpacked: velocity and covariance in the local axes at the aircraft, m/s and m². */
export type TrackRow = {
  number: number;
  state: TrackState;
  lastSeenS: number;
  latDeg: number;
  lonDeg: number;
  /** NaN where not known, as are all the others. */
  altHaeM: number;
  eastMps: number;
  northMps: number;
  upMps: number;
  /** Null where the rows carry none. */
  covariance: Covariance | null;
};

/** Columns by name: not every core tells the covariance. */
const columns: Readonly<Record<string, number | undefined>> = COLUMN;

export function* trackRows(rows: Float64Array): Generator<TrackRow> {
  for (let at = 0; at + ROW_WIDTH <= rows.length; at += ROW_WIDTH) {
    const cell = (name: string): number => rows[at + (columns[name] ?? ROW_WIDTH)] ?? Number.NaN;
    yield {
      number: cell('number'),
      state: stateCodes[cell('state')] ?? 'closed',
      lastSeenS: cell('lastSeenMs') / 1000,
      latDeg: cell('lat'),
      lonDeg: cell('lon'),
      altHaeM: cell('altHaeM'),
      eastMps: cell('eastMps'),
      northMps: cell('northMps'),
      upMps: cell('upMps'),
      covariance: covarianceOf(cell),
    };
  }
}

function covarianceOf(cell: (name: string) => number): Covariance | null {
  if (columns.covEE === undefined) return null;
  const entries: Covariance = [
    cell('covEE'),
    cell('covEN'),
    cell('covEU'),
    cell('covNN'),
    cell('covNU'),
    cell('covUU'),
  ];
  return entries.every(Number.isFinite) ? entries : null;
}
