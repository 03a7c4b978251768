import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import t, { type Test } from 'tap';
import { createAsterixCodec } from '../../src/edge/wire/asterix/codec.ts';
import type { AsterixMessage, SystemTrack } from '../../src/edge/wire/asterix/message.ts';
import { outletSpecSchema } from '../../src/model/outlet.ts';
import type { OutletMessage } from '../../src/model/outlet_view.ts';
import type { Track } from '../../src/model/track.ts';
import { asterixEncoder } from '../../src/outlet/asterix.ts';
import { type OutletPicture, viewOf } from '../../src/outlet/views.ts';
import { until } from '../support/basics/patience.ts';
import { emptyPicture } from '../support/outlet/pictures.ts';
import { outletTrack, startRunner } from '../support/outlet/rig.ts';

const options = { sac: 204, sic: 50 };

/** Messages that the decoder of links reads in datagrams or in a stream; it may refuse none but marked targets. */
function reader(datagrams: boolean) {
  const codec = createAsterixCodec({ datagrams });
  const messages: AsterixMessage[] = [];
  return {
    messages,
    rejects: codec.rejects,
    take: (bytes: Uint8Array) => codec.decode(bytes, 'peer', 0, (message) => void messages.push(message)),
  };
}
const tracksOf = (messages: readonly AsterixMessage[]): SystemTrack[] =>
  messages.flatMap((one) => (one.kind === 'system_track' ? [one] : []));

