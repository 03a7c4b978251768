import type { Sensor, SensorState } from '../../model/sensor.ts';
import { formatTime } from '../../model/time.ts';
import type { Live, SensorEntry } from './sensor_entry.ts';
import { deadlineMs, isFull, isLate, stateOf, withLinkFaults, withOwnTrouble } from './sensor_state.ts';

const RATE_TAU_S = 5;

/** Returns the document of a sensor for routes and the stream. */
export function sensorDocument(entry: SensorEntry, nowMs: number, utcMs: (worldMs: number) => number): Sensor {
  const { row, live, self } = entry;
  const { state, reasons } = judged(entry, nowMs);
  const { placement } = row;
  decayRate(live, nowMs);
  return {
    id: row.id,
    asset_id: row.assetId ?? null,
    name: row.name,
    modality: row.modality,
    state,
    reasons,
    heartbeat_s: row.heartbeatS,
    quiet_ok: row.quietOk ?? false,
    trust: trustOf(entry),
    placement,
    detection: row.detection ?? null,
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
    last_obs_at: live.observedMs === null ? null : formatTime(utcMs(live.observedMs)),
    link_id: row.linkId,
    dependent_nodes: [...self.dependentNodes],
    declared_by: row.declaredBy,
    version: row.version,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

/** State of a sensor whose silence is reported, for rules, the log and health. */
export type WatchedSensor = {
  id: string;
  name: string;
  state: SensorState;
  /** First reason for the state; null if there is none. */
  reason: string | null;
  /** World time of the last sign of life, ms; null if there was none. */
  lifeMs: number | null;
  /** True if the sensor was received and is not late (`isLate`). */
  isReceived: boolean;
  /**
   * Time left to the deadline of a sensor that was never received, s; null once it was received or the deadline has
   * passed.
   */
  deadlineInS: number | null;
  /** True for sensors that watch the sky. Telemetry does not: it reports own vehicles and the box. */
  watchesSky: boolean;
  /** True for the own row of a link whose table of sources is full. */
  isFull: boolean;
};

export function watchedSensor(entry: SensorEntry, nowMs: number): WatchedSensor {
  const { row, live, places } = entry;
  const { lifeMs } = live;
  const { state, reasons } = judged(entry, nowMs);
  const { id, name, modality } = row;
  const isOwn = places?.own === entry;
  const condition = places?.condition ?? null;
  const late = isLate(row, live, condition, nowMs);
  const leftMs = deadlineMs(row, live, condition) - nowMs;
  return {
    ...{ id, name, state, reason: reasons[0] ?? null, watchesSky: modality !== 'telemetry' },
    ...{ lifeMs, isReceived: lifeMs !== null && !late },
    deadlineInS: lifeMs === null && !late ? Math.ceil(leftMs / 1_000) : null,
    isFull: isOwn && places !== null && isFull(places.condition, nowMs),
  };
}

/** Counts one observation at `atMs` in the sensor's rate. */
export function countObservation(live: Live, atMs: number): void {
  decayRate(live, atMs);
  live.ratePerS += 1 / RATE_TAU_S;
}

function judged(entry: SensorEntry, nowMs: number): { state: SensorState; reasons: string[] } {
  const { row, live, places, self } = entry;
  const found = withOwnTrouble(stateOf(row, live, places?.condition ?? null, nowMs), self.trouble);
  return places?.own === entry ? withLinkFaults(found, places.condition, nowMs) : found;
}

function trustOf(entry: SensorEntry): Sensor['trust'] {
  if (entry.places === null || entry.places.own === entry) return 'declared';
  return entry.isProven ? 'proven' : 'unproven';
}

function decayRate(live: Live, nowMs: number): void {
  const elapsedS = Math.max(0, nowMs - live.ratedMs) / 1000;
  live.ratePerS *= Math.exp(-elapsedS / RATE_TAU_S);
  live.ratedMs = nowMs;
}

function latencyOf(latencies: readonly number[]): Sensor['latency_ms'] {
  if (latencies.length === 0) return null;
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { p50: at(0.5), p95: at(0.95) };
}
