import type { Dossier } from '../model/observation_row.ts';
import { OBSERVED, OBSERVED_KIND } from '../model/rows/layouts.ts';
import type { IdentityMap } from './identity/identity_map.ts';
import { type ReadDossier, readDossier } from './integrity/dossier.ts';
import { Listener } from './integrity/listener.ts';
import type { TrackRecords } from './track_records.ts';
import { holdBack } from './tracking/held_back.ts';
import { isOnEarth, isSane } from './tracking/plausible.ts';
import type { SensorSite } from './tracking/sensor_site.ts';
import { Tracker } from './tracking/tracker.ts';

type Deps = {
  claims: IdentityMap;
  sensors: SensorSite;
  records: TrackRecords;
  /** Passes the waiting rows to the tracker. */
  flush(): void;
};

/**
 * Prepares observations for the tracker: assigns rows with an identity to claims, and collects consecutive rows into
 * one batch. Waiting rows refer to claims by index, so they go to the tracker before a claim is merged or ended.
 */
export class Intake {
  readonly #deps: Deps;
  readonly #dossiers = new Map<number, ReadDossier>();
  readonly #listener = new Listener();
  #pending: { rows: Float64Array; from: number; to: number } | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get dossiers(): ReadonlyMap<number, ReadDossier> {
    return this.#dossiers;
  }

  know(dossiers: readonly Dossier[]): void {
    for (const dossier of dossiers) this.#dossiers.set(dossier.index, readDossier(dossier));
  }

  /** Takes the row that begins at index `at`. */
  take(rows: Float64Array, at: number): void {
    const index = (rows[at + OBSERVED.claim] ?? -1) | 0;
    rows[at + OBSERVED.dossier] = index;
    const dossier = index >= 0 ? this.#dossiers.get(index) : undefined;
    const kind = rows[at + OBSERVED.kind];
    if (kind === OBSERVED_KIND.evidence) return void this.#deps.claims.refuse(dossier, rows, at);
    if ((kind ?? 0) >= OBSERVED_KIND.repeat) return void this.#repeat(dossier, rows, at);
    if (this.#confirmsNothing(kind, dossier, rows, at))
      return void this.#deps.records.assign(rows[at + OBSERVED.sequence]);
    const isFused = rows[at + OBSERVED.fused] === 1;
    // The track number of a fusion system is no claim. A position under such a number is associated with tracks in the
    // same way as a plot.
    const isAnonymous = !makesClaim(dossier) || (isFused && dossier?.hasOwn === false);
    const isPlot = kind === OBSERVED_KIND.plot || (kind === OBSERVED_KIND.position && isAnonymous);
    if (dossier && isPlot) this.#deps.records.expect(rows[at + OBSERVED.sequence], dossier);
    const claims = isPlot ? dossier?.hasOwn : makesClaim(dossier);
    if (dossier && claims && isSane(rows, at)) rows[at + OBSERVED.claim] = this.#listen(dossier, rows, at);
    else rows[at + OBSERVED.claim] = -1;
    if (!this.#deps.sensors.hasOrigin) this.#setOrigin(rows, at);
    const follows = this.#pending?.to === at && at - this.#pending.from < Tracker.maxRows * OBSERVED.width;
    if (!follows || !this.#pending) {
      this.#deps.flush();
      this.#pending = { rows, from: at, to: at };
    }
    this.#pending.to = at + OBSERVED.width;
  }

  /** Removes and returns all waiting rows; undefined if there are none. */
  takePending(): Float64Array | undefined {
    const waiting = this.#pending;
    this.#pending = null;
    return waiting?.rows.subarray(waiting.from, waiting.to);
  }

  /**
   * Whether a row must be ignored because another system reports it without an identity. The tracker would take the
   * position as an independent measurement, which could confirm the very claim that the other system forwards. Rows
   * marked as fused tracks are not ignored: the tracker never uses them as confirmation.
   */
  #confirmsNothing(
    kind: number | undefined,
    dossier: ReadDossier | undefined,
    rows: Float64Array,
    at: number,
  ): boolean {
    if (rows[at + OBSERVED.fused] === 1) return false;
    const isMeasurement = kind === OBSERVED_KIND.plot || (kind === OBSERVED_KIND.position && !makesClaim(dossier));
    return isMeasurement && this.#deps.sensors.get((rows[at + OBSERVED.sensor] ?? -1) | 0)?.fused === true;
  }

  /**
   * Processes a copy of a report that was already counted: credits the receiver of the copy. If one copy reports an
   * alarm and the other does not, this counts against the claim.
   */
  #repeat(dossier: ReadDossier | undefined, rows: Float64Array, at: number): void {
    const { claims, records, flush } = this.#deps;
    const claimant = dossier && isOnEarth(rows, at) ? claims.resolve(dossier, rows, at) : undefined;
    flush();
    const record = claimant && records.get(claimant.track);
    records.assign(rows[at + OBSERVED.sequence], record?.number);
    if (!dossier || !record || !claimant) return;
    const receivedMs = (rows[at + OBSERVED.receivedS] ?? 0) * 1000;
    records.creditRepeat(record, rows[at + OBSERVED.sensor], receivedMs, rows[at + OBSERVED.rssiDbm]);
    if (claims.isHeldBack) return;
    const denies = rows[at + OBSERVED.kind] === OBSERVED_KIND.contradiction && record.deniesAlarm(dossier.status);
    if (denies) claims.contradict(claimant);
    record.describe(dossier, receivedMs);
  }

  /**
   * Assigns a row to a claim and returns the claim's index. Checks the report against earlier ones, unless a link
   * proves the vehicle.
   */
  #listen(dossier: ReadDossier, rows: Float64Array, at: number): number {
    const { claims } = this.#deps;
    const claimant = claims.resolve(dossier, rows, at);
    const receivedS = rows[at + OBSERVED.receivedS] ?? 0;
    const { isHeldBack: isHeld, identity } = claims;
    // A single report that is held back may have been corrupted on the way. If more follow, the transmitter is assumed
    // to have sent these positions.
    const counts = !isHeld || claimant.story.strays(receivedS) > 1;
    if (counts && !claims.isProven(claimant, receivedS))
      this.#listener.receive(claimant.watch, dossier, rows, at, identity);
    if (isHeld) holdBack(rows, at);
    return claimant.index;
  }

  #setOrigin(rows: Float64Array, at: number): void {
    if (rows[at + OBSERVED.kind] !== OBSERVED_KIND.position || !isSane(rows, at)) return;
    this.#deps.sensors.setOrigin({
      latDeg: rows[at + OBSERVED.azimuthOrLatDeg] ?? 0,
      lonDeg: rows[at + OBSERVED.elevationOrLonDeg] ?? 0,
      altHaeM: 0,
    });
  }
}

/** Whether a dossier has an identity, not only a classification. */
function makesClaim(dossier: ReadDossier | undefined): boolean {
  return dossier !== undefined && dossier.identities.length > 0;
}
