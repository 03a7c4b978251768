import type { Geodetic } from '../../geo/position.ts';
import type { Covariance } from '../../geo/turn.ts';
import { TRACK } from '../../model/rows/layouts.ts';
import type { TrackState } from '../../model/track.ts';
import { ROW_WIDTH, stateCodes } from '../../model/track_row.ts';

/** A packed row, unpacked, NaN where a number is not known: velocity and covariance in the local axes at the aircraft, m/s and m². */
export type TrackRow = Geodetic & {
  number: number;
  state: TrackState;
  lastSeenS: number;
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
      number: cell(TRACK.number),
      state: stateCodes[cell(TRACK.state)] ?? 'closed',
      lastSeenS: cell(TRACK.lastSeenMs) / 1000,
      latDeg: cell(TRACK.latDeg),
      lonDeg: cell(TRACK.lonDeg),
      altHaeM: cell(TRACK.altHaeM),
      eastMps: cell(TRACK.eastMps),
      northMps: cell(TRACK.northMps),
      upMps: cell(TRACK.upMps),
      confidence: cell(TRACK.confidence),
      covariance: covarianceOf(cell),
    };
  }
}

function covarianceOf(cell: (column: number) => number): Covariance | null {
  const { covEeM2, covEnM2, covEuM2, covNnM2, covNuM2, covUuM2 } = TRACK;
  const entries: Covariance = [
    cell(covEeM2),
    cell(covEnM2),
    cell(covEuM2),
    cell(covNnM2),
    cell(covNuM2),
    cell(covUuM2),
  ];
  return entries.every(Number.isFinite) ? entries : null;
}
