import fc from 'fast-check';
import t from 'tap';
import { createMavlinkCodec } from '../../../src/edge/wire/mavlink/codec.ts';
import { MavlinkEncoder } from '../../../src/edge/wire/mavlink/encode.ts';
import { messageIds } from '../../../src/edge/wire/mavlink/known.ts';
import { readCommandAck } from '../../../src/edge/wire/mavlink/read_vehicle.ts';
import type { Payload } from '../../../src/edge/wire/mavlink/write.ts';
import { writeCommandInt, writeCommandLong } from '../../../src/edge/wire/mavlink/write_vehicle.ts';
import type { MavlinkHeartbeat, MavlinkMessage } from '../../../src/edge/wire/message.ts';
import { RESULT } from '../../../src/fleet/mav.ts';
import { CMD } from '../../../src/fleet/verbs.ts';
import type { SimulatedVehicle } from '../../../src/sim/vehicles/simulated_vehicle.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { vehicleOf } from '../../support/sim/simulated_vehicle.ts';

const VEHICLE = { sysid: 1, compid: 1 };
const STILL = { eastMps: 0, northMps: 0 };

/** A simulated vehicle, and a ground station that writes to it. */
class Talk {
  readonly vehicle: SimulatedVehicle;
  readonly #encoder = new MavlinkEncoder({ sysid: 245, compid: 190 });
  readonly #codec = createMavlinkCodec({ datagrams: true });
  #atMs = 1_000_000;

  constructor(told: object) {
    this.vehicle = vehicleOf(told);
    this.pass(1.5);
  }