/** A display that takes datagrams. */
async function display(t: Test) {
  const socket = createSocket('udp4');
  const read = reader(true);
  const sizes: number[] = [];
  socket.on('message', (bytes) => {
    sizes.push(bytes.length);
    read.take(bytes);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return { ...read, sizes, spec: { ...udp, address: `127.0.0.1:${socket.address().port}` } };
}
const udp = { kind: 'asterix', transport: 'udp', options };

/** What an encoder says of one track. */
function encoded(
  track: Track,
  redact: readonly 'identity'[] = [],
  picture: Partial<OutletPicture> = {},
): SystemTrack | undefined {
  const read = reader(true);
  const view = viewOf(track, redact, { ...emptyPicture, ...picture });
  for (const { bytes } of asterixEncoder(options).track(view, 0)) read.take(bytes);
  return tracksOf(read.messages)[0];
}

t.test('a display gets the status of the system each second, tracks, and the end of each', async (t) => {
  const { spec, messages, rejects } = await display(t);
  const rig = startRunner(t, spec);
  const services = () => messages.filter(({ kind }) => kind === 'service');
  await until(async () => {
    rig.runner.everySecond();
    return services().length >= 2;
  }, 'two states');
  t.match(services()[0], { category: 65, source: '204/50', trouble: null });
  const track = outletTrack(42, { velocity: { speed_mps: 12, course_deg: 90, climb_mps: -2 } });
  rig.put(track);
  await until(async () => tracksOf(messages).length > 0, 'the track');
  const secondOfDay = (Date.parse(track.updated_at) / 1_000) % 86_400;
  const [first] = tracksOf(messages);
  t.match(first, { track: 42, callsign: 'T0042', isConfirmed: true, isCoasting: false, isLast: false, icao24: null });
  t.ok(Math.abs((first?.timeOfDayS ?? 0) - secondOfDay) <= 1 / 256, 'the time is that of the state');
  t.ok(Math.abs((first?.latDeg ?? 0) - 47.2) < 3e-6 && Math.abs((first?.lonDeg ?? 0) - 8.7) < 3e-6);
  t.match([first?.eastMps, first?.northMps], [12, 0]);
  t.ok(Math.abs((first?.climbMps ?? 0) + 2) < 0.016 && Math.abs((first?.altHaeM ?? 0) - 600) < 1);
  rig.end(track.id);
  await until(async () => tracksOf(messages).some(({ isLast }) => isLast), 'the end');
  t.match(tracksOf(messages).at(-1), { track: 42, isLast: true });
  t.ok(Object.values(rejects).every((count) => count === 0));
});

t.test('tracks that leave together share blocks of at most 1 400 bytes', async (t) => {
  const { spec, messages, sizes } = await display(t);
  const rig = startRunner(t, { ...spec, pace: { max_msgs_per_s: 10_000 } });
  const all = Array.from({ length: 200 }, (_, index) => outletTrack(index + 1));
  for (const track of all) rig.tracks.set(track.id, track);
  rig.runner.mark(new Map(all.map(({ id }) => [id, true])));
  await until(async () => new Set(tracksOf(messages).map(({ track }) => track)).size === all.length, 'each track');
  t.ok(Math.max(...sizes) <= 1_400, `${Math.max(...sizes)} bytes`);
  t.ok(sizes.length < all.length / 4, `${sizes.length} datagrams`);
});

t.test(
  'a client of a tcp_server gets the stream, and a server that a tcp_client connects to gets it too',
  async (t) => {
    const read = reader(false);
    const rig = startRunner(t, { ...udp, transport: 'tcp_server', address: '127.0.0.1:0' });
    rig.put(outletTrack(7));
    await until(async () => rig.runner.status().state === 'open', 'it listens');
    const port = Number(rig.runner.status().boundTo?.split(':').at(-1));
    const client = connect(port, '127.0.0.1').on('data', read.take);
    t.teardown(() => client.destroy());
    await until(async () => tracksOf(read.messages).some(({ track }) => track === 7), 'a track at the client');

    const other = reader(false);
    const server = createServer((socket) => void socket.on('data', other.take).on('error', () => {}));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => server.close());
    const { port: at } = server.address() as { port: number };
    const second = startRunner(t, { ...udp, transport: 'tcp_client', address: `127.0.0.1:${at}` });
    second.put(outletTrack(8));
    await until(async () => tracksOf(other.messages).some(({ track }) => track === 8), 'a track at the server');
    t.ok([read, other].every(({ rejects }) => Object.values(rejects).every((count) => count === 0)));
  },
);

t.test('state, doubt and accuracy of a track are said, and what is unknown is left out', async (t) => {
  const ellipse = { major_m: 8, minor_m: 2, orientation_deg: 90 };
  const known = encoded(outletTrack(1, { uncertainty: { h_m: 8, v_m: 5, ellipse, sigma: 1 }, state: 'coasting' }));
  t.match(known, { isCoasting: true, sigmaXM: 8, sigmaYM: 2 }, 'the long axis of the ellipse lies to the east');
  t.match(encoded(outletTrack(1, { state: 'tentative' })), { isConfirmed: false });
  const place = { lat: 47.2, lon: 8.7, alt_hae_m: null, alt_msl_m: null, alt_agl_m: null, height_takeoff_m: null };
  const bare = encoded(outletTrack(1, { position: place, velocity: null, uncertainty: null }));
  t.match(bare, { altHaeM: null, eastMps: null, climbMps: null, sigmaXM: null, sigmaVM: null });
  const hovering = encoded(outletTrack(1, { velocity: { speed_mps: 0.1, course_deg: null, climb_mps: null } }));
  t.match(hovering, { eastMps: 0, northMps: 0, climbMps: null }, 'an aircraft without a course stands still');
});

t.test(
  'a track that other systems alone report is coasting, so that two boxes keep none of each other alive',
  async (t) => {
    const atS = (s: number): string => new Date(Date.UTC(2026, 2, 4, 12, 0, s)).toISOString();
    const contributor = (sensor_id: string, s: number) => ({ sensor_id, last_at: atS(s), hits: 9, rssi_dbm: null });
    const reportedBy = (...contributors: Track['contributors']) =>
      encoded(outletTrack(1, { contributors, updated_at: atS(30) }), [], {
        sensor: (id) => ({ name: id, modality: id === 'tak' ? 'external' : 'radar' }),
      })?.isCoasting;
    t.equal(reportedBy(contributor('tak', 30)), true);
    t.equal(reportedBy(contributor('tak', 30), contributor('mast', 10)), true, 'the own radar lost it');
    t.equal(reportedBy(contributor('tak', 30), contributor('mast', 21)), false);
    t.equal(reportedBy(contributor('mast', 10)), false, 'without another system its state says so');
  },
);

t.test('a callsign is sent unless the identity is redacted', async (t) => {
  const seen = { first_seen_at: '2026-03-04T12:00:00.000Z', last_seen_at: '2026-03-04T12:00:00.000Z' };
  const track = outletTrack(1, { identities: [{ type: 'callsign', value: 'rega-7', transport: 'network', ...seen }] });
  t.match(encoded(track), { callsign: 'REGA7' });
  t.match(encoded(track, ['identity']), { callsign: 'T0001' });
});

t.test('no two tracks share a number, and a track keeps its own while 4 094 others come', async (t) => {
  const encoder = asterixEncoder(options);
  const read = reader(true);
  const numberOf = (messages: readonly OutletMessage[]): number | undefined => {
    for (const { bytes } of messages) read.take(bytes);
    return tracksOf(read.messages.splice(0))[0]?.track;
  };
  const numberOfTrack = (number: number) => numberOf(encoder.track(viewOf(outletTrack(number), [], emptyPicture), 0));
  t.equal(numberOfTrack(42), 42);
  t.equal(numberOfTrack(42 + 4_096), 43, 'the same 12 bits take the next number that is free');
  const seen = new Set<number | undefined>();
  for (let number = 10_000; number < 14_000; number++) seen.add(numberOfTrack(number));
  t.equal(seen.size, 4_000);
  t.notOk(seen.has(42) || seen.has(43));
  for (let number = 20_000; number < 20_400; number++) {
    const own = numberOfTrack(number) ?? 0;
    if (own < 1 || own > 4_094 || own === 42) t.fail(`${own} is another's number`);
    if (numberOfTrack(42) !== 42) t.fail('a track that is sent keeps its number');
  }
  const end = encoder.end(viewOf(outletTrack(42), [], emptyPicture), [], 0);
  t.equal(numberOf(end), 42, 'the end has the number of its track');
});

t.test('the test item is marked as simulated and stands at the box, where its place is known', async (t) => {
  const { spec, rejects, messages } = await display(t);
  const place = { lat: 47.1, lon: 8.6, altHaeM: null };
  const rig = startRunner(t, spec, { place: () => place });
  await until(async () => rig.runner.status().state === 'open', 'it is open');
  t.equal(await rig.runner.test(), 1);
  await until(async () => rejects.not_allowed === 1, 'the marked track');
  t.same(tracksOf(messages), []);
});

t.test('an outlet of ASTERIX needs sac and sic, and goes over udp or TCP', async (t) => {
  const given = { name: 'atc', ...udp, address: '239.1.2.3:8600' };
  t.ok(outletSpecSchema.safeParse(given).success);
  const faultOf = (changes: object) => outletSpecSchema.safeParse({ ...given, ...changes }).error?.issues[0];
  t.match(faultOf({ options: { sac: 1 } }), { path: ['options', 'sic'] });
  t.match(faultOf({ options: { ...options, sac: 256 } }), { path: ['options', 'sac'] });
  t.match(faultOf({ options: { ...options, key: 1 } }), {
    code: 'unrecognized_keys',
    path: ['options'],
    keys: ['key'],
  });
  t.match(faultOf({ transport: 'tls_client' }), { message: /must be udp or tcp_client or tcp_server/ });
});
