import fc from 'fast-check';
import t from 'tap';
import { flyingOf } from '../../../src/app/flying.ts';
import { messageIds } from '../../../src/edge/wire/mavlink/known.ts';
import { readPositionTarget } from '../../../src/edge/wire/mavlink/read_vehicle.ts';
import type { MavlinkMessage } from '../../../src/edge/wire/message.ts';
import type { CommandParams } from '../../../src/model/verb.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { asked } from '../../support/fleet/air.ts';
import { copterUp, place, type Up } from '../../support/fleet/air_up.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { distance, moved, type Target } from '../../support/vehicles/flight.ts';
import { OtherStation } from '../../support/vehicles/other_station.ts';

const { rtl, land, loiter, smartRtl, guided } = COPTER_MODE;
const notHeld: ReadonlySet<number> = new Set([rtl, land, loiter, smartRtl]);
/** A mode that we ordered no longer ago than this may be ours. */
const OURS_FOR_MS = 20_000;
const FAR_M = 100;

const ours = fc.constantFrom('goto', 'orbit', 'hold', 'return_home', 'land', 'set_speed', 'stop_all', 'cancel');
const theirs = fc.constantFrom('rtl', 'land', 'loiter', 'elsewhere', 'elsewhere');
const failsafes = fc.constantFrom('ekf', 'radio', 'battery');
const step = fc.record({
  what: fc.oneof({ weight: 5, arbitrary: ours }, { weight: 3, arbitrary: theirs }, { weight: 2, arbitrary: failsafes }),
  north: fc.integer({ min: -400, max: 400 }),
  east: fc.integer({ min: -400, max: 400 }),
  waitMs: fc.oneof(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 0, max: 15_000 })),
  link: fc.record({
    loss: fc.constantFrom(0, 0, 0.2, 0.5),
    delayMs: fc.constantFrom(0, 0, 100, 800),
    downS: fc.constantFrom(0, 0, 0, 2, 7),
  }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/**
 * What another has done with the vehicle, and whether the vehicle has reported it to us. Written from the outside: what the
 * other station and the failsafes did, and what went over the link.
 */
class Hands {
  readonly #up: Up;
  readonly #modesOrdered = new Map<number, number>();
  readonly #placesOrdered: { lat: number; lon: number; atMs: number }[] = [];
  #other: { mode: number; to: Target | null; isReported: boolean } | null = null;
  #targetMs = Number.NEGATIVE_INFINITY;
  /** Whether a target was reported when a person commanded last: a first one may be older than that. */
  #knewTarget = false;
  reportedMode: number | null = null;
  /** How often another was reported, so that a run in which that never happens is seen. */
  reports = 0;

  constructor(up: Up) {
    this.#up = up;
    const { fleet } = up.air.rig;
    const take = fleet.take.bind(fleet);
    fleet.take = (linkId, message, from, atMs) => {
      take(linkId, message, from, atMs);
      this.#reported(message);
    };
  }

  /** Another has chosen a mode. One that may be ours, or that it is in already, tells nothing. */
  mode(mode: number): void {
    const { copter, air } = this.#up;
    const isKnown = air.nowMs - (this.#modesOrdered.get(mode) ?? Number.NEGATIVE_INFINITY) < OURS_FOR_MS;
    const isOther = copter.mode === mode && !isKnown && this.reportedMode !== mode;
    this.#other = isOther ? { mode, to: null, isReported: false } : null;
  }

  place(to: Target): void {
    const { copter, air } = this.#up;
    const near = this.#placesOrdered.some((at) => air.nowMs - at.atMs < OURS_FOR_MS && distance(at, to) < FAR_M);
    const isOther = copter.mode === guided && this.reportedMode === guided && !near;
    this.#other = isOther ? { mode: guided, to, isReported: false } : null;
  }

  /** A person has commanded something since: from here on it is ours again. */
  decided(): void {
    this.#other = null;
    this.#knewTarget = this.#up.air.nowMs - this.#targetMs <= 3_000;
  }

  /** What leaves for the vehicle. Throws where it would change what another ordered and the vehicle reported. */
  sent({
    command,
    param2,
    x,
    y,
    isInt,
  }: {
    command: number;
    param2: number;
    x: number;
    y: number;
    isInt: boolean;
  }): void {
    const { copter, air } = this.#up;
    if (command === CMD.setMessageInterval || command === CMD.requestMessage) return;
    const other = this.#other;
    // Without the flag it is refused in any other mode, and changes nothing.
    const changes = command !== CMD.reposition || param2 % 2 === 1 || copter.mode === guided;
    const isKnown = !other?.to || this.#knewTarget || command === CMD.reposition;
    if (other?.isReported && changes && isKnown) {
      throw new Error(
        `the command ${command} left although ${other.to ? 'a target' : `mode ${other.mode}`} was reported`,
      );
    }
    if (changes) this.#other = null;
    const modes: Record<number, number> = { [CMD.setMode]: param2, [CMD.returnToLaunch]: rtl, [CMD.land]: land };
    const mode = modes[command];
    if (mode !== undefined) this.#modesOrdered.set(mode, air.nowMs);
    if (!isInt) return;
    // A target beside the place where it waited for our first one may be the one from before.
    const isFirst = !this.#placesOrdered.some(({ atMs }) => air.nowMs - atMs < OURS_FOR_MS);
    if (isFirst) this.#placesOrdered.push({ ...copter.body, atMs: air.nowMs });
    this.#placesOrdered.push({ lat: x / 1e7, lon: y / 1e7, atMs: air.nowMs });
  }

  #reported(message: MavlinkMessage): void {
    const other = this.#other;
    if (message.kind === 'heartbeat') {
      this.reportedMode = message.customMode;
      if (!other || other.to) return;
      if (message.customMode === other.mode) this.#isReported();
      else if (other.isReported) this.#other = null;
    } else if (message.kind === 'mavlink' && message.msgid === messageIds.positionTargetGlobalInt) {
      this.#targetMs = this.#up.air.nowMs;
      if (!other?.to) return;
      const target = readPositionTarget(message.payload);
      if (!target) return;
      if (distance({ lat: target.latDeg, lon: target.lonDeg }, other.to) < 1) this.#isReported();
      else if (other.isReported) this.#other = null;
    }
  }

  #isReported(): void {
    if (!this.#other || this.#other.isReported) return;
    this.#other.isReported = true;
    this.reports++;
  }
}

function paramsOf({ what, north, east }: Step, { copter }: Up): CommandParams | undefined {
  const to = moved(copter.body, north, east);
  if (what === 'goto') return place(to, 60);
  if (what === 'orbit') return { kind: 'point', ...to, height_takeoff_m: 60, radius_m: 50 };
  return what === 'set_speed' ? { kind: 'value', speed_mps: 6 } : undefined;
}

async function command(up: Up, hands: Hands, one: Step): Promise<void> {
  const { air, id } = up;
  const { service } = air.rig.side;
  const { reportedMode } = hands;
  if (one.what === 'cancel') {
    const task = service.taskOf(id);
    if (task) await air.settled(service.cancel(task.id, null, asked.by).catch(() => {}));
    return;
  }
  if (one.what === 'stop_all') {
    const keepsMode = reportedMode !== null && notHeld.has(reportedMode);
    // A person's order to stop takes back the vehicle of another station, but for the modes that it keeps.
    if (!keepsMode) hands.decided();
    const stopping = flyingOf(air.rig.side).holdAll(asked.by, 'a test');
    const [row] = await air.settled(stopping);
    if (row?.held && keepsMode) throw new Error(`stop_all replaced mode ${reportedMode}`);
    return;
  }
  const params = paramsOf(one, up);
  const body = { verb: one.what, ...(params ? { params } : {}) };
  // What a person commands is a decision: it may take the vehicle back. A verb that is refused sends nothing.
  const isLet = air.verb(id, one.what as 'hold')?.available === true;
  if (isLet) hands.decided();
  await air.settled(service.command(id, body, asked).catch(() => {}));
  if (one.what === 'hold' && isLet && reportedMode !== null && notHeld.has(reportedMode)) {
    throw new Error(`hold replaced mode ${reportedMode}`);
  }
}

async function play(up: Up, hands: Hands, one: Step): Promise<void> {
  const { copter } = up;
  const other = new OtherStation(copter);
  if (one.what === 'elsewhere') {
    const to = { ...moved(copter.body, one.north, one.east), altM: 60 };
    other.reposition(to);
    hands.place(to);
  } else if (one.what === 'rtl' || one.what === 'land' || one.what === 'loiter') {
    const mode = { rtl, land, loiter }[one.what];
    other.mode(mode);
    hands.mode(mode);
  } else if (one.what === 'ekf') {
    copter.ekfFailsafe();
    hands.mode(land);
  } else if (one.what === 'radio' || one.what === 'battery') {
    copter.failsafe(`${one.what === 'radio' ? 'Radio' : 'Battery'} Failsafe - SmartRTL`, smartRtl);
    hands.mode(smartRtl);
  } else await command(up, hands, one);
}

t.test('nothing of ours changes what another ordered, once the vehicle has reported it', async (t) => {
  const seed = seedOf(t);
  let reports = 0;
  const runs = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
    const up = await copterUp(t, 60);
    const { air, copter } = up;
    copter.throttleStick = 'mid';
    const hands = new Hands(up);
    const way = air.links.get('air');
    if (!way) throw new Error('there is no link');
    const transmit = way.link.transmit.bind(way.link);
    let thrown: unknown = null;
    way.link.transmit = async (payload, to) => {
      try {
        hands.sent(fieldsOf(payload.msgid, payload.payload));
      } catch (wrong) {
        thrown ??= wrong;
      }
      await transmit(payload, to);
    };
    for (const one of steps) {
      const { downS, ...faults } = one.link;
      Object.assign(copter.link.faults, faults);
      await play(up, hands, one);
      await air.pass(one.waitMs / 2_000);
      copter.link.down = downS > 0;
      await air.pass(downS);
      copter.link.down = false;
      await air.pass(one.waitMs / 2_000);
      if (thrown) throw thrown;
    }
    Object.assign(copter.link.faults, { loss: 0, delayMs: 0 });
    await air.pass(15);
    if (thrown) throw thrown;
    reports += hands.reports;
    copter.stop();
  });
  await fc.assert(runs, { seed, numRuns: 15, endOnFailure: true });
  t.comment(`another was reported ${reports} times`);
  t.ok(reports > 5, `${reports} times`);
});

/** Of COMMAND_LONG and COMMAND_INT what the invariant goes by. */
function fieldsOf(msgid: number, payload: Buffer) {
  const isInt = msgid === messageIds.commandInt;
  const isCommand = isInt || msgid === messageIds.commandLong;
  return {
    command: isCommand ? payload.readUInt16LE(28) : CMD.requestMessage,
    param2: isCommand ? payload.readFloatLE(4) : 0,
    x: isInt ? payload.readInt32LE(16) : 0,
    y: isInt ? payload.readInt32LE(20) : 0,
    isInt,
  };
}
