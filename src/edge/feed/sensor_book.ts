import { idOfName } from '../../host/name_id.ts';
import { Fault } from '../../model/fault.ts';
import type { Observation } from '../../model/observation.ts';
import type { Modality, Placement, Sensor, SensorState } from '../../model/sensor.ts';
import { formatTime } from '../../model/time.ts';

/** Sensors known at once, declared and heard; a new receiver beyond is not taken on. */
const MAX_SENSORS = 512;
/** Receivers of links whose ids are remembered. */
const MOST_HEARD_IDS = 2 * MAX_SENSORS;
const LATENCIES = 64;
const RATE_TAU_S = 5;

/** What is known of a sensor that is not measured: its row. */
export type SensorIdentity = {
  id: string;
  name: string;
  modality: Modality;
  placement: Placement | null;
  heartbeatS: number;
  declaredBy: Sensor['declared_by'];
  linkId: string | null;
  /** The asset that brings it, and how it is fitted there. */
  assetId?: string;
  fit?: 'operational' | 'degraded' | 'off' | 'failed' | 'unknown';
  version: number;
  createdAt: string;
  updatedAt: string;
};

type Live = {
  lifeMs: number | null;
  observedMs: number | null;
  ratePerS: number;
  ratedMs: number;
  latencies: number[];
  clockOffsetMs: number | null;
  rejects: Record<string, number>;
  /** What its link is, where that is not well. */
  link: { state: 'fault' | 'off'; reason: string } | null;
  bias: Sensor['bias'];
};

type Entry = { row: SensorIdentity; live: Live };

/** Every sensor and how it is doing: a silent sensor and a clear sky are different states. */
export class SensorBook {
  readonly #entries = new Map<string, Entry>();
  readonly #idByName = new Map<string, string>();
  /** Every message asks for the id of its receiver, and making one is a hash. */
  readonly #heardIds = new Map<string, Map<string, string>>();
  #heardIdCount = 0;
  readonly #utcMs: (worldMs: number) => number;
  /** Called when a sensor appears, goes or moves: the core needs to know. */
  onChange: () => void = () => {};

  constructor(utcMs: (worldMs: number) => number) {
    this.#utcMs = utcMs;
  }

  /** What was learnt of how far beside the aircraft it tells. */
  offset(id: string, azimuthDeg: number, rangeM: number): void {
    const live = this.#entries.get(id)?.live;
    if (live) live.bias = { range_m: Math.round(rangeM * 10) / 10, azimuth_deg: Math.round(azimuthDeg * 100) / 100 };
  }

  /** Whatever changes within `work` is one change to the core, which is sent every sensor each time. */
  atOnce(work: () => void): void {
    const { onChange } = this;
    let changed = false;
    this.onChange = () => {
      changed = true;
    };
    try {
      work();
    } finally {
      this.onChange = onChange;
      if (changed) onChange();
    }
  }

  declare(row: SensorIdentity): void {
    const known = this.#entries.get(row.id);
    if (known) this.#idByName.delete(known.row.name);
    this.#entries.set(row.id, { row, live: known?.live ?? newLive() });
    this.#idByName.set(row.name, row.id);
    this.onChange();
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    this.#idByName.delete(entry.row.name);
    this.onChange();
  }

