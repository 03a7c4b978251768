import type { LocalFrame } from '../../geo/local_frame.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { Covariance } from '../../geo/turn.ts';
import { TRACK } from '../../model/rows/layouts.ts';
import type { TrackState } from '../../model/track.ts';
import { type CoreOutput, ROW_WIDTH, stateCodes, type TrackCard } from '../../model/track_row.ts';

/** One line of output: time in s; m, m/s and m² in the axes of the site. Unknown values are left out. */
export type TrackLine =
  | { t: number; id: number; del: true }
  | ({ t: number; id: number; e: number; n: number; u: number; st: TrackState } & Partial<{
      ve: number;
      vn: number;
      vu: number;
      ser: string;
      flags: string[];
      P: Covariance;
    }>);

/** A track in the axes of the site, at the time `atS`. */
type Placed = {
  atS: number;
  lastSeenS: number;
  state: TrackState;
  confidence: number;
  place: readonly [number, number, number];
  /** Velocity, m/s, in which an unknown climb rate counts as 0; null if the horizontal velocity is unknown. */
  velocity: readonly [number, number, number] | null;
  covariance: Covariance | null;
};

/** Silence, s, after which a track is shown only if the confidence in its position is at least `LEAST_CONFIDENCE`. */
const SILENT_S = 2;
const LEAST_CONFIDENCE = 0.5;

/** The picture as an operator of the site would see it: tracks of the core, in the axes of the site. */
export class ShownTracks {
  readonly #frame: LocalFrame;
  readonly #siteAltHaeM: number;
  readonly #showS: number;
  readonly #tracks = new Map<number, Placed>();
  readonly #cards = new Map<number, TrackCard>();
  readonly #shown = new Set<number>();

  /**
   * `showS` is the time for which a silent track is shown after its last observation, s. `siteAltHaeM` replaces an
   * unknown height.
   */
  constructor(frame: LocalFrame, siteAltHaeM: number, showS: number) {
    this.#frame = frame;
    this.#siteAltHaeM = siteAltHaeM;
    this.#showS = showS;
  }

  /** Applies the output of the core's step at the time `atS`. */
  take({ rows, cards, removed }: CoreOutput, atS: number): void {
    for (const row of trackRows(rows)) this.#tracks.set(row.number, this.#placed(row, atS));
    for (const card of cards) this.#cards.set(card.number, card);
    for (const { number } of removed) {
      this.#tracks.delete(number);
      this.#cards.delete(number);
    }
  }

  /**
   * Returns the picture at `tS`: a line for each shown track, and a `del` line for each track that is no longer shown.
   */
  linesAt(tS: number): TrackLine[] {
    const lines: TrackLine[] = [];
    const before = [...this.#shown];
    this.#shown.clear();
    for (const [number, track] of this.#tracks) {
      if (!this.#isShown(track, tS)) continue;
      this.#shown.add(number);
      lines.push(lineOf(number, track, this.#cards.get(number), tS));
    }
    const gone = before.filter((number) => !this.#shown.has(number));
    return [...gone.map((id) => ({ t: tS, id, del: true }) as const), ...lines];
  }

  #isShown({ state, place, lastSeenS, confidence }: Placed, tS: number): boolean {
    if (!place.every(Number.isFinite) || (state !== 'confirmed' && state !== 'coasting')) return false;
    const silentS = tS - lastSeenS;
    return silentS <= SILENT_S || (silentS <= this.#showS && confidence >= LEAST_CONFIDENCE);
  }

  #placed(row: TrackRow, atS: number): Placed {
    const { latDeg, lonDeg, state, lastSeenS, confidence } = row;
    const altHaeM = Number.isNaN(row.altHaeM) ? this.#siteAltHaeM : row.altHaeM;
    const { eastM, northM, upM } = this.#frame.toEnu(latDeg, lonDeg, altHaeM);
    const turn = this.#frame.turnFrom(latDeg, lonDeg);
    const upMps = Number.isNaN(row.upMps) ? 0 : row.upMps;
    const moving = turn.vector(row.eastMps, row.northMps, upMps);
    const isMoving = Number.isFinite(moving.east + moving.north + moving.up);
    return {
      atS,
      lastSeenS,
      state,
      confidence,
      place: [eastM, northM, upM],
      velocity: isMoving ? [moving.east, moving.north, moving.up] : null,
      covariance: row.covariance && turn.covariance(row.covariance),
    };
  }
}

/**
 * Returns the line of a track. Its position is extrapolated with its velocity since the core's last output about it.
 */
function lineOf(id: number, track: Placed, card: TrackCard | undefined, tS: number): TrackLine {
  const { place, velocity, covariance, state } = track;
  const [ve, vn, vu] = velocity ?? [0, 0, 0];
  const aheadS = tS - track.atS;
  const [e, n, u] = [place[0] + ve * aheadS, place[1] + vn * aheadS, place[2] + vu * aheadS];
  const serial = card?.identities[0]?.value;
  return {
    t: tS,
    id,
    e: rounded(e),
    n: rounded(n),
    u: rounded(u),
    ...(velocity && { ve: rounded(ve), vn: rounded(vn), vu: rounded(vu) }),
    ...(serial !== undefined && { ser: serial }),
    ...(card?.integrity.verdict === 'suspect' && { flags: ['spoof'] }),
    ...(covariance && { P: covariance }),
    st: state,
  };
}

/** Rounds to three decimals (mm), which is precise enough and halves the file. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/**
 * An unpacked row of a track. Unknown numbers are NaN. Velocity (m/s) and covariance (m²) are in local axes at the
 * aircraft.
 */
type TrackRow = Geodetic & {
  number: number;
  state: TrackState;
  lastSeenS: number;
  eastMps: number;
  northMps: number;
  upMps: number;
  confidence: number;
  /** Covariance of the position, m²; null if unknown. */
  covariance: Covariance | null;
};

function* trackRows(rows: Float64Array): Generator<TrackRow> {
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
