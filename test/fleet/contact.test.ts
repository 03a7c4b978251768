import t from 'tap';
import type { MavlinkHeartbeat } from '../../src/edge/wire/message.ts';
import { Contact } from '../../src/fleet/contact.ts';
import { Vehicle } from '../../src/fleet/vehicle.ts';

const heartbeat: MavlinkHeartbeat = {
  ...{ kind: 'heartbeat', sysid: 7, compid: 1, seq: 0, signed: false, type: 2, autopilot: 3, baseMode: 217 },
  ...{ customMode: 4, systemStatus: 4, mavlinkVersion: 3 },
};
const REQUEST_MESSAGE = 512;
const SET_MESSAGE_INTERVAL = 511;
const LOOK_EVERY_MS = 200;
const ACCEPTED = 0;
const ack = { command: 0, result: ACCEPTED, progressPct: null, targetSystem: 0, targetComponent: 0 };

/** When it was asked, looked at several times a second; `answers` says whether a request is acknowledged at once. */
function asked(vehicle: Vehicle, contact: Contact, untilMs: number, answers: (nowMs: number) => boolean): number[] {
  const times: number[] = [];
  for (let nowMs = 0; nowMs < untilMs; nowMs += LOOK_EVERY_MS) {
    if (contact.due(vehicle, nowMs) === null) continue;
    times.push(nowMs);
    if (!answers(nowMs)) continue;
    for (const command of [REQUEST_MESSAGE, SET_MESSAGE_INTERVAL]) contact.receiveAck({ ...ack, command }, nowMs);
  }
  return times;
}

t.test('who answers nothing is asked ever more seldom, and never given up', async (t) => {
  const times = asked(new Vehicle(heartbeat, 0), new Contact(), 600_000, () => false);
  t.ok(times.filter((ms) => ms < 2_000).length >= 4, 'at first without delay');
  t.ok(
    times.filter((ms) => ms < 60_000).length <= 14,
    `in its first minute: ${times.filter((ms) => ms < 60_000).length}`,
  );
  const gaps = times.slice(1).map((ms, i) => ms - (times[i] ?? 0));
  t.ok(
    gaps.every((gap, i) => i === 0 || gap >= (gaps[i - 1] ?? 0)),
    'no gap is shorter than the one before',
  );
  t.ok((gaps.at(-1) ?? 0) <= 16_000, `the longest: ${gaps.at(-1)} ms`);
  t.ok((times.at(-1) ?? 0) > 580_000, 'to the end');
});

t.test('who answers is asked for everything within seconds, also where half of the answers are lost', async (t) => {
  const prompt = asked(new Vehicle(heartbeat, 0), new Contact(), 4_000, () => true);
  t.ok(prompt.length >= 8, `${prompt.length} requests`);
  let turn = 0;
  const lossy = asked(new Vehicle(heartbeat, 0), new Contact(), 10_000, () => turn++ % 2 === 0);
  t.ok(lossy.length >= 16, `${lossy.length} requests, half of them in vain`);
});

t.test('one answer after a long silence, or a reboot, and it is asked without delay again', async (t) => {
  const [vehicle, contact] = [new Vehicle(heartbeat, 0), new Contact()];
  asked(vehicle, contact, 120_000, () => false);
  contact.again(vehicle);
  const anew = asked(vehicle, contact, 2_000, () => false);
  t.ok(anew.length >= 4, `${anew.length} after a reboot`);
  const late = new Contact();
  const times = asked(vehicle, late, 120_000, (nowMs) => nowMs > 60_000);
  const after = times.filter((ms) => ms > 60_000);
  const first = after[0] ?? 0;
  t.ok(after.filter((ms) => ms <= first + 3_000).length >= 6, 'everything that was left');
});

t.test('who obeys without a word is asked for each thing again, however seldom', async (t) => {
  const [vehicle, contact] = [new Vehicle(heartbeat, 0), new Contact()];
  const last = new Map<number, number>();
  for (let nowMs = 0; nowMs < 1_200_000; nowMs += LOOK_EVERY_MS) {
    const payload = contact.due(vehicle, nowMs);
    if (payload === null) continue;
    // The message that it is about: the first of seven floats.
    const msgid = payload.payload.readFloatLE(0);
    last.set(msgid, nowMs);
  }
  t.ok(last.size >= 8, `${last.size} things`);
  for (const [msgid, nowMs] of last) t.ok(nowMs > 1_200_000 - 240_000, `${msgid} was asked for at ${nowMs} ms`);
});

t.test('a message that a vehicle does not have is asked for three times, then once an hour', async (t) => {
  const AVAILABLE_MODES = 435;
  for (const result of [ACCEPTED, 4, 3]) {
    const [vehicle, contact] = [new Vehicle(heartbeat, 0), new Contact()];
    const times: number[] = [];
    for (let nowMs = 0; nowMs < 3 * 3_600_000; nowMs += LOOK_EVERY_MS) {
      // It sends everything else.
      for (const msgid of [1, 2, 24, 33, 193, 245]) vehicle.receivedAtMs.set(msgid, nowMs);
      const payload = contact.due(vehicle, nowMs);
      if (payload === null) continue;
      const command = payload.payload.readUInt16LE(28);
      if (payload.payload.readFloatLE(0) === AVAILABLE_MODES) times.push(nowMs);
      contact.receiveAck({ ...ack, command, result }, nowMs + 3);
    }
    t.equal(times.filter((ms) => ms < 60_000).length, 3, `result ${result}: asked ${times.length} times`);
    t.equal(times.length, 5);
    t.ok(times.slice(3).every((ms, i) => ms - (times[i + 2] ?? 0) >= 3_600_000));
  }
});

t.test('a reboot forgets the take-off point and the energy, which are asked for again', async (t) => {
  const vehicle = new Vehicle(heartbeat, 0);
  vehicle.home = { latDeg: 48, lonDeg: 16, altMslM: 180 };
  vehicle.energyPct = { value: 100, atMs: 0 };
  vehicle.reboot();
  t.match({ home: vehicle.home, energyPct: vehicle.energyPct }, { home: null, energyPct: null });
});
