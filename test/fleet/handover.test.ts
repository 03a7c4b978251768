import t, { type Test } from 'tap';
import type { MavlinkGlobalPosition } from '../../src/edge/wire/message.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { Air } from '../support/fleet/air.ts';
import { ArduCopter } from '../support/vehicles/arducopter.ts';
import { CMD } from '../support/vehicles/command.ts';
import { distance, moved, type Point } from '../support/vehicles/flight.ts';
import { Forger } from '../support/vehicles/forger.ts';

onlyInFull(t);

type Rig = { air: Air; copter: ArduCopter; id: string };

async function adopted(t: Test): Promise<Rig> {
  const air = new Air(t);
  const { address } = await air.link();
  const copter = new ArduCopter({ groundStation: address, manual: true, ready: true });
  const id = await air.adopt(copter, 'Heron');
  await air.until(() => air.verb(id, 'takeoff')?.available === true, 20);
  return { air, copter, id };
}

const heardAt = ({ air, id }: Rig): string | undefined => {
  const vehicle = air.rig.fleet.vehicles().find((one) => air.rig.fleet.assetOf(one)?.id === id);
  return vehicle?.endpoints.all()[0]?.from;
};
const isAt = (rig: Rig, { port }: { port: number }): boolean => heardAt(rig)?.endsWith(`:${port}`) === true;

/** Speaks as system 1 four times a second, from a place that may move. */
async function speak(rig: Rig, forger: Forger, seconds: number, place: () => Point, beats = true): Promise<void> {
  for (let turn = 0; turn < seconds * 4; turn++) {
    if (beats && turn % 4 === 0) await forger.beat();
    await forger.position(place(), 700_000 + Math.round(rig.air.nowMs - 1_000_000));
    await rig.air.pass(0.25);
  }
}

const offM = ({ air, id, copter }: Rig): number => {
  const { position } = air.row(id);
  return position ? distance(position, copter.body) : Number.NaN;
};

t.test('a vehicle that reboots is followed to its new port within 3 s, without an alarm', async (t) => {
  const rig = await adopted(t);
  const { air, copter, id } = rig;
  const before = copter.link.port;
  copter.reboot();
  await air.until(() => copter.boots === 2, 5, 'it is up again');
  await air.until(() => copter.link.port !== before && isAt(rig, copter.link), 3, 'it is heard at its new port');
  await air.until(() => air.verb(id, 'takeoff')?.available === true, 6, 'it can be commanded');
  t.ok(offM(rig) < 5);
  t.strictSame(air.rig.told.conflicts, []);
  t.notOk(air.rig.told.notes.includes('fleet.id_conflict'));
});

t.test('a vehicle that starts elsewhere after its reboot is not believed, and shown as a conflict', async (t) => {
  const rig = await adopted(t);
  const { air, copter, id } = rig;
  copter.options.boot = { fixS: 2, positionS: 2 };
  copter.reboot();
  Object.assign(copter.body, moved(copter.body, 9_000, 0));
  await air.until(() => copter.boots === 2, 5, 'it is up again');
  await air.pass(8);
  t.equal(air.row(id).position, null);
  t.equal(air.verb(id, 'takeoff')?.reason, 'id_conflict');
  t.match(air.rig.told.conflicts.at(-1), { name: 'Heron', text: /cannot have flown/ });
});

t.test('while the vehicle speaks nobody else is it, with heartbeats or without', async (t) => {
  for (const beats of [true, false]) {
    const rig = await adopted(t);
    const { air, copter, id } = rig;
    const forger = await Forger.open(t, copter.options.groundStation);
    const commandsBefore = copter.recorder.commands().length;
    let worstM = 0;
    air.watches.push(() => {
      worstM = Math.max(worstM, offM(rig));
    });
    await speak(rig, forger, 4, () => moved(copter.body, 0, 157), beats);
    t.ok(worstM < 5, `${worstM} m`);
    t.ok(isAt(rig, copter.link));
    t.match(air.rig.told.conflicts, [{ name: 'Heron', text: /not accepted/ }]);
    t.equal(air.verb(id, 'goto')?.reason, 'id_conflict');
    t.equal(air.rig.told.notes.filter((kind) => kind === 'fleet.id_conflict').length, 1);
    t.equal(copter.recorder.commands(CMD.reposition).length, 0);
    t.ok(copter.recorder.commands().length - commandsBefore < 20);
    await air.until(() => air.verb(id, 'takeoff')?.available === true, 20, 'it is over');
    await air.until(() => air.rig.told.conflicts.at(-1)?.text === null, 2, 'and its alert');
  }
});

