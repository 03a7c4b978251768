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
  confidence: number;
  /** Null where not known. */
  covariance: Covariance | null;
};

export function* trackRows(rows: Float64Array): Generator<TrackRow> {
  for (let at = 0; at + ROW_WIDTH <= rows.length; at += ROW_WIDTH) {
    const cell = (column: number): number => rows[at + column] ?? Number.NaN;
    yield {
      number: cell(COLUMN.number),
      state: stateCodes[cell(COLUMN.state)] ?? 'closed',
      lastSeenS: cell(COLUMN.lastSeenMs) / 1000,
      latDeg: cell(COLUMN.lat),
      lonDeg: cell(COLUMN.lon),
      altHaeM: cell(COLUMN.altHaeM),
      eastMps: cell(COLUMN.eastMps),
      northMps: cell(COLUMN.northMps),
      upMps: cell(COLUMN.upMps),
      confidence: cell(COLUMN.confidence),
      covariance: covarianceOf(cell),
    };
  }
}

function covarianceOf(cell: (column: number) => number): Covariance | null {
  const { covEE, covEN, covEU, covNN, covNU, covUU } = COLUMN;
  const entries: Covariance = [cell(covEE), cell(covEN), cell(covEU), cell(covNN), cell(covNU), cell(covUU)];
  return entries.every(Number.isFinite) ? entries : null;
}