  /** The id of the sensor that a link's receiver is, taken on when first heard; null where too many are known. */
  heardOn(link: { id: string; name: string }, receiver: string, modality: Modality, nowMs: number): string | null {
    const id = this.#heardId(link.id, receiver);
    if (this.#entries.has(id)) return id;
    if (this.#entries.size >= MAX_SENSORS) return null;
    const at = formatTime(this.#utcMs(nowMs));
    const name = receiver === '' ? link.name : `${link.name} ${receiver}`;
    const row = { id, name, modality, placement: null, heartbeatS: 60, declaredBy: 'link', linkId: link.id } as const;
    this.declare({ ...row, version: 1, createdAt: at, updatedAt: at });
    return id;
  }

  #heardId(linkId: string, receiver: string): string {
    const known = this.#heardIds.get(linkId)?.get(receiver);
    if (known !== undefined) return known;
    if (this.#heardIdCount >= MOST_HEARD_IDS) {
      this.#heardIds.clear();
      this.#heardIdCount = 0;
    }
    const id = idOfName('sensor', linkId, receiver);
    const ids = this.#heardIds.get(linkId) ?? new Map<string, string>();
    this.#heardIds.set(linkId, ids.set(receiver, id));
    this.#heardIdCount++;
    return id;
  }

  /** By id or by name. */
  resolve(idOrName: string): SensorIdentity | null {
    const id = this.#entries.has(idOrName) ? idOrName : this.#idByName.get(idOrName);
    // Ids are in lower case here, whoever sends them in which.
    return this.#entries.get(id ?? idOrName.toLowerCase())?.row ?? null;
  }

  /** Any sign of life, an empty scan or a heartbeat included. */
  alive(id: string, atMs: number): void {
    const entry = this.#entries.get(id);
    if (entry) entry.live.lifeMs = atMs;
  }

  observed(observation: Observation): void {
    const live = this.#entries.get(observation.sensorId)?.live;
    if (!live) return;
    live.lifeMs = observation.receivedMs;
    live.observedMs = observation.receivedMs;
    decayRate(live, observation.receivedMs);
    live.ratePerS += 1 / RATE_TAU_S;
    if (observation.sourceMs !== null) {
      live.latencies.push(observation.receivedMs - observation.timeMs);
      if (live.latencies.length > LATENCIES) live.latencies.shift();
    }
  }

  clockOffset(id: string, offsetMs: number | null): void {
    const entry = this.#entries.get(id);
    if (entry) entry.live.clockOffsetMs = offsetMs;
  }

  rejected(id: string, reason: string): void {
    const rejects = this.#entries.get(id)?.live.rejects;
    if (rejects) rejects[reason] = (rejects[reason] ?? 0) + 1;
  }

  /** Where the box itself is, as its own receiver says: moves the sensor. */
  moved(id: string, placement: Placement): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.row = { ...entry.row, placement };
    this.onChange();
  }

  /** A link's fault is its sensors' fault, and with a link that is disabled its sensors are off. */
  linkDown(linkId: string, state: 'fault' | 'off', reason: string): void {
    for (const { row, live } of this.#entries.values()) if (row.linkId === linkId) live.link = { state, reason };
  }

  linkUp(linkId: string): void {
    for (const { row, live } of this.#entries.values()) if (row.linkId === linkId) live.link = null;
  }

  /** The sensors that a link declared. */
  ofLink(linkId: string): SensorIdentity[] {
    return this.rows().filter((row) => row.declaredBy === 'link' && row.linkId === linkId);
  }

  rows(): SensorIdentity[] {
    return [...this.#entries.values()].map((entry) => entry.row);
  }

  list(nowMs: number): Sensor[] {
    return [...this.#entries.values()].map((entry) => this.#document(entry, nowMs));
  }

  get(id: string, nowMs: number): Sensor {
    const entry = this.#entries.get(id);
    if (!entry) throw new Fault('not_found', `there is no sensor with the id ${id} in this workspace`);
    return this.#document(entry, nowMs);
  }

  #document({ row, live }: Entry, nowMs: number): Sensor {
    const { state, reasons } = stateOf(row, live, nowMs);
    const { placement } = row;
    decayRate(live, nowMs);
    return {
      id: row.id,
      asset_id: row.assetId ?? null,
      name: row.name,
      modality: row.modality,
      state,
      reasons,
      placement,
      coverage:
        placement?.max_range_m === undefined
          ? null
          : {
              min_range_m: placement.min_range_m ?? 0,
              max_range_m: placement.max_range_m,
              azimuth_deg: placement.azimuth_deg ?? 0,
              hfov_deg: placement.hfov_deg ?? 360,
            },
      rates: { obs_per_s: Math.round(live.ratePerS * 10) / 10 },
      rejects: { ...live.rejects },
      latency_ms: latencyOf(live.latencies),
      clock_offset_ms: live.clockOffsetMs === null ? null : Math.round(live.clockOffsetMs),
      bias: live.bias,
      last_obs_at: live.observedMs === null ? null : formatTime(this.#utcMs(live.observedMs)),
      link_id: row.linkId,
      declared_by: row.declaredBy,
      version: row.version,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    };
  }
}

function newLive(): Live {
  return {
    lifeMs: null,
    observedMs: null,
    ratePerS: 0,
    ratedMs: 0,
    latencies: [],
    clockOffsetMs: null,
    rejects: {},
    link: null,
    bias: { range_m: 0, azimuth_deg: 0 },
  };
}

function decayRate(live: Live, nowMs: number): void {
  const elapsedS = Math.max(0, nowMs - live.ratedMs) / 1000;
  live.ratePerS *= Math.exp(-elapsedS / RATE_TAU_S);
  live.ratedMs = nowMs;
}

const HEIGHT_UNKNOWN =
  'its height above the ellipsoid (placement.alt_hae_m) is not declared: elevations and its reach are not used';

function heightUnknown({ modality, placement }: SensorIdentity): boolean {
  const looks = modality === 'radar' || modality === 'lidar' || modality === 'camera';
  return looks && placement !== null && placement.alt_hae_m === undefined;
}

function stateOf(row: SensorIdentity, live: Live, nowMs: number): { state: SensorState; reasons: string[] } {
  if (row.fit === 'off') return { state: 'off', reasons: ['its payload is off'] };
  if (row.fit === 'failed') return { state: 'fault', reasons: ['its payload has failed'] };
  if (live.link !== null) return { state: live.link.state, reasons: [live.link.reason] };
  if (live.lifeMs === null) return { state: 'unknown', reasons: ['nothing has been heard from it yet'] };
  const silentS = (nowMs - live.lifeMs) / 1000;
  if (silentS > row.heartbeatS) return { state: 'silent', reasons: [`no sign of life for over ${row.heartbeatS} s`] };
  return { state: 'operational', reasons: heightUnknown(row) ? [HEIGHT_UNKNOWN] : [] };
}

function latencyOf(latencies: readonly number[]): Sensor['latency_ms'] {
  if (latencies.length === 0) return null;
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { p50: at(0.5), p95: at(0.95) };
}
