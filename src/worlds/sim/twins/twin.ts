import { CMD, RESULT } from '../../../command/fleet/mav.ts';
import { createMavlinkCodec } from '../../../edge/wire/mavlink/codec.ts';
import { MavlinkEncoder } from '../../../edge/wire/mavlink/encode.ts';
import { messageIds } from '../../../edge/wire/mavlink/known.ts';
import {
  type HeardCommand,
  readCommandInt,
  readCommandLong,
  readSetMode,
} from '../../../edge/wire/mavlink/read_command.ts';
import type { Payload } from '../../../edge/wire/mavlink/write.ts';
import { writeCommandAck, writeStatusText } from '../../../edge/wire/mavlink/write_autopilot.ts';
import type { MavlinkMessage } from '../../../edge/wire/message.ts';
import type { PlatformPerformance } from '../../../model/performance.ts';
import type { ScenarioActor } from '../../../model/scenario.ts';
import { limitsOf } from '../flight/limits.ts';
import { Site } from '../site.ts';
import { ArduPilot } from './ardupilot.ts';
import type { Autopilot } from './autopilot.ts';
import { Battery } from './battery.ts';
import { Chart } from './chart.ts';
import { Craft } from './craft.ts';
import { factsOf, type TwinFacts, type TwinRim, type TwinState, type Wind } from './facts.ts';
import { Gimbal, type Party } from './gimbal.ts';
import { Px4 } from './px4.ts';
import { Route } from './route.ts';
import { Streams } from './streams.ts';
import { heartbeatOf, isStreamed, payloadsOf, type Speaker } from './telemetry.ts';

const BEATS_EVERY_MS = 1_000;
const TELLS_SERIAL_EVERY_MS = 3_000;

/**
 * A simulated vehicle of ours: a well-behaved autopilot that says how it is and does what it is told, over a link in
 * memory. Time and chance come from whoever steps it.
 */
export class Twin {
  readonly facts: TwinFacts;
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

  constructor(actor: ScenarioActor, performance: PlatformPerformance, rim: TwinRim) {
    this.facts = factsOf(actor);
    const { sysid, compid, uid2, serial } = this.facts;
    this.#encoder = new MavlinkEncoder({ sysid, compid });
    const limits = limitsOf(actor, { ...performance, ...actor.performance });
    const { east_m, north_m, height_m = 0 } = actor.start;
    const [first] = actor.route;
    const headingRad = first ? Math.atan2(first.east_m - east_m, first.north_m - north_m) : 0;
    const chart = new Chart(new Site({ ...rim.origin, alt_hae_m: rim.groundAltHaeM }));
    const parts = {
      craft: new Craft(limits, { eastM: east_m, northM: north_m, upM: height_m }, headingRad),
      battery: new Battery(limits, actor.mavlink?.battery_pct ?? 95),
      route: new Route(actor),
      chart,
      say: (severity: number, text: string) => this.#say(writeStatusText(severity, text)),
    };
    this.#autopilot = actor.mavlink?.autopilot === 'px4' ? new Px4(parts) : new ArduPilot(parts);
    const isHelicopter = actor.type === 'helicopter';
    const gimbal = new Gimbal();
    this.#speaker = { autopilot: this.#autopilot, chart, isHelicopter, uid2, serial, gimbal };
    const { unasked } = this.#autopilot;
    this.#streams = new Streams(
      serial === null ? unasked : [...unasked, [messageIds.odidBasicId, TELLS_SERIAL_EVERY_MS]],
    );
    this.#fromMs = rim.beginMs + actor.appears_s * 1_000;
    this.#untilMs = actor.leaves_s === undefined ? Number.POSITIVE_INFINITY : rim.beginMs + actor.leaves_s * 1_000;
    this.#nowMs = rim.beginMs;
    // Not all of a fleet in the same moment.
    this.#beatMs = this.#fromMs + Math.floor(rim.random() * BEATS_EVERY_MS);
  }

  /** Lets time pass until then. */
  step(atMs: number, dtS: number, wind: Wind): void {
    this.#nowMs = atMs;
    const isOn = atMs >= this.#fromMs && atMs < this.#untilMs;
    if (isOn && !this.#isOn) this.#begin();
    this.#isOn = isOn;
    if (!isOn) return;
    this.#autopilot.step(wind, dtS);
    if (atMs >= this.#beatMs) {
      this.#beat();
    }
    for (const msgid of this.#streams.due(atMs)) this.#tell(msgid);
  }

  /** What it has sent since this was asked last: one frame each. */
  take(): Uint8Array[] {
    const said = this.#said;
    this.#said = [];
    return said;
  }

  hear(bytes: Uint8Array, atMs: number): void {
    if (!this.#isOn) return;
    this.#nowMs = Math.max(this.#nowMs, atMs);
    this.#codec.decode(bytes, '', atMs, (message) => this.#obey(message));
  }

  state(): TwinState {
    const { body, isOnGround } = this.#autopilot.craft;
    const { eastM, northM, upM, eastMps, northMps, upMps } = body;
    return { eastM, northM, upM, eastMps, northMps, upMps, airborne: this.#isOn && !isOnGround };
  }

  #begin(): void {
    this.#streams.begin(this.#beatMs);
    this.#autopilot.beginRoute();
  }

  /** With the first it says what else it is known by, so that it has its name at once. */
  #beat(): void {
    const isFirst = this.#beatMs - this.#fromMs < BEATS_EVERY_MS;
    this.#beatMs += BEATS_EVERY_MS;
    this.#say(heartbeatOf(this.#speaker));
    if (!isFirst) return;
    this.#tell(messageIds.homePosition);
    this.#tell(messageIds.odidBasicId);
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
    // What it was asked for comes behind the answer.
    const asked: Payload[] = [];
    this.#say(writeCommandAck({ ...ack, result: this.#answer(command, { sysid, compid }, asked) }));
    for (const payload of asked) this.#say(payload);
  }

  #answer(command: HeardCommand, from: Party, asked: Payload[]): number {
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

  #tell(msgid: number): void {
    for (const payload of payloadsOf(this.#speaker, msgid, this.#bootMs)) this.#say(payload);
  }

  #say(payload: Payload): void {
    this.#said.push(this.#encoder.encode(payload));
  }

  get #bootMs(): number {
    return Math.round(this.#nowMs - this.#fromMs);
  }
}
