import { setImmediate } from 'node:timers/promises';
import { acknowledgement, CMD, type Command, commandOf, RESULT, type Result, type ScriptedAnswer } from './command.ts';
import { type Body, distance } from './flight.ts';
import { Gate, StationWatch } from './gate.ts';
import { UdpEnd } from './link.ts';
import { encode, type Fields, type Heard, messageName, numberOf, readDatagram, Signer } from './messages.ts';
import { MissionStore } from './mission.ts';
import { type BootTimes, READY_BOOT, SHORT_BOOT, type VehicleOptions } from './options.ts';
import { FlightRecorder } from './record.ts';
import { RemoteId } from './remote_id.ts';
import { Schedule } from './schedule.ts';
import { DATA_STREAMS, Streams } from './streams.ts';
import { bootMs, type Condition, telemetry } from './telemetry.ts';

const STEP_S = 0.04;
const LOG_EVERY_S = 0.2;
let instances = 0;

/** A part of a vehicle beside its autopilot, such as a gimbal. */
export type Component = {
  readonly compid: number;
  /** Whether it was for it to answer. */
  take(heard: Heard): boolean;
  step(dtS: number): void;
};

/**
 * The common part of all emulated autopilots: a UDP end, a clock that restarts with every boot, streams, a mission
 * store, commands and their acknowledgements. It also records the received messages and the flight. The flying and the
 * answers are those of each autopilot's own class.
 */
export abstract class Vehicle {
  readonly sysid: number;
  readonly compid = 1;
  readonly link: UdpEnd;
  readonly recorder = new FlightRecorder();
  readonly streams = new Streams();
  readonly missions: MissionStore;
  readonly options: VehicleOptions;
  readonly body: Body;
  readonly groundAmslM: number;
  /** Of AUTOPILOT_VERSION. */
  readonly uid2: number[];
  readonly battery: { percent: number; drainPctPerMin: number };
  home: Condition['home'] = null;
  armed = false;
  /** Seconds since the emulator was started, and since the autopilot was. */
  tS = 0;
  bootS = 0;
  boots = 0;
  /** What it died of: the command and parameter. */
  killedByNaN: string | null = null;
  /** Answers instead of its own, by command: none for silence, several for IN_PROGRESS and what follows. */
  readonly scripted = new Map<number, ScriptedAnswer[]>();
  /** Its GPS receiver has no fix, or its EKF no horizontal position: positions go on with the last estimate. */
  readonly lost = { fix: false, position: false };
  /** Messages that it does not have. */
  readonly unsent = new Set<string>();
  /** It fell from the sky: its motors were stopped in flight. */
  crashed = false;
  statusTexts: string[] = [];
  #boot: BootTimes;
  #offS: number | null = null;
  #isFirstBoot = true;
  #timer: NodeJS.Timeout | null = null;
  #components: Component[] = [];
  readonly #later = new Schedule();
  #seq = new Map<number, number>();
  #signer: Signer | null;
  #remoteId: RemoteId | null;
  readonly #watch: StationWatch;
  readonly #gate: Gate;
  #beatS = 0;
  #loggedS = Number.NEGATIVE_INFINITY;

  constructor(options: VehicleOptions) {
    this.options = options;
    this.sysid = options.sysid ?? 1;
    this.link = new UdpEnd(options.groundStation, options.faults);
    this.link.onDatagram = (datagram) => this.#hear(datagram);
    const at = options.at ?? { lat: -35.363_262, lon: 149.165_237 };
    this.body = { ...at, altM: 0, north: 0, east: 0, up: 0, yawDeg: options.yawDeg ?? 353 };
    this.groundAmslM = options.groundAmslM ?? 584;
    this.battery = { percent: 100, drainPctPerMin: 0, ...options.battery };
    this.#signer = options.key ? new Signer(options.key) : null;
    this.#gate = new Gate(options.obeysUnsigned ? null : (options.key ?? null));
    this.#watch = new StationWatch(options.gcsFailsafe ?? null);
    instances += 1;
    this.uid2 = options.uid2 ?? [this.sysid, instances, ...Array.from({ length: 16 }, (_, at) => at + 1)];
    this.#boot = { ...(options.ready ? READY_BOOT : SHORT_BOOT), ...options.boot };
    this.missions = new MissionStore(
      (name, fields) => this.send(name, fields),
      () => this.tS,
    );
    const serial = options.remoteId ?? null;
    this.#remoteId = serial === null ? null : new RemoteId(serial, (name, fields) => this.send(name, fields));
  }