t.test('the place of a silent vehicle is taken after 5 s, by one that goes on where it was alone', async (t) => {
  const rig = await adopted(t);
  const { air, copter } = rig;
  const forger = await Forger.open(t, copter.options.groundStation);
  copter.link.down = true;
  const silentMs = air.nowMs;
  await speak(rig, forger, 8, () => moved(copter.body, 5_000, 0));
  t.ok(isAt(rig, copter.link), 'not by one that is 5 km away');
  t.match(air.rig.told.conflicts, [{ text: /cannot have flown/ }]);
  const next = await Forger.open(t, copter.options.groundStation, { host: '127.0.0.3' });
  await speak(rig, next, 1, () => moved(copter.body, 20, 0));
  t.ok(isAt(rig, next), 'by one that is there');
  t.ok(air.nowMs - silentMs >= 5_000);
});

t.test('a clock that is ahead brings nobody to the place of a silent vehicle sooner', async (t) => {
  const rig = await adopted(t);
  const { copter } = rig;
  const forger = await Forger.open(t, copter.options.groundStation);
  copter.link.down = true;
  await speak(rig, forger, 8, () => moved(copter.body, 600, 0));
  t.ok(isAt(rig, copter.link));
});

t.test('a vehicle that is silent for 4 s keeps its place', async (t) => {
  const rig = await adopted(t);
  const { air, copter } = rig;
  const forger = await Forger.open(t, copter.options.groundStation);
  copter.link.down = true;
  await speak(rig, forger, 4, () => copter.body);
  t.ok(isAt(rig, copter.link));
  copter.link.down = false;
  await air.pass(2);
  t.ok(isAt(rig, copter.link));
});

t.test('an address that has said nowhere where it is takes over nothing from elsewhere', async (t) => {
  const rig = await adopted(t);
  const { air, copter } = rig;
  const forger = await Forger.open(t, copter.options.groundStation);
  copter.link.down = true;
  for (let second = 0; second < 20; second++) {
    await forger.beat();
    await air.pass(1);
  }
  t.ok(isAt(rig, copter.link));
});

t.test(
  'one host that changes its port with each message is a conflict, with an alert and a row of the log',
  async (t) => {
    const rig = await adopted(t);
    const { air, copter, id } = rig;
    const forgers = await Promise.all(Array.from({ length: 60 }, () => Forger.open(t, copter.options.groundStation)));
    for (const [turn, forger] of forgers.entries()) {
      await forger.position(moved(copter.body, 0, 157), 700_000 + 100 * turn);
      await air.pass(0.1);
    }
    t.match(air.rig.told.conflicts, [{ name: 'Heron', text: /127\.0\.0\.2.*not accepted/ }]);
    t.equal(air.rig.told.notes.filter((kind) => kind === 'fleet.id_conflict').length, 1);
    t.equal(air.verb(id, 'goto')?.reason, 'id_conflict');
    t.ok(isAt(rig, copter.link));
  },
);

