import { createMavlinkCodec } from '../../edge/wire/mavlink/codec.ts';
import { MavlinkEncoder } from '../../edge/wire/mavlink/encode.ts';
import { messageIds } from '../../edge/wire/mavlink/known.ts';
import {
  type ReceivedCommand,
  readCommandInt,
  readCommandLong,
  readSetMode,
} from '../../edge/wire/mavlink/read_command.ts';
import type { Payload } from '../../edge/wire/mavlink/write.ts';
import { writeCommandAck, writeStatusText } from '../../edge/wire/mavlink/write_autopilot.ts';
import type { MavlinkMessage } from '../../edge/wire/message.ts';
import { RESULT } from '../../fleet/mav.ts';
import { CMD } from '../../fleet/verbs.ts';
import type { ChartPosition } from '../../geo/position.ts';
import type { PlatformPerformance } from '../../model/performance.ts';
import type { ScenarioActor, ScenarioSpec } from '../../model/scenario.ts';
import { limitsOf } from '../aircraft/flight/limits.ts';
import type { Wind } from '../aircraft/flight/wind.ts';
import { Site } from '../kernel/site.ts';
import { ArduPilot } from './ardupilot.ts';
import type { Autopilot } from './autopilot.ts';
import { Battery } from './battery.ts';
import { Chart } from './chart.ts';
import { Craft } from './craft.ts';
import { factsOf, type VehicleFacts } from './facts.ts';
import { Gimbal, type Party } from './gimbal.ts';
import { Px4 } from './px4.ts';
import { Route } from './route.ts';
import { heartbeatOf, isStreamed, payloadsOf, type Speaker } from './telemetry.ts';

const BEATS_EVERY_MS = 1_000;
const SERIAL_EVERY_MS = 3_000;

/** Inputs of a simulated vehicle from its scenario. */
export type SimulatedVehicleDeps = {
  /** Returns random numbers from a generator that only this vehicle uses. */
  random(): number;
  groundAltHaeM: number;
  origin: Pick<ScenarioSpec['origin'], 'lat' | 'lon'>;
  /** World time at which the scenario begins, ms. */
  beginMs: number;
};

/** Position and velocity on the chart around the scenario's origin, m and m/s. */
export type SimulatedVehicleState = ChartPosition & Wind & { upMps: number; airborne: boolean };

/**
 * A simulated vehicle of the own fleet. Its autopilot behaves well: it reports its state and carries out commands over
 * a link in memory. Time and random numbers come from the caller.
 */
export class SimulatedVehicle {
  readonly facts: VehicleFacts;
  readonly #autopilot: Autopilot;
  readonly #speaker: Speaker;
  readonly #streams: Streams;
  readonly #encoder: MavlinkEncoder;
  readonly #codec = createMavlinkCodec({ datagrams: true });
  readonly #fromMs: number;
  readonly #untilMs: number;
  #said: Uint8Array[] = [];
  #nowMs: number;
  #isOn = false;
  #beatMs: number;

  constructor(actor: ScenarioActor, performance: PlatformPerformance, deps: SimulatedVehicleDeps) {
    this.facts = factsOf(actor);
    const { sysid, compid, uid2, serial } = this.facts;
    this.#encoder = new MavlinkEncoder({ sysid, compid });
    const limits = limitsOf(actor, { ...performance, ...actor.performance });
    const { east_m, north_m, height_m = 0 } = actor.start;
    const [first] = actor.route;
    const headingRad = first ? Math.atan2(first.east_m - east_m, first.north_m - north_m) : 0;
    const chart = new Chart(new Site({ ...deps.origin, alt_hae_m: deps.groundAltHaeM }));
    const parts = {
      craft: new Craft(limits, { eastM: east_m, northM: north_m, heightM: height_m }, headingRad),
      battery: new Battery(limits, actor.mavlink?.battery_pct ?? 95),
      route: new Route(actor),
      chart,
      say: (severity: number, text: string) => this.#say(writeStatusText(severity, text)),
    };
    this.#autopilot = actor.mavlink?.autopilot === 'px4' ? new Px4(parts) : new ArduPilot(parts);
    const isHelicopter = actor.type === 'helicopter';
    this.#speaker = { autopilot: this.#autopilot, chart, isHelicopter, uid2, serial, gimbal: new Gimbal() };
    const { unasked } = this.#autopilot;
    this.#streams = new Streams(serial === null ? unasked : [...unasked, [messageIds.odidBasicId, SERIAL_EVERY_MS]]);
    this.#fromMs = deps.beginMs + actor.appears_s * 1_000;
    this.#untilMs = deps.beginMs + (actor.leaves_s ?? Number.POSITIVE_INFINITY) * 1_000;
    this.#nowMs = deps.beginMs;
    // A random offset keeps the heartbeats of several vehicles from coinciding.
    this.#beatMs = this.#fromMs + Math.floor(deps.random() * BEATS_EVERY_MS);
  }