  /** What the heartbeat says beyond `system_status`. */
  protected abstract heartbeat(): Fields;
  /** Does a command; null where it is the autopilot's way not to answer. */
  protected abstract perform(command: Command): Result | null;
  /** The parameters of a command that a number that is none would kill it by: 1 to 7. */
  protected abstract reads(command: Command): number[];
  protected abstract fly(dtS: number): void;
  protected abstract restarted(): void;
  protected abstract lostStation(): void;
  /** MAV_LANDED_STATE. */
  abstract readonly landed: number;

  async start(): Promise<void> {
    await this.link.open();
    this.#powerOn();
    if (this.options.manual) return;
    let last = performance.now();
    this.#timer = setInterval(
      () => {
        const now = performance.now();
        this.tick(((now - last) / 1_000) * (this.options.speed ?? 1));
        last = now;
      },
      1_000 / (this.options.hz ?? 25),
    );
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.link.close();
  }

  attach(component: Component): void {
    this.#components.push(component);
  }

  get isAlive(): boolean {
    return this.killedByNaN === null && this.#offS === null;
  }

  /** Lets time pass, in steps small enough for the flying. */
  tick(dtS: number): void {
    for (let left = dtS; left > 1e-9; left -= STEP_S) this.#step(Math.min(STEP_S, left));
  }

  /** Lets time pass with pauses in which who listens can read, so that no datagram is dropped for want of room. */
  async pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 1e-9; left -= 1) {
      this.tick(Math.min(1, left));
      for (let turn = 0; turn < 3; turn++) await setImmediate();
    }
  }

  distanceTo(lat: number, lon: number): number {
    return distance(this.body, { lat, lon });
  }

  send(name: string, fields: Fields, compid = this.compid): void {
    if (!this.isAlive) return;
    const seq = this.#seq.get(compid) ?? 0;
    this.#seq.set(compid, (seq + 1) % 256);
    const frame = encode({ sysid: this.sysid, compid, seq }, name, fields);
    this.link.send(this.#signer === null ? frame : this.#signer.sign(frame));
  }

  say(text: string, severity = 6): void {
    this.statusTexts.push(text);
    this.send('STATUSTEXT', { severity, text });
  }

  /** Falls silent for a moment and begins anew on another port: no streams, no home, disarmed. */
  reboot(): void {
    this.#offS = this.options.rebootS ?? 0.3;
    this.link.shut();
    this.#later.clear();
  }

  get isBooting(): boolean {
    return this.bootS < this.#boot.standbyS;
  }

  get condition(): Condition {
    const boot = this.#boot;
    return {
      bootS: this.bootS,
      body: this.body,
      groundAmslM: this.groundAmslM,
      home: this.home,
      hasFix: this.bootS >= boot.fixS,
      isFixLost: this.lost.fix,
      hasPosition: this.bootS >= boot.positionS && !this.lost.position,
      mayArm: this.bootS >= boot.prearmS,
      landed: this.landed,
      batteryPct: this.battery.percent,
    };
  }

  /** The fields of a message that can be asked for; null where there is none. */
  protected message(name: string): Fields | null {
    return telemetry(name, this.condition);
  }

  /** A message that is no command. */
  protected other(_heard: Heard): void {}

  protected bootText(): string[] {
    return [];
  }

  /** Messages of which several are sent for one request answer here. */
  protected sendRequested(name: string, _parameter: number): boolean {
    const fields = this.message(name);
    if (fields !== null) this.send(name, fields);
    return fields !== null;
  }

  #powerOn(): void {
    this.#offS = null;
    this.bootS = 0;
    this.boots += 1;
    if (!this.#isFirstBoot) this.#boot = { ...SHORT_BOOT, ...this.options.boot };
    this.#isFirstBoot = false;
    this.armed = false;
    this.home = null;
    this.streams.clear();
    this.#seq.clear();
    this.#beatS = this.#boot.heartbeatS;
    this.#watch.reset();
    this.restarted();
    for (const text of this.bootText()) this.link.send(Buffer.from(text, 'ascii'));
    this.#bootUp();
  }

  #step(dtS: number): void {
    this.tS += dtS;
    if (this.killedByNaN !== null) return;
    if (this.#offS !== null) {
      this.#offS -= dtS;
      if (this.#offS > 0) return;
      void this.link.open();
      this.#powerOn();
    }
    this.bootS += dtS;
    this.link.advance(dtS);
    this.#later.advance(dtS);
    this.fly(dtS);
    if (this.armed) this.battery.percent -= (this.battery.drainPctPerMin / 60) * dtS;
    this.battery.percent = Math.max(0, this.battery.percent);
    if (this.armed && this.#watch.isOverdue(this.tS)) {
      this.say('GCS Failsafe', 4);
      this.lostStation();
    }
    this.#bootUp();
    this.#talk(dtS);
    if (this.tS - this.#loggedS < LOG_EVERY_S) return;
    this.#loggedS = this.tS;
    this.recorder.log(this.tS, this.body);
  }

  #bootUp(): void {
    if (this.home !== null || this.bootS < this.#boot.homeS) return;
    this.home = { lat: this.body.lat, lon: this.body.lon, altM: this.body.altM };
    for (const name of ['HOME_POSITION', 'GPS_GLOBAL_ORIGIN']) this.sendRequested(name, 0);
  }

  #talk(dtS: number): void {
    if (this.bootS + 1e-9 >= this.#beatS) {
      this.#beatS = Math.max(this.#beatS + 1, this.bootS);
      this.beat();
    }
    if (this.bootS % 10 < dtS && this.bootS > 1) {
      this.send('TIMESYNC', { tc1: 0n, ts1: BigInt(bootMs(this)) * 1_000_000n });
    }
    for (const name of this.streams.due(this.bootS)) if (!this.unsent.has(name)) this.sendRequested(name, 0);
    this.#remoteId?.step(dtS, this.condition, this.armed && this.landed !== 1);
    this.missions.step();
    for (const component of this.#components) component.step(dtS);
  }

  protected beat(): void {
    const status = this.isBooting ? 1 : this.#watch.isLost ? 5 : this.armed ? 4 : 3;
    this.send('HEARTBEAT', { mavlink_version: 3, system_status: status, ...this.heartbeat() });
  }

  #hear(datagram: Buffer): void {
    for (const heard of readDatagram(datagram)) {
      if (!this.isAlive) return;
      const { msgid, name, fields, sysid, compid } = heard;
      this.recorder.note({ atMs: Date.now(), tS: this.tS, msgid, name, fields, sysid, compid });
      if (this.#gate.lets(heard, this.options.obeys ?? null)) this.#obey(heard);
    }
  }

  #obey(heard: Heard): void {
    if (heard.name === 'HEARTBEAT' && this.#watch.hear(heard.sysid, this.tS)) this.say('GCS Failsafe Cleared', 4);
    const system = heard.fields.target_system;
    if (typeof system === 'number' && system !== 0 && system !== this.sysid) return;
    const component = Number(heard.fields.target_component ?? 0);
    const parts = this.#components.filter(({ compid }) => component === 0 || component === compid);
    const takers = parts.filter((part) => part.take(heard));
    if (takers.some(({ compid }) => compid === this.compid)) return;
    // The autopilot takes what is meant for a component that is not there.
    if (component !== 0 && parts.some(({ compid }) => compid !== this.compid)) return;
    const command = commandOf(heard);
    if (command !== null) this.#command(command);
    else if (heard.name === 'TIMESYNC') this.#synchronise(heard.fields);
    else if (heard.name === 'REQUEST_DATA_STREAM') this.#dataStream(heard.fields);
    else if (heard.name.startsWith('OPEN_DRONE_ID_')) this.#remoteId?.take(heard);
    else if (heard.name.startsWith('MISSION_')) this.missions.take(heard);
    else this.other(heard);
  }

  #command(command: Command): void {
    const none = this.reads(command).filter((parameter) => Number.isNaN(command.p[parameter - 1]));
    if (none.length > 0 && (this.options.trapsNaN ?? true)) {
      this.killedByNaN = `command ${command.id} parameter ${none.join(', ')}`;
      this.link.shut();
      return;
    }
    const script = this.scripted.get(command.id);
    if (script !== undefined) {
      this.#playAnswers(command, script);
      return;
    }
    const afterwards: (() => void)[] = [];
    const result = none.length > 0 ? RESULT.denied : this.#answer(command, afterwards);
    if (result === null) return;
    this.after((this.options.ackDelayMs ?? 0) / 1_000, () => {
      this.send('COMMAND_ACK', acknowledgement(command, result));
      for (const go of afterwards) go();
    });
  }

  #playAnswers(command: Command, script: ScriptedAnswer[]): void {
    for (const { result, afterS = 0, progress = 0 } of script) {
      this.after(afterS, () => {
        if (result === RESULT.accepted) this.#answer(command, []);
        this.send('COMMAND_ACK', { ...acknowledgement(command, result), progress });
      });
    }
  }

  /** Dies of a message that is no command. */
  protected die(of: string): void {
    this.killedByNaN = of;
    this.link.shut();
  }

  protected after(seconds: number, go: () => void): void {
    this.#later.after(seconds, go);
  }

  #answer(command: Command, afterwards: (() => void)[]): Result | null {
    const [p1, p2] = command.p;
    switch (command.id) {
      case CMD.requestMessage: {
        const name = messageName(p1) ?? '';
        if (!this.canSend(name)) return RESULT.failed;
        afterwards.push(() => this.sendRequested(name, p2));
        return RESULT.accepted;
      }
      case CMD.setMessageInterval: {
        const name = messageName(p1) ?? '';
        if (!this.canStream(name)) return RESULT.denied;
        this.streams.set(name, p2 <= 0 ? null : p2 / 1e6, this.bootS);
        return RESULT.accepted;
      }
      case CMD.getMessageInterval: {
        const everyS = this.streams.everyS(messageName(p1) ?? '');
        const interval_us = everyS === null ? -1 : Math.round(everyS * 1e6);
        afterwards.push(() => this.send('MESSAGE_INTERVAL', { message_id: p1, interval_us }));
        return RESULT.accepted;
      }
      case CMD.rebootShutdown:
        if (p1 !== 1) return RESULT.unsupported;
        if (this.armed) return RESULT.failed;
        afterwards.push(() => this.reboot());
        return RESULT.accepted;
      default:
        return this.perform(command);
    }
  }

  /** Whether a message can be had now. */
  protected canSend(name: string): boolean {
    return !this.unsent.has(name) && this.message(name) !== null;
  }

  /** Whether a message can be sent again and again, though there may be nothing in it yet. */
  protected canStream(name: string): boolean {
    return name === 'HOME_POSITION' || name === 'GPS_GLOBAL_ORIGIN' || this.canSend(name);
  }

  #dataStream(fields: Fields): void {
    const rate = numberOf(fields, 'req_message_rate');
    const isOn = numberOf(fields, 'start_stop') === 1;
    for (const name of DATA_STREAMS[numberOf(fields, 'req_stream_id')] ?? []) {
      this.streams.set(name, isOn && rate > 0 ? 1 / rate : null, this.bootS);
    }
  }

  #synchronise(fields: Fields): void {
    if (fields.tc1 !== 0n) return;
    this.send('TIMESYNC', { tc1: BigInt(bootMs(this)) * 1_000_000n, ts1: fields.ts1 });
  }
}