t.test(
  'heartbeats without a place, sent before the vehicle, hold its address no longer than its first position',
  async (t) => {
    const air = new Air(t);
    const { address } = await air.link();
    const forger = await Forger.open(t, address);
    let dueMs = 0;
    air.watches.push(() => {
      if (air.nowMs < dueMs) return;
      dueMs = air.nowMs + 1_000;
      void forger.beat();
    });
    await air.pass(4);
    const copter = new ArduCopter({ groundStation: address, manual: true, ready: true });
    const id = await air.adopt(copter, 'Heron');
    const rig = { air, copter, id };
    await air.pass(4);
    t.ok(isAt(rig, copter.link), 'the vehicle has its address');
    t.ok(offM(rig) < 5);
    t.match(air.rig.told.conflicts.at(-1), { name: 'Heron', text: /127\.0\.0\.2.*not accepted/ });
    t.equal(air.rig.told.notes.filter((kind) => kind === 'fleet.id_conflict').length, 1);
    await air.pass(6);
    t.ok(isAt(rig, copter.link), 'and keeps it');
  },
);

t.test('a vehicle without a fix after its reboot keeps its address from one that reports a place', async (t) => {
  const rig = await adopted(t);
  const { air, copter } = rig;
  const before = copter.link.port;
  copter.options.boot = { fixS: 30, positionS: 30 };
  copter.reboot();
  await air.until(() => copter.link.port !== before && isAt(rig, copter.link), 5, 'it is heard at its new port');
  const forger = await Forger.open(t, copter.options.groundStation);
  await speak(rig, forger, 4, () => copter.body);
  t.ok(isAt(rig, copter.link));
});

t.test('another port of its host that pretends a reboot in a gap of 1.3 s keeps nothing of the vehicle', async (t) => {
  const rig = await adopted(t);
  const { air, copter } = rig;
  const forger = await Forger.open(t, copter.options.groundStation, { host: '127.0.0.1' });
  const pretend = async (seconds: number, beats: boolean): Promise<void> => {
    for (let turn = 0; turn < seconds * 10; turn++) {
      if (beats) await forger.beat();
      await forger.position(copter.body, 100 * turn);
      await air.pass(0.1);
    }
  };
  copter.link.down = true;
  await pretend(1.3, false);
  t.ok(isAt(rig, copter.link), 'a start without a heartbeat is none');
  copter.link.down = false;
  await air.until(() => air.rig.told.conflicts.at(-1)?.text === null, 15, 'it was a conflict, which is over');

  copter.link.down = true;
  await air.pass(1.1);
  await pretend(0.2, true);
  t.ok(isAt(rig, forger), 'it may be the vehicle after a reboot');
  copter.link.down = false;
  await air.until(() => isAt(rig, copter.link), 0.5, 'the vehicle goes on where it was heard');
  await air.pass(1);
  t.ok(offM(rig) < 5);
  t.match(air.rig.told.conflicts.at(-1), { name: 'Heron', text: new RegExp(`127\\.0\\.0\\.1:${forger.port}`) });
  t.equal(air.rig.told.notes.filter((kind) => kind === 'fleet.id_conflict').length, 1);

  copter.link.down = true;
  await air.pass(1.1);
  await pretend(0.3, true);
  t.ok(isAt(rig, copter.link), 'nor does it take it once more');
});

t.test('late words of before a reboot do not bring the former port back', async (t) => {
  const rig = await adopted(t);
  const { air, copter } = rig;
  const before = copter.link.port;
  const sinceMs = air.nowMs - 1_000 * copter.bootS;
  const member = air.rig.fleet.vehicles()[0];
  const from = heardAt(rig) ?? '';
  copter.reboot();
  const rebootMs = air.nowMs;
  await air.until(() => copter.link.port !== before && isAt(rig, copter.link), 5, 'it is heard at its new port');
  const late: MavlinkGlobalPosition = {
    ...{ kind: 'global_position', sysid: 1, compid: 1, seq: 0, signed: false, timeBootMs: rebootMs - sinceMs - 50 },
    ...{ latDeg: copter.body.lat, lonDeg: copter.body.lon, altMslM: 604, relativeAltM: 0 },
    ...{ vNorthMps: 0, vEastMps: 0, vDownMps: 0, headingDeg: 0 },
  };
  air.rig.fleet.take('air', late, from, air.nowMs);
  t.ok(isAt(rig, copter.link));
  t.equal(air.rig.fleet.vehicles()[0], member);
});
