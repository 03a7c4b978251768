import t from 'tap';
import type { Region } from '../../src/model/region.ts';
import { takeTime } from '../support/basics/patience.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { tracksOf } from '../support/daemon/watch.ts';

takeTime(t, 60);

t.test(
  'the ground of the region that a track is over makes its height above ground, where nobody tells one',
  async (t) => {
    const daemon = await startDaemon(t);
    const make = async (path: string, body: object): Promise<unknown> => {
      const answer = await daemon.post(path, body);
      if (answer.status !== 200) throw new Error(answer.body.error);
      return answer.body.data;
    };
    await make('/api/sensors', { name: 'tower', modality: 'human' });
    const middle = { type: 'Point', coordinates: [8.7302, 47.1987] };
    await make('/api/regions', { name: 'county', geometry: { ...middle, radius_m: 50_000 }, ground_alt_hae_m: 700 });
    const site = { name: 'site', geometry: { ...middle, radius_m: 2_000 }, ground_alt_hae_m: 480 };
    const { id } = (await make('/api/regions', site)) as Region;

    const heightOf = async (serial: string, place: object): Promise<number | null> => {
      const identity = [{ type: 'serial', value: serial, transport: 'other' }];
      const position = { lat: 47.1987, lon: 8.7302, alt_hae_m: 560, ...place };
      const row = { sensor_id: 'tower', report: 'position', position, sigma: { h_m: 5, v_m: 1 }, identity };
      await make('/api/ingest/obs', { obs: [row] });
      const found = await until(async () => (await tracksOf(daemon, serial))[0]?.position, 'it is a track');
      return found.alt_agl_m;
    };
    t.equal(await heightOf('1581F5FKD22940000001', {}), 80, 'the smaller of two regions knows better');
    t.equal(await heightOf('1581F5FKD22940000002', { alt_agl_m: 33 }), 33, 'what was told goes before');
    t.equal(await heightOf('1581F5FKD22940000003', { lat: 47.3 }), -140, 'of the other region');
    t.equal(await heightOf('1581F5FKD22940000004', { lat: 49 }), null, 'where no region is, nobody knows');
    await daemon.post(`/api/regions/${id}`, { ground_alt_hae_m: 500 });
    t.equal(await heightOf('1581F5FKD22940000005', {}), 60, 'a change holds at once');
  },
);
