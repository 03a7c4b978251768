import type { Placement } from '../../../model/sensor.ts';
import type { StatusReport } from '../../wire/sapient/message.ts';
import { APART_MS, ClockOffset } from '../clock_offset.ts';
import type { SensorStatuses } from '../sensor_statuses.ts';
import type { NodeMode, NodeProfile } from './registration.ts';
import { placementOf, troubleOf } from './status.ts';

/** Time for which the reason of a refused report is shown, ms. */
const SHOWN_MS = 60_000;
/** Time for which a node without a stated interval keeps its place against other hosts, and the greatest time, s. */
const [HELD_S, MOST_HELD_S] = [15, 60];
/** Least interval between two changes of a node's own position, ms: each change sends all sensors to the core. */
const MOVES_EVERY_MS = 1_000;

const noMode: NodeMode = { groundMps: 1, upMps: 1, tracks: true, zone: '' };

type Refusal = { why: string; atMs: number };

/** Registered node on one connection. */
export class SapientNode {
  readonly id: string;
  readonly sensorId: string;
  readonly clock = new ClockOffset();
  #profile: NodeProfile;
  #mode: string;
  /** True if a full status report (`NEW`) came since the registration. */
  #hasStatus = false;
  #trouble: ReturnType<typeof troubleOf> = null;
  #refusal: Refusal | null = null;
  #published = '';
  #dated = { sentMs: Number.NaN, atMs: Number.NEGATIVE_INFINITY, timeMs: 0 };
  #movedMs = Number.NEGATIVE_INFINITY;
  #receivedMs = Number.NEGATIVE_INFINITY;

  constructor(id: string, sensorId: string, profile: NodeProfile) {
    this.id = id;
    this.sensorId = sensorId;
    this.#profile = profile;
    this.#mode = profile.mode;
  }

  get profile(): NodeProfile {
    return this.#profile;
  }

  get mode(): NodeMode {
    const { modes, mode } = this.#profile;
    return modes.get(this.#mode) ?? modes.get(mode) ?? noMode;
  }

  /** Replaces the profile after another registration of the same node. */
  renew(profile: NodeProfile): void {
    this.#profile = profile;
    this.#mode = profile.mode;
    this.#hasStatus = false;
  }

  /** Reports the node's name, modality, deadline and dependent nodes to its sensor row. */
  introduce(sensors: SensorStatuses): void {
    const { name, modality, heartbeatS, dependentNodes } = this.#profile;
    sensors.reported(this.sensorId, { title: { name, modality }, heartbeatS, dependentNodes });
  }

  /** Whether a message of the node was received within its deadline, so that no other host may take its place. */
  isReporting(nowMs: number): boolean {
    const { heartbeatS } = this.#profile;
    return nowMs - this.#receivedMs < Math.min(heartbeatS ?? HELD_S, MOST_HELD_S) * 1_000;
  }

  /** Notes a message of the node. */
  received(atMs: number): void {
    this.#receivedMs = atMs;
  }

  /** Learns the node's clock from a message, and returns the message's time by our clock, ms. */
  timeOf(sentMs: number, atMs: number): number {
    const timeMs = this.clock.correct(sentMs, atMs);
    // Reports with equal times belong to one scan, so they get equal times by our clock, even while the node's clock is
    // being learnt. Only reports of one burst are one scan: a clock that has stopped states one time for ever.
    const isOfScan = this.#dated.sentMs === sentMs && atMs - this.#dated.atMs < APART_MS;
    if (!isOfScan) this.#dated = { sentMs, atMs, timeMs };
    return this.#dated.timeMs;
  }

  /** Processes a status report. Returns false if the report refers to an earlier status report that never came. */
  takeStatus(report: StatusReport, sensors: SensorStatuses, nowMs: number): boolean {
    if (report.info === 'NEW') {
      this.#hasStatus = true;
      this.#mode = report.mode;
      this.#trouble = troubleOf(report);
      this.#place(placementOf(report, this.mode.zone), sensors, nowMs);
    }
    this.publish(sensors, nowMs);
    return this.#hasStatus;
  }

  /** Shows people for a while why a report was refused, so that they can correct the cause. */
  refuse(why: string, sensors: SensorStatuses, atMs: number): void {
    this.#refusal = { why, atMs };
    this.publish(sensors, atMs);
  }

  publish(sensors: SensorStatuses, nowMs: number): void {
    const isShown = this.#refusal !== null && nowMs - this.#refusal.atMs < SHOWN_MS;
    const reasons = [
      ...(this.#trouble === null ? [] : [this.#trouble.reason, ...(this.#trouble.more ?? [])]),
      ...(isShown && this.#refusal ? [this.#refusal.why] : []),
    ];
    const [reason, ...more] = reasons;
    const state = this.#trouble?.state ?? 'degraded';
    const trouble = reason === undefined ? null : { state, reason, more };
    const text = JSON.stringify(trouble);
    if (text === this.#published) return;
    this.#published = text;
    sensors.reported(this.sensorId, { trouble });
  }

  #place(placement: Placement | null, sensors: SensorStatuses, nowMs: number): void {
    if (placement === null || nowMs - this.#movedMs < MOVES_EVERY_MS) return;
    this.#movedMs = nowMs;
    sensors.reported(this.sensorId, { placement });
  }
}
