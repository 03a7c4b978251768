import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t from 'tap';
import { createCotCodec } from '../../src/edge/wire/cot/codec.ts';
import { readProtobufEvent } from '../../src/edge/wire/cot/read_protobuf.ts';
import { outletSpecSchema } from '../../src/model/outlet.ts';
import { until } from '../support/basics/patience.ts';
import { outletTrack, startRunner } from '../support/outlet/rig.ts';

t.test('an outlet of takproto1 sends each track as protobuf, which another Dunlin knows for an echo', async (t) => {
  const socket = createSocket('udp4');
  const received: Buffer[] = [];
  socket.on('message', (bytes) => void received.push(bytes));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  const options = { format: 'takproto1', presence: false };
  const rig = startRunner(t, { transport: 'udp', address: `127.0.0.1:${socket.address().port}`, options });
  const position = { lat: 47.2, lon: 8.7, alt_hae_m: 650, alt_msl_m: 600, alt_agl_m: 120, height_takeoff_m: null };
  const track = outletTrack(42, { position, velocity: { speed_mps: 12, course_deg: 90, climb_mps: 0 } });
  rig.put(track);
  const bytes = await until(async () => received[0] ?? null, 'the track arrives');
  t.equal(bytes.subarray(0, 3).toString('hex'), 'bf01bf');
  const event = readProtobufEvent(bytes.subarray(3));
  if (event === 'none') throw new Error('there is no event in it');
  t.match(event, { point: { lat: 47.2, lon: 8.7, hae: 650 }, detail: { callsign: 'T-0042', course: 90, speed: 12 } });
  t.ok(event.uid.endsWith(track.id));
  t.match(event.detail.remarks, 'T-0042');
  const codec = createCotCodec({ datagrams: true });
  codec.decode(bytes, 'peer', 0, () => t.fail('an echo was taken'));
  t.equal(codec.rejects.not_allowed, 1);
});

t.test('protobuf is for udp alone, and the refusal says so', async (t) => {
  const spec = { name: 'tak', kind: 'cot', address: '127.0.0.1:8088', options: { format: 'takproto1' } };
  t.ok(outletSpecSchema.safeParse({ ...spec, transport: 'udp' }).success);
  for (const transport of ['tcp_client', 'tcp_server']) {
    const { error } = outletSpecSchema.safeParse({ ...spec, transport });
    t.match(error?.issues, [
      { path: ['options', 'format'], message: 'must be xml: takproto1 needs the transport udp' },
    ]);
  }
});
