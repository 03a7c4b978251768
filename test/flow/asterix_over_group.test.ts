import t from 'tap';
import type { Outlet } from '../../src/model/outlet.ts';
import type { Picture } from '../../src/model/picture.ts';
import { takeTime } from '../support/basics/patience.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { linkOf, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { paced } from '../support/links/senders.ts';

takeTime(t, 120);

const site = { lat: 47.4, lon: 8.5 };
const serial = '1581F0000000000001A';
const pilot = { lat: 47.3961, lon: 8.4888, type: 'live_gnss', operator_id: 'FIN87astrdge12k8' };
const group = '239.77.5.1';

const link = `name=atc,transport=udp,address=${group}:0,protocol=asterix`;
const outletTo = async (daemon: Daemon): Promise<string> => {
  const address = `${group}:${await daemon.port('atc')}`;
  return `name=atc,kind=asterix,transport=udp,address=${address},options.sac=204,options.sic=50,pace.track_s=0.5`;
};

/** Reports an aircraft that flies east, each 500 ms. Returns its last place. */
async function fly(daemon: Daemon, reports: number): Promise<{ lat: number; lon: number }> {
  await daemon.post('/api/sensors', { name: 'mast', modality: 'remote_id', placement: { ...site, alt_hae_m: 450 } });
  let last = site;
  await paced(reports, 500, async (turn) => {
    last = placeAt(site, 90, 5 * turn);
    const row = { sensor_id: 'mast', report: 'position', position: { ...last, alt_hae_m: 600 }, operator: pilot };
    const identity = [{ type: 'serial', value: serial, transport: 'bt5' }];
    await daemon.post('/api/ingest/obs', { obs: [{ ...row, identity }] });
  });
  return last;
}

t.test('a track of one box is a track of another, over a multicast group of ASTERIX', async (t) => {
  const far = await startDaemon(t, { args: ['--link', link] });
  const near = await startDaemon(t, { args: ['--link', link, '--outlet', await outletTo(far)] });
  await until(async () => (await sensorOf(far, 'atc 204/50')).state === 'operational', 'its status is a sign of life');
  const last = await fly(near, 8);
  const own = await trackOf(near, serial, ({ state }) => state === 'confirmed');
  const number = Number(own.number.slice(2));
  const track = await trackOf(
    far,
    `204/50#${number}`,
    ({ state, position }) => state === 'confirmed' && position !== null && metresBetween(position, last) < 30,
  );
  t.match(track, { cooperative: 'coop_only', operator: null, affiliation: 'unknown' });
  t.same(track.identities.map(({ type, value }) => `${type} ${value}`).sort(), [
    `callsign ${own.number.replace('-', '')}`,
    `external 204/50#${number}`,
  ]);
  t.ok(Math.abs((track.position?.alt_hae_m ?? 0) - 600) < 10);
  const { rejects } = await linkOf(far, 'atc');
  t.same(rejects.malformed + rejects.length + rejects.unknown_type + rejects.not_allowed, 0);
  const outlet = await until(async () => {
    const { outlets } = await near.get<Picture>('/api/picture');
    return outlets.find(({ tracks }) => tracks === 1) ?? null;
  }, 'the picture counts it');
  t.match(outlet, { state: 'open', last_error: null });
});

t.test('two boxes that send each other their tracks have one track of one aircraft', async (t) => {
  const far = await startDaemon(t, { args: ['--link', link] });
  const near = await startDaemon(t, { args: ['--link', link, '--outlet', await outletTo(far)] });
  const owner = await firstOwner(t, far);
  const address = `${group}:${await near.port('atc')}`;
  const back = { name: 'atc', kind: 'asterix', transport: 'udp', address, options: { sac: 204, sic: 51 } };
  await owner.get('POST', '/v1/outlets', { ...back, pace: { track_s: 0.5 } });
  await fly(near, 16);
  await until(async () => (await owner.get<Outlet[]>('GET', '/v1/outlets'))[0]?.tracks === 1, 'it is sent back');
  await until(async () => (await linkOf(near, 'atc')).rx_msgs > 10, 'it arrives');
  const { tracks } = await near.get<Picture>('/api/picture');
  t.equal(tracks.length, 1);
  t.notOk(
    tracks[0]?.identities.some(({ type }) => type === 'external'),
    'and is no observation here',
  );
});
