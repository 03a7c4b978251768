import t from 'tap';
import { type Answer, Outbox } from '../../src/fleet/outbox.ts';
import { Vehicle } from '../../src/fleet/vehicle.ts';

const COMMAND = 192;
const ACCEPTED = 0;
const heartbeat = {
  ...{ kind: 'heartbeat', sysid: 1, compid: 1, type: 2, autopilot: 12, baseMode: 0, customMode: 0 },
  ...{ systemStatus: 4, signed: false },
} as never;

function bench() {
  const now = { ms: 10_000 };
  const sent: number[] = [];
  const outbox = new Outbox({ nowMs: () => now.ms, transmit: async () => void sent.push(now.ms) });
  const vehicle = new Vehicle(heartbeat, 0);
  const order = (isWanted = () => true) => ({
    command: COMMAND,
    params: [],
    repeat: true,
    expiresMs: 60_000,
    isWanted,
  });
  const ack = () => outbox.receiveAck(vehicle, 1, { command: COMMAND, result: ACCEPTED } as never);
  return { now, sent, outbox, vehicle, order, ack };
}

t.test('the late acknowledgement of a replaced order is not that of the order in its place', async (t) => {
  const { now, sent, outbox, vehicle, order, ack } = bench();
  vehicle.noteAnswer(800);
  let isWanted = true;
  void outbox.send(
    vehicle,
    order(() => isWanted),
  );
  now.ms += 200;
  isWanted = false;
  let answer: Answer | null = null;
  const stopped = outbox.send(vehicle, order()).then((came) => {
    answer = came;
  });
  now.ms += 200;
  ack();
  await Promise.resolve();
  t.equal(answer, null);
  now.ms += 700;
  outbox.tick();
  t.equal(sent.length, 3, 'the order in its place is repeated');
  ack();
  await stopped;
  t.match(answer, { kind: 'accepted' });
});

t.test('a vehicle that rebooted owes no acknowledgement of what was replaced before', async (t) => {
  const { now, outbox, vehicle, order, ack } = bench();
  vehicle.noteAnswer(800);
  let isWanted = true;
  void outbox.send(
    vehicle,
    order(() => isWanted),
  );
  isWanted = false;
  void outbox.send(vehicle, order());
  outbox.drop(vehicle);
  now.ms += 200;
  const third = outbox.send(vehicle, order());
  ack();
  t.match(await third, { kind: 'accepted' });
});

t.test('an order that replaces an answered one takes its first acknowledgement', async (t) => {
  const { now, outbox, vehicle, order, ack } = bench();
  const first = outbox.send(vehicle, order());
  ack();
  t.match(await first, { kind: 'accepted' });
  now.ms += 200;
  const second = outbox.send(vehicle, order());
  now.ms += 200;
  ack();
  t.match(await second, { kind: 'accepted' });
});