  /** Advances to world time `atMs`, by `dtS`. */
  step(atMs: number, dtS: number, wind: Wind): void {
    this.#nowMs = atMs;
    const isOn = atMs >= this.#fromMs && atMs < this.#untilMs;
    if (isOn && !this.#isOn) {
      this.#streams.begin(this.#beatMs);
      this.#autopilot.beginRoute();
    }
    this.#isOn = isOn;
    if (!isOn) return;
    this.#autopilot.step(wind, dtS);
    if (atMs >= this.#beatMs) this.#beat();
    for (const msgid of this.#streams.due(atMs)) this.#report(msgid);
  }

  /** Returns the frames that the vehicle has sent since the previous call. */
  take(): Uint8Array[] {
    const said = this.#said;
    this.#said = [];
    return said;
  }

  receive(bytes: Uint8Array, atMs: number): void {
    if (!this.#isOn) return;
    this.#nowMs = Math.max(this.#nowMs, atMs);
    this.#codec.decode(bytes, '', atMs, (message) => this.#obey(message));
  }

  state(): SimulatedVehicleState {
    const { body, isOnGround } = this.#autopilot.craft;
    const { eastM, northM, heightM, eastMps, northMps, upMps } = body;
    return { eastM, northM, heightM, eastMps, northMps, upMps, airborne: this.#isOn && !isOnGround };
  }

  /** Sends a heartbeat. Home and serial follow the first heartbeat, so that the vehicle is identified at once. */
  #beat(): void {
    const isFirst = this.#beatMs - this.#fromMs < BEATS_EVERY_MS;
    this.#beatMs += BEATS_EVERY_MS;
    this.#say(heartbeatOf(this.#speaker));
    if (!isFirst) return;
    this.#report(messageIds.homePosition);
    this.#report(messageIds.odidBasicId);
  }

  #obey(message: MavlinkMessage): void {
    if (message.kind !== 'mavlink') return;
    const { msgid, payload, sysid, compid } = message;
    if (msgid === messageIds.setMode) {
      const { customMode, targetSystem } = readSetMode(payload);
      if (targetSystem === this.facts.sysid) this.#autopilot.setCustomMode(customMode);
      return;
    }
    const isInt = msgid === messageIds.commandInt;
    if (!isInt && msgid !== messageIds.commandLong) return;
    const command = isInt ? readCommandInt(payload) : readCommandLong(payload);
    if (command.targetSystem !== 0 && command.targetSystem !== this.facts.sysid) return;
    const ack = { command: command.command, progressPct: null, targetSystem: sysid, targetComponent: compid };
    // Requested messages are sent after the acknowledgement.
    const asked: Payload[] = [];
    this.#say(writeCommandAck({ ...ack, result: this.#answer(command, { sysid, compid }, asked) }));
    for (const payload of asked) this.#say(payload);
  }

  #answer(command: ReceivedCommand, from: Party, asked: Payload[]): number {
    const [p1, p2] = command.params;
    switch (command.command) {
      case CMD.requestMessage:
        asked.push(...payloadsOf(this.#speaker, p1, this.#bootMs));
        return asked.length > 0 ? RESULT.accepted : RESULT.failed;
      case CMD.setMessageInterval:
        if (Number.isNaN(p2) || !this.#canStream(p1)) return RESULT.denied;
        this.#streams.set(p1, p2, this.#nowMs);
        return RESULT.accepted;
      default:
        return this.#speaker.gimbal.answer(command, from) ?? this.#autopilot.answer(command);
    }
  }

  #canStream(msgid: number): boolean {
    return isStreamed(this.#speaker, msgid) || payloadsOf(this.#speaker, msgid, this.#bootMs).length > 0;
  }

  #report(msgid: number): void {
    for (const payload of payloadsOf(this.#speaker, msgid, this.#bootMs)) this.#say(payload);
  }

  #say(payload: Payload): void {
    this.#said.push(this.#encoder.encode(payload));
  }

  get #bootMs(): number {
    return Math.round(this.#nowMs - this.#fromMs);
  }
}

type Stream = { everyMs: number; dueMs: number };

/** Messages that are sent regularly, each at a separate interval. */
class Streams {
  readonly #usual: ReadonlyMap<number, number>;
  readonly #streams = new Map<number, Stream>();

  constructor(usual: readonly (readonly [msgid: number, everyMs: number])[]) {
    this.#usual = new Map(usual);
  }

  begin(nowMs: number): void {
    for (const [msgid, everyMs] of this.#usual) this.#streams.set(msgid, { everyMs, dueMs: nowMs + everyMs });
  }

  /**
   * Sets an interval as SET_MESSAGE_INTERVAL does, µs: 0 restores the default, a negative interval stops the message.
   */
  set(msgid: number, intervalUs: number, nowMs: number): void {
    const everyMs = intervalUs === 0 ? (this.#usual.get(msgid) ?? 0) : intervalUs / 1_000;
    if (everyMs > 0) this.#streams.set(msgid, { everyMs, dueMs: nowMs + everyMs });
    else this.#streams.delete(msgid);
  }

  /** Yields the ids of messages that are due now, once each. Missed messages are not sent later. */
  *due(nowMs: number): Generator<number> {
    for (const [msgid, stream] of this.#streams) {
      if (stream.dueMs > nowMs) continue;
      stream.dueMs += stream.everyMs;
      if (stream.dueMs <= nowMs) stream.dueMs = nowMs + stream.everyMs;
      yield msgid;
    }
  }
}
