import type { Observation } from '../../model/observation.ts';
import type { Dossier } from '../../model/observation_row.ts';
import { OBSERVED, OBSERVED_KIND } from '../../model/rows/layouts.ts';
import { sameJson } from '../../model/same_json.ts';
import { identityKey } from '../integrity/dossier.ts';
import { isAlarm } from '../tracks/held_status.ts';

/**
 * Greatest number of dossiers (reported values of one transmitter) that are kept. A batch of `MAX_BATCH` observations
 * needs fewer, and none that it uses is forgotten. No dossier is thus replaced while its batch refers to it.
 */
const MAX_DOSSIERS = 4_096;
const MOVE_EVERY_MS = 10_000;
/** Time without a report after which the dossier of a transmitter makes room for a new one, ms. */
const FORGET_MS = 900_000;
/** Standard deviations that are assumed if a source declares none. */
const DEFAULT_SD_SPEED_MPS = 2;
const DEFAULT_SD_CLIMB_MPS = 1.5;

/** `batch` is the number of the last batch that used the dossier. */
type Known = { dossier: Dossier; movedMs: number; batch: number };

/**
 * Packs observations for the core. Numbers become rows; identities and other reports of an aircraft become dossiers. A
 * dossier is sent once, and again only when it changes.
 */
export class Packer {
  readonly #sensorIndex: (sensorId: string) => number;
  /**
   * Ordered by last reception, oldest first. A new report moves an entry to the end, but at most once in
   * `MOVE_EVERY_MS`.
   */
  readonly #known = new Map<string, Known>();
  #changed = new Map<number, Dossier>();
  #batch = 0;

  constructor(sensorIndex: (sensorId: string) => number) {
    this.#sensorIndex = sensorIndex;
  }

  /** Writes one observation into `rows`, from index `at` on. */
  pack(o: Observation, sequence: number, rows: Float64Array, at: number): void {
    rows.fill(Number.NaN, at, at + OBSERVED.width);
    rows[at + OBSERVED.sensor] = this.#sensorIndex(o.sensorId);
    rows[at + OBSERVED.timeS] = o.timeMs / 1000;
    // A report of another box is as new as the detection that it relays: boxes in a ring must not renew each other's tracks.
    rows[at + OBSERVED.receivedS] = (o.lineage === null ? o.receivedMs : Math.min(o.receivedMs, o.timeMs)) / 1000;
    rows[at + OBSERVED.sequence] = sequence;
    rows[at + OBSERVED.claim] = hasDossier(o) ? this.#dossierOf(o) : -1;
    rows[at + OBSERVED.scan] = o.scan ?? -1;
    rows[at + OBSERVED.emitter] = -1;
    rows[at + OBSERVED.authentic] = o.authentic ? 1 : 0;
    rows[at + OBSERVED.fused] = o.lineage === null ? 0 : 1;
    rows[at + OBSERVED.heightTakeoffM] = o.heightTakeoffM ?? Number.NaN;
    rows[at + OBSERVED.altAglM] = o.altAglM ?? Number.NaN;
    rows[at + OBSERVED.rssiDbm] = o.rssiDbm ?? Number.NaN;
    if (o.isUndated) rows[at + OBSERVED.sourceS] = Number.NEGATIVE_INFINITY;
    else if (o.sourceMs !== null) rows[at + OBSERVED.sourceS] = o.sourceMs / 1000;
    packMeasurement(o, rows, at);
    if (o.use !== 'measure') rows[at + OBSERVED.kind] = OBSERVED_KIND[o.use];
  }

  /** Ends a batch: returns the dossiers that are new or changed since the last call. */
  takeDossiers(): Dossier[] {
    this.#batch++;
    const dossiers = [...this.#changed.values()];
    this.#changed = new Map();
    return dossiers;
  }

  /** Marks all dossiers as not sent. They are sent again, since a restarted core has none. */
  publishAll(): void {
    this.#changed = new Map([...this.#known.values()].map(({ dossier }) => [dossier.index, dossier]));
  }

  #dossierOf(o: Observation): number {
    const key = keyOf(o);
    const known = this.#known.get(key);
    if (!known) return this.#add(key, o);
    known.batch = this.#batch;
    if (o.receivedMs - known.movedMs >= MOVE_EVERY_MS) {
      known.movedMs = o.receivedMs;
      this.#known.delete(key);
      this.#known.set(key, known);
    }
    // A repeated report (`repeat`) or a refused one (`evidence`) does not change the dossier of its sender.
    const isKept = o.use === 'repeat' || o.use === 'evidence' || says(known.dossier, o);
    if (!isKept) known.dossier = this.#write(o, known.dossier.index);
    return known.dossier.index;
  }

  #add(key: string, o: Observation): number {
    const dossier = this.#write(o, this.#freeIndex(o.receivedMs));
    this.#known.set(key, { dossier, movedMs: o.receivedMs, batch: this.#batch });
    return dossier.index;
  }

  #freeIndex(nowMs: number): number {
    const [oldest] = this.#known;
    if (!oldest) return 0;
    const [key, { dossier, movedMs, batch }] = oldest;
    const isSilent = nowMs - movedMs >= FORGET_MS && batch !== this.#batch;
    if (this.#known.size < MAX_DOSSIERS && !isSilent) return this.#known.size;
    this.#known.delete(key);
    return dossier.index;
  }

  #write(o: Observation, index: number): Dossier {
    const { identities, classification, operator, takeoff, status } = o;
    const landed = o.landed === null ? {} : { landed: o.landed };
    const link = hasExternal(o) ? { link: o.linkId ?? '' } : {};
    const claim = o.claim === null ? {} : { claim: o.claim };
    const lineage = o.lineage === null ? {} : { lineage: o.lineage };
    const said = { identities, classification, operator, takeoff, status };
    const dossier = { index, ...said, ...landed, ...link, ...claim, ...lineage };
    this.#changed.set(index, dossier);
    return dossier;
  }
}

