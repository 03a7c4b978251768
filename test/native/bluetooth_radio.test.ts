import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { until } from '../support/basics/deadline.ts';
import { takeTime } from '../support/basics/patience.ts';
import {
  BluetoothAdapter,
  type BluetoothProgram,
  errnos,
  noBluetooth,
  startBluetooth,
} from '../support/links/bluetooth_adapter.ts';
import { type ControllerHabits, opcodes } from '../support/links/controller.ts';
import { advertisingData, hciExtended, hciReport } from '../support/links/packets.ts';
import { RadioClient } from '../support/links/radio_client.ts';

takeTime(t, 180);
const needs = { skip: noBluetooth() };
const mac = '60:60:1f:10:01:2d';
const neighbour = '02:00:00:00:00:01';
const phone = Buffer.from('0201061bff4c000215'.padEnd(60, 'a'), 'hex');
const message = advertisingData(7, Buffer.alloc(25, 3));
const pack = advertisingData(8, Buffer.alloc(228, 4));
/** Bytes of link type 201 before each packet: received by the host. */
const received = (packet: Buffer): string => `00000001${packet.toString('hex')}`;

type Radio = BluetoothProgram & { adapter: BluetoothAdapter; controller: BluetoothAdapter['controller'] };

async function start(t: Test, habits: Partial<ControllerHabits> = {}): Promise<Radio> {
  const adapter = await BluetoothAdapter.open(t, habits);
  return { ...(await startBluetooth(t, adapter)), adapter, controller: adapter.controller };
}

const countOf = ({ controller }: Radio, opcode: number) =>
  controller.commands.filter((command) => command.opcode === opcode).length;
const scans = (radio: Radio, times = 1) =>
  until(`it scans for the ${times}. time`, () => countOf(radio, opcodes.extendedEnable) >= times);

async function reader(t: Test, { path }: Radio): Promise<RadioClient> {
  const client = new RadioClient(t, path);
  await client.until(() => client.linkTypes.length > 0);
  return client;
}

/** Two reports of one kind in one event. */
function together(first: Buffer, second: Buffer): Buffer {
  const event = Buffer.concat([first, second.subarray(5)]);
  event[2] = event.length - 3;
  event[4] = 2;
  return event;
}

t.test('the adapter is set down, taken whole and set up, without a capability left', needs, async (t) => {
  const radio = await start(t, { isDead: true });
  const { adapter, controller, child } = radio;
  await until('the first command came', () => controller.commands.length === 1);
  t.same(adapter.calls, ['socket 3 1', 'down 0', 'bind 31 0 1']);
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  for (const set of ['CapPrm', 'CapEff', 'CapAmb']) t.match(status, new RegExp(`^${set}:\\s+0{16}$`, 'm'));
  t.match(status, /^NoNewPrivs:\s+1$/m);

  controller.habits.isDead = false;
  controller.answer(opcodes.reset);
  await scans(radio);
  t.same(
    controller.commands.map(({ opcode, hex }) => `${opcode.toString(16)} ${hex}`),
    [
      ...['c03 ', 'c01 ffffffffff1f0020', '2001 0210000000000000', '2003 '],
      ...['2041 00000500600020000060004000', '2042 010000000000'],
    ],
    'one command after the other, passive, both layers, duplicates kept',
  );
});

t.test('reports of aircraft arrive, and nothing of a neighbour that shares their event', needs, async (t) => {
  const radio = await start(t);
  await scans(radio);
  const client = await reader(t, radio);
  t.same(client.linkTypes, [201]);
  const legacy = hciReport(mac, message);
  const extended = hciExtended(mac, pack.subarray(0, 229));
  const { controller } = radio;
  controller.send(hciReport(neighbour, phone));
  controller.send(together(hciReport(neighbour, phone), legacy));
  controller.send(together(hciExtended(neighbour, phone), hciExtended(mac, message)));
  controller.send(extended);
  controller.send(Buffer.from('02012005000100040041', 'hex'));
  await client.until(() => client.heard === 6);
  t.same(
    client.packets.map((packet) => packet.toString('hex')),
    [legacy, hciExtended(mac, message), extended].map(received),
  );
  t.match(client.counts.at(-1), { received: 6, dropped: 0, comment: { coded: true } });
});

