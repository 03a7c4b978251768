import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { until } from '../support/basics/patience.ts';
import { type Gdl90Message, readGdl90 } from '../support/outlet/gdl90.ts';
import { outletTrack, startRunner } from '../support/outlet/rig.ts';

/** A display that takes every datagram as one message, and its messages as they came. */
async function display(t: Test): Promise<{ port: number; messages: Gdl90Message[] }> {
  const socket = createSocket('udp4');
  const messages: Gdl90Message[] = [];
  socket.on('message', (bytes) => void messages.push(readGdl90(bytes)));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return { port: socket.address().port, messages };
}
const trafficOf = (messages: readonly Gdl90Message[]) => messages.flatMap((one) => (one.message === 20 ? [one] : []));

t.test('a display gets a heartbeat without tracks, and each aircraft with what is known of it', async (t) => {
  const { port, messages } = await display(t);
  const given = { kind: 'gdl90', transport: 'udp', address: `127.0.0.1:${port}`, options: { qnh_hpa: 1_013.25 } };
  const rig = startRunner(t, given);
  await until(async () => {
    rig.runner.everySecond();
    return messages.some(({ message }) => message === 0);
  }, 'a heartbeat');
  const place = { lat: 47.2, lon: 8.7, alt_hae_m: 650, alt_msl_m: 600, alt_agl_m: 120, height_takeoff_m: null };
  const velocity = { speed_mps: 12, course_deg: 90, climb_mps: -2 };
  rig.put(outletTrack(42, { position: place, velocity }));
  rig.put(outletTrack(43, { position: { ...place, alt_msl_m: null }, velocity: null, state: 'coasting' }));
  await until(async () => trafficOf(messages).length >= 2, 'both aircraft');
  const [first, second] = ['T0042', 'T0043'].map((name) =>
    trafficOf(messages).find(({ callsign }) => callsign === name),
  );
  t.match(first, { addressType: 1, address: /^F0/, altFt: 1_975, speedKt: 23, climbFpm: -384, misc: 9, category: 14 });
  t.match(second, { altFt: null, speedKt: null, climbFpm: null, misc: 12 }, 'what is unknown is said to be unknown');
  t.not(first?.address, second?.address);
});

t.test('two tracks never share an address, and a track keeps its own', async (t) => {
  const { port, messages } = await display(t);
  const pace = { track_s: 0.1, max_msgs_per_s: 10_000 };
  const rig = startRunner(t, { kind: 'gdl90', transport: 'udp', address: `127.0.0.1:${port}`, pace });
  await until(async () => rig.runner.status().state === 'open', 'it is open');
  const addresses = new Map<string, Set<string>>();
  const all = Array.from({ length: 600 }, (_, index) => outletTrack(index + 1));
  await until(async () => {
    for (const track of all) if (!addresses.has(track.number.replace('-', ''))) rig.put(track);
    for (const { callsign, address } of trafficOf(messages.splice(0)))
      addresses.set(callsign, (addresses.get(callsign) ?? new Set()).add(address));
    return addresses.size === all.length;
  }, 'each track');
  const each = [...addresses.values()];
  t.ok(
    each.every((own) => own.size === 1),
    'one address a track',
  );
  t.equal(new Set(each.flatMap((own) => [...own])).size, all.length, 'one track an address');
});

t.test('a test of the outlet is a heartbeat, and an aircraft at the box where its place is known', async (t) => {
  const { port, messages } = await display(t);
  const given = { kind: 'gdl90', transport: 'udp', address: `127.0.0.1:${port}` };
  const rig = startRunner(t, given, { place: () => ({ lat: 47.1, lon: 8.6, altHaeM: null }) });
  await until(async () => rig.runner.status().state === 'open', 'it is open');
  t.equal(await rig.runner.test(), 1);
  await until(async () => trafficOf(messages).length > 0, 'the aircraft at the box');
  t.match(trafficOf(messages)[0], { callsign: 'DUNLIN', category: 0, altFt: null });
});

t.test('a test item without a position of the box is refused with the remedy', async (t) => {
  const { port } = await display(t);
  const kinds = [
    { kind: 'gdl90', options: {} },
    { kind: 'asterix', options: { sac: 1, sic: 1 } },
  ];
  for (const given of kinds) {
    const rig = startRunner(t, { ...given, transport: 'udp', address: `127.0.0.1:${port}` });
    await t.rejects(rig.runner.test(), {
      message: /the position of this box is unknown.*a link with the protocol nmea/,
    });
  }
});