/** Whether an observation has anything that belongs in a dossier. */
function hasDossier({ identities, classification, lineage }: Observation): boolean {
  return identities.length > 0 || classification.length > 0 || lineage !== null;
}

/**
 * Returns the key of an observation's dossier. Reports with and without an alarm under the same identities have
 * different keys, and so have two radios of one identity. With a common key, a later report in a batch would overwrite
 * the earlier one.
 */
function keyOf(o: Observation): string {
  const { identities, status } = o;
  const [first] = identities;
  const names = identities.length === 1 && first ? identityKey(first) : identities.map(identityKey).join('\n');
  const link = hasExternal(o) ? `\n${o.linkId}` : '';
  const system = o.lineage === null ? '' : `\n${o.lineage.sensorId}`;
  // Without an identity, the classification distinguishes senders.
  const key = `${names}\n${first?.transport ?? JSON.stringify(o.classification)}${link}${system}`;
  return isAlarm(status) ? `${key}\n${status}` : key;
}

function hasExternal({ identities }: Observation): boolean {
  for (const { type } of identities) if (type === 'external') return true;
  return false;
}

/** Whether the dossier already equals what the observation reports. */
function says(known: Dossier, o: Observation): boolean {
  return (
    known.status === o.status &&
    (known.landed ?? null) === o.landed &&
    same(known.claim ?? null, o.claim) &&
    sameJson(known.lineage ?? null, o.lineage) &&
    same(known.operator, o.operator) &&
    same(known.takeoff, o.takeoff) &&
    sameEach(known.classification, o.classification) &&
    sameEach(known.identities, o.identities)
  );
}

function sameEach(a: readonly object[], b: readonly object[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!same(a[i] ?? null, b[i] ?? null)) return false;
  return true;
}

/** Whether two objects are equal field by field, one level deep. The compared documents have no deeper levels. */
function same(a: object | null, b: object | null): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  const fields = a as Record<string, unknown>;
  const others = b as Record<string, unknown>;
  for (const field in fields) if (fields[field] !== others[field]) return false;
  for (const field in others) if (!(field in fields)) return false;
  return true;
}

function packMeasurement(o: Observation, rows: Float64Array, at: number): void {
  if (o.latDeg !== null && o.lonDeg !== null) packPosition(o, rows, at);
  else if (o.azimuthDeg !== null && (o.report === 'range_bearing' || o.report === 'bearing')) packPlot(o, rows, at);
  else rows[at + OBSERVED.kind] = OBSERVED_KIND.word;
}

function packPosition(o: Observation, rows: Float64Array, at: number): void {
  rows[at + OBSERVED.kind] = OBSERVED_KIND.position;
  rows[at + OBSERVED.azimuthOrLatDeg] = o.latDeg ?? Number.NaN;
  rows[at + OBSERVED.elevationOrLonDeg] = o.lonDeg ?? Number.NaN;
  rows[at + OBSERVED.rangeOrAltHaeM] = o.altHaeM ?? Number.NaN;
  rows[at + OBSERVED.sdAzimuthDegOrHM] = o.sigmaHM ?? Number.NaN;
  rows[at + OBSERVED.sdElevationDegOrVM] = o.sigmaVM ?? Number.NaN;
  const course = ((o.courseDeg ?? 0) * Math.PI) / 180;
  const moving = o.speedMps !== null && (o.courseDeg !== null || o.speedMps === 0);
  rows[at + OBSERVED.eastMps] = moving ? (o.speedMps ?? 0) * Math.sin(course) : Number.NaN;
  rows[at + OBSERVED.northMps] = moving ? (o.speedMps ?? 0) * Math.cos(course) : Number.NaN;
  rows[at + OBSERVED.saidSpeedMps] = o.speedMps ?? Number.NaN;
  rows[at + OBSERVED.upMps] = o.climbMps ?? Number.NaN;
  rows[at + OBSERVED.sdSpeedMps] = o.sigmaSpeedMps ?? DEFAULT_SD_SPEED_MPS;
  rows[at + OBSERVED.sdClimbMps] = o.sigmaSpeedMps ?? DEFAULT_SD_CLIMB_MPS;
}

function packPlot(o: Observation, rows: Float64Array, at: number): void {
  rows[at + OBSERVED.kind] = OBSERVED_KIND.plot;
  rows[at + OBSERVED.azimuthOrLatDeg] = o.azimuthDeg ?? Number.NaN;
  rows[at + OBSERVED.elevationOrLonDeg] = o.elevationDeg ?? Number.NaN;
  rows[at + OBSERVED.rangeOrAltHaeM] = o.rangeM ?? Number.NaN;
  rows[at + OBSERVED.sdAzimuthDegOrHM] = o.sigmaAzimuthDeg ?? Number.NaN;
  rows[at + OBSERVED.sdElevationDegOrVM] = o.sigmaElevationDeg ?? Number.NaN;
  rows[at + OBSERVED.sdRangeM] = o.sigmaRangeM ?? Number.NaN;
}
