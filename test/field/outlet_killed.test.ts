import t, { type Test } from 'tap';
import { until } from '../support/basics/patience.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { endBy } from '../support/daemon/daemon_process.ts';
import { allRows, fieldBox } from '../support/daemon/field_box.ts';
import { takDatagrams } from '../support/outlet/tak.ts';

const sensors = '\nsensors:\n  - {name: mast, modality: remote_id, placement: {lat: 47.4, lon: 8.5, alt_hae_m: 450}}\n';

async function fly(daemon: Daemon): Promise<void> {
  for (const lat of [47.4, 47.4001]) {
    const position = { lat, lon: 8.5, alt_hae_m: 600 };
    const identity = [{ type: 'serial', value: '1581F0000000000001A', transport: 'bt5' }];
    await daemon.post('/api/ingest/obs', { obs: [{ sensor_id: 'mast', report: 'position', position, identity }] });
  }
}

t.test('after kill -9 the outlet of the file sends the track again under the same uid', async (t: Test) => {
  const { port, events } = await takDatagrams(t);
  const outlet = `outlets:\n  - {name: tak, kind: cot, transport: udp, address: '127.0.0.1:${port}'}\n`;
  const box = fieldBox(t, outlet + sensors);
  const first = await box.spawn();
  await fly(first);
  const before = await events.find(({ type }) => type === 'a-u-A-M-H-Q');
  // The history is written once a second; the track is restored from it.
  await until(async () => (await allRows(first, '/api/sightings')).length > 0, 'the track is in the history');
  await endBy(first, 'SIGKILL');
  const count = events.all.length;
  const second = await box.start();
  await fly(second);
  const after = await events.find(({ type }) => type === 'a-u-A-M-H-Q', count);
  t.equal(after.uid, before.uid);
  await second.end();
});