t.test(
  'fragments of an aircraft arrive from the first on, those of neighbours between them never',
  needs,
  async (t) => {
    const radio = await start(t);
    await scans(radio);
    const client = await reader(t, radio);
    // The mark of Remote ID lies across the first two.
    const cuts = [0, 6, 30, pack.length];
    const own = cuts
      .slice(1)
      .map((end, at) => hciExtended(mac, pack.subarray(cuts[at], end), { status: end < pack.length ? 1 : 0 }));
    for (const part of own) {
      radio.controller.send(hciExtended(neighbour, Buffer.concat([phone, phone]), { status: 1 }));
      radio.controller.send(part);
      radio.controller.send(hciExtended(mac, phone, { status: 1, set: 2 }));
    }
    radio.controller.send(hciExtended(neighbour, phone, { status: 0 }));
    radio.controller.send(hciExtended(mac, phone, { status: 2, set: 2 }));
    await client.until(() => client.heard === 11);
    t.same(
      client.packets.map((packet) => packet.toString('hex')),
      own.map(received),
    );
  },
);

t.test('more open sets than there is room for, and endless ones, cost no later aircraft', needs, async (t) => {
  const radio = await start(t);
  await scans(radio);
  const client = await reader(t, radio);
  for (let n = 0; n < 200; n++)
    radio.controller.send(hciExtended(`02:00:00:00:00:${n.toString(16).padStart(2, '0')}`, phone, { status: 1 }));
  for (let n = 0; n < 20; n++) radio.controller.send(hciExtended(neighbour, Buffer.alloc(200, 1), { status: 1 }));
  const own = [hciExtended(mac, pack.subarray(0, 100), { status: 1 }), hciExtended(mac, pack.subarray(100))];
  for (const part of own) radio.controller.send(part);
  await client.until(() => client.heard === 222);
  t.same(
    client.packets.map((packet) => packet.toString('hex')),
    own.map(received),
  );
  const rssKb = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${radio.child.pid}/status`, 'utf8'))?.[1]);
  t.ok(rssKb <= 8_192, `${rssKb} kB`);
});

t.test('a report that lies about its length is told to the daemon without its content', needs, async (t) => {
  const radio = await start(t);
  await scans(radio);
  const client = await reader(t, radio);
  const lie = hciReport(mac, message);
  lie.writeUInt8(200, 13);
  const short = hciReport(mac, message).subarray(0, 30);
  const good = hciReport(mac, message);
  for (const packet of [lie, short, Buffer.from('043e', 'hex'), Buffer.from('04', 'hex'), good])
    radio.controller.send(packet);
  await client.until(() => client.heard === 1);
  const cut = (kind: string) => `00000001043e02${kind}01`;
  t.same(
    client.packets.map((packet) => packet.toString('hex')),
    [cut('02'), cut('0d'), received(good)],
  );
});

t.test('a controller that refuses a layer or extended scanning receives what it can, and says so', needs, async (t) => {
  const withoutCoded = await start(t, { refuses: new Map([[opcodes.extendedParameters, [0x0c]]]) });
  await scans(withoutCoded);
  t.same(
    withoutCoded.controller.commands.slice(4).map(({ hex }) => hex),
    ['00000500600020000060004000', '0000010060006000', '010000000000'],
  );
  const client = await reader(t, withoutCoded);
  await client.until(() => client.counts.some(({ comment }) => comment.coded === false));
  t.match(withoutCoded.errors(), /no long range: the controller of hci0 cannot receive coded advertising/);

  const legacy = await start(t, { refuses: new Map([[opcodes.extendedEnable, [0x01]]]) });
  await until('it scans the old way', () => countOf(legacy, opcodes.scanEnable) === 1);
  t.match(legacy.controller.commands.slice(-2), [
    { opcode: opcodes.scanParameters, hex: '00600060000000' },
    { hex: '0100' },
  ]);

  // A Command Status says that a command is not known.
  const status = await start(t, { silent: new Set([opcodes.extendedParameters]) });
  await until('its answer is due', () => countOf(status, opcodes.extendedParameters) === 1);
  for (let n = 0; n < 2; n++) status.controller.send(Buffer.from('040f0401014120', 'hex'));
  await until('it scans the old way', () => countOf(status, opcodes.scanEnable) === 1);

  const old = await start(t, { features: [] });
  await until('it scans the old way', () => countOf(old, opcodes.scanEnable) === 1);
  t.equal(countOf(old, opcodes.extendedParameters), 0);

  const blunt = await start(t, { features: [], refuses: new Map([[opcodes.scanParameters, [0x0c]]]) });
  t.equal(await blunt.exited, 1);
  t.match(blunt.errors(), /the controller of hci0 refused LE Set Scan Parameters with status 0x0c: it cannot scan/);
});

t.test(
  'a command without an answer is sent again, late answers confuse nothing, and silence ends',
  needs,
  async (t) => {
    const slow = await start(t, { isDead: true });
    await until('Reset is repeated', () => countOf(slow, opcodes.reset) === 2);
    slow.controller.habits.isDead = false;
    slow.controller.answer(opcodes.reset);
    slow.controller.answer(opcodes.reset);
    await scans(slow);
    const client = await reader(t, slow);
    slow.controller.send(hciReport(mac, message));
    await client.until(() => client.packets.length === 1);

    slow.controller.habits.isDead = true;
    t.equal(await slow.exited, 1);
    t.match(slow.errors(), /has not answered LE Read Local Supported Features for 5 s/);
    t.ok(client.isClosed);
  },
);

t.test('after a hardware error, and after its own restart, the controller is set up again', needs, async (t) => {
  const radio = await start(t);
  await scans(radio);
  radio.controller.fault();
  await scans(radio, 2);
  const client = await reader(t, radio);
  radio.controller.send(hciReport(mac, message));
  await client.until(() => client.packets.length === 1);
  t.match(radio.errors(), /the controller of hci0 reports hardware error 0x42, and is set up again/);

  // The next error comes in the middle of a set-up.
  radio.controller.habits.isDead = true;
  radio.controller.fault();
  await until('Reset is sent', () => countOf(radio, opcodes.reset) === 3);
  radio.controller.habits.isDead = false;
  radio.controller.fault();
  await scans(radio, 3);

  radio.controller.habits.isDead = true;
  for (let n = 0; n < 6; n++) radio.controller.fault();
  t.equal(await radio.exited, 1);
  t.match(radio.errors(), /reports hardware error 0x42 at each set-up: use another adapter/);
});

t.test('each refusal of the kernel is a sentence with its remedy', needs, async (t) => {
  const cases: [string, keyof typeof errnos, RegExp][] = [
    ['socket', 'EAFNOSUPPORT', /the kernel has no Bluetooth \(modprobe bluetooth\)/],
    ['down', 'ENODEV', /cannot set hci0 down: there is no such adapter/],
    ['down', 'EPERM', /needs CAP_NET_ADMIN/],
    ['down', 'EBUSY', /in use by bluetoothd/],
    [
      'bind',
      'EBUSY',
      /cannot get exclusive use of hci0: it is in use by bluetoothd: run systemctl disable --now bluetooth/,
    ],
    ['bind', 'EUSERS', /another program uses it/],
    ['bind', 'EPERM', /needs CAP_NET_ADMIN/],
    ['bind', 'ERFKILL', /rfkill unblock bluetooth/],
  ];
  for (const [call, name, sentence] of cases) {
    const adapter = await BluetoothAdapter.open(t);
    adapter.errors.set(call, errnos[name]);
    const program = await startBluetooth(t, adapter);
    t.equal(await program.exited, 1, `${call} ${name}`);
    t.match(program.errors(), sentence);
    t.equal(adapter.controller.commands.length, 0);
  }
});

t.test('an adapter that is pulled out ends the program', needs, async (t) => {
  const radio = await start(t);
  await scans(radio);
  radio.adapter.pull();
  t.equal(await radio.exited, 1);
  t.match(radio.errors(), /hci0 is gone or was set down/);
});