  pass(seconds: number): MavlinkMessage[] {
    for (let left = seconds; left > 1e-9; left -= 0.05) {
      this.#atMs += 50;
      this.vehicle.step(this.#atMs, 0.05, STILL);
    }
    const heard: MavlinkMessage[] = [];
    for (const frame of this.vehicle.take())
      this.#codec.decode(frame, '', this.#atMs, (message) => heard.push(message));
    return heard;
  }

  send(payload: Payload): MavlinkMessage[] {
    this.vehicle.receive(this.#encoder.encode(payload), this.#atMs);
    return this.pass(0.05);
  }

  /** MAV_RESULT; null where there is no answer. */
  result(payload: Payload): number | null {
    for (const message of this.send(payload)) {
      if (message.kind === 'mavlink' && message.msgid === messageIds.commandAck) {
        const ack = readCommandAck(message.payload);
        if (ack.targetSystem === 245 && ack.targetComponent === 190) return ack.result;
      }
    }
    return null;
  }

  long(command: number, ...params: number[]): number | null {
    return this.result(writeCommandLong(VEHICLE, command, params, 0));
  }

  to(params: number[], altM: number, frame: 0 | 3 = 3): number | null {
    return this.result(writeCommandInt(VEHICLE, CMD.doReposition, params, { latDeg: 52.001, lonDeg: 4, altM, frame }));
  }

  mode(): number {
    const beats = this.pass(1.05).filter((message): message is MavlinkHeartbeat => message.kind === 'heartbeat');
    return beats.at(-1)?.customMode ?? -1;
  }
}

const { accepted, temporarilyRejected, denied, unsupported, failed } = RESULT;

t.test('a copter of ArduPilot answers as a real one was seen to', async (t) => {
  const talk = new Talk({});
  t.equal(talk.long(CMD.navTakeoff, 0, 0, 0, 0, 0, 0, 10), failed, 'not armed');
  t.equal(talk.to([-1, 0], 20), denied, 'not in GUIDED');
  t.equal(talk.long(CMD.doReposition, -1, 1, 0, 0, 52, 4, 20), unsupported, 'as COMMAND_LONG');
  t.equal(talk.long(CMD.doSetMode, 1, 99), failed, 'no such mode');
  t.equal(talk.long(CMD.doSetMode, 0, 4), denied);
  t.equal(talk.long(CMD.doSetMode, 1, 3), failed, 'no mission');
  t.equal(talk.long(CMD.doChangeSpeed, 1, 5), failed, 'not in STABILIZE');
  t.equal(talk.long(CMD.doSetMode, 1, 6), accepted);
  t.equal(talk.long(CMD.componentArmDisarm, 1), failed, 'RTL is not armable');
  t.equal(talk.long(CMD.doSetMode, 1, 4), accepted);
  t.equal(talk.long(CMD.doChangeSpeed, 1, -1), denied);
  t.equal(talk.long(CMD.componentArmDisarm, 1), accepted);
  t.equal(talk.long(CMD.navTakeoff, 0, 0, 0, 0, 0, 0, 10), accepted);
  talk.pass(15);
  t.equal(talk.long(CMD.componentArmDisarm, 0), failed, 'it does not fall');
  t.equal(talk.long(34, 50), unsupported, 'DO_ORBIT');
  t.equal(talk.to([2, 0], 20), accepted);
  t.equal(talk.long(CMD.doSetMode, 1, 17), accepted);
  t.equal(talk.to([2, 0], 20), denied, 'from BRAKE');
  t.equal(talk.to([2, 1], 20), accepted);
  t.equal(talk.mode(), 4);
  t.equal(talk.long(CMD.navLand), accepted);
  t.equal(talk.mode(), 9);
});

t.test('a plane of ArduPilot answers as a real one was seen to', async (t) => {
  const talk = new Talk({ type: 'fixed_wing', start: { east_m: 0, north_m: 0, height_m: 80 } });
  t.equal(talk.long(CMD.navTakeoff, 0, 0, 0, 0, 0, 0, 10), failed);
  t.equal(talk.long(CMD.navLand), unsupported);
  t.equal(talk.to([-1, 0], 90), failed, 'not in GUIDED');
  t.equal(talk.to([-1, 1], 90), accepted);
  t.equal(talk.long(CMD.doChangeSpeed, 0, 15), accepted);
  t.equal(talk.long(CMD.doChangeSpeed, 0, 100), failed);
  t.equal(talk.mode(), 15);
});

t.test('PX4 answers as its source has it', async (t) => {
  const talk = new Talk({ mavlink: { autopilot: 'px4' } });
  t.equal(talk.to([-1, 0], 20), unsupported, 'without the flag');
  t.equal(talk.to([-1, 1], 20), accepted, 'on the ground too');
  t.equal(talk.long(CMD.doSetMode, 1, 4, 4), temporarilyRejected, 'no mission');
  t.equal(talk.long(CMD.navReturnToLaunch), accepted);
  t.equal(talk.long(CMD.componentArmDisarm, 1), temporarilyRejected);
  t.equal(talk.long(CMD.doSetMode, 1, 4, 3), accepted);
  t.equal(talk.long(CMD.componentArmDisarm, 1), accepted);
  talk.pass(11);
  t.equal(talk.vehicle.state().airborne, false);
  t.equal(talk.long(34, 50), unsupported);
});

t.test('it answers what is for it, and nothing else', async (t) => {
  const talk = new Talk({});
  const version = (sysid: number, compid: number): Payload =>
    writeCommandLong({ sysid, compid }, CMD.requestMessage, [messageIds.autopilotVersion], 0);
  for (const [sysid, compid] of [
    [1, 1],
    [0, 0],
    [1, 190],
  ] as const) {
    t.equal(talk.result(version(sysid, compid)), accepted, `${sysid}/${compid}`);
  }
  t.equal(talk.result(version(77, 1)), null);
  t.equal(talk.long(CMD.requestMessage, 259), failed, 'it has no camera');
  t.equal(talk.long(CMD.setMessageInterval, 259, 1e5), denied);
  t.equal(talk.long(CMD.doSetRoiLocation), denied, 'its gimbal obeys who has it in hand');
  t.equal(talk.long(CMD.gimbalManagerConfigure, -2, -2, -1, -1), accepted);
  t.equal(talk.long(CMD.doSetRoiLocation), accepted);
});

t.test('it says what it was asked for as often as it was asked', async (t) => {
  const talk = new Talk({});
  const positions = (seconds: number): number =>
    talk.pass(seconds).filter(({ kind }) => kind === 'global_position').length;
  t.equal(positions(5), 0, 'ArduPilot says nothing unasked');
  t.equal(talk.long(CMD.setMessageInterval, messageIds.globalPositionInt, 100_000), accepted);
  t.equal(positions(10), 100);
  t.equal(talk.long(CMD.setMessageInterval, messageIds.globalPositionInt, -1), accepted);
  t.equal(positions(5), 0);
  const unasked = new Talk({ mavlink: { autopilot: 'px4' } }).pass(10);
  t.equal(unasked.filter(({ kind }) => kind === 'global_position').length, 50, 'PX4 does');
});

t.test('whatever it is sent, it flies on and says where it is', async (t) => {
  const any = fc.oneof(
    fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
    fc
      .record({
        command: fc.oneof(fc.constantFrom(...Object.values(CMD), 17, 193, 300), fc.nat(65_535)),
        params: fc.array(fc.oneof(fc.float(), fc.nat(20)), { minLength: 7, maxLength: 7 }),
        frame: fc.nat(12),
        isInt: fc.boolean(),
      })
      .map(({ command, params, frame, isInt }) => {
        const msgid = isInt ? messageIds.commandInt : messageIds.commandLong;
        const payload = Buffer.alloc(isInt ? 35 : 33);
        params.forEach((value, index) => void payload.writeFloatLE(value, index * 4));
        payload.writeUInt16LE(command, 28);
        payload[32] = frame;
        return new MavlinkEncoder({ sysid: 245, compid: 190 }).encode({ msgid, payload });
      }),
  );
  const anywhere = fc
    .record({
      latDeg: fc.double({ min: 51.9, max: 52.1, noNaN: true }),
      altM: fc.float(),
      radiusM: fc.float(),
      turn: fc.float(),
    })
    .map(({ latDeg, altM, radiusM, turn }) => {
      const there = { latDeg, lonDeg: 4, altM: 60, frame: 3 as const };
      const { msgid, payload } = writeCommandInt(VEHICLE, CMD.doReposition, [-1, 1, 0, 0], there);
      payload.writeFloatLE(radiusM, 8);
      payload.writeFloatLE(turn, 12);
      payload.writeFloatLE(altM, 24);
      return new MavlinkEncoder({ sysid: 245, compid: 190 }).encode({ msgid, payload });
    });
  for (const told of [
    {},
    { mavlink: { autopilot: 'px4' }, start: { east_m: 0, north_m: 0, height_m: 30 } },
    { type: 'fixed_wing', start: { east_m: 0, north_m: 0, height_m: 80 } },
  ]) {
    const property = fc.property(fc.array(fc.oneof(any, anywhere), { maxLength: 12 }), (sent) => {
      const talk = new Talk(told);
      for (const [at, bytes] of sent.entries()) {
        talk.vehicle.receive(bytes, 1_001_500 + at * 1_000);
        talk.pass(1);
      }
      const { eastM, northM, heightM } = talk.vehicle.state();
      return [eastM, northM, heightM].every(Number.isFinite) && heightM >= 0 && talk.pass(1.05).length > 0;
    });
    fc.assert(property, { seed: seedOf(t), numRuns: sized(60) });
  }
});
