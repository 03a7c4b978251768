import t from 'tap';
import { takeTime } from '../../support/basics/patience.ts';
import { must } from '../../support/daemon/alerts.ts';
import { until } from '../../support/daemon/daemon.ts';
import { begun, startFlights } from '../../support/daemon/flights.ts';
import { picture } from '../../support/daemon/watch.ts';
import { StreamClient } from '../../support/http/stream_client.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';

takeTime(t, 60);

t.test('an adopted vehicle that was never heard has its row, and one row when it is', async (t) => {
  const rig = await startFlights(t);
  const key = '1581F5FKD2294D000079';
  const { id } = await must<{ id: string }>(rig.daemon, '/api/assets', {
    name: 'Heron',
    spec: { remote_id_serial: key },
  });
  await must(rig.daemon, '/api/assets', { name: 'mast', kind: 'station', spec: {} });
  const never = {
    key,
    asset_id: id,
    name: 'Heron',
    adopted: true,
    connection: 'never',
    readiness: 'unknown',
    verbs: [],
  };
  t.match(await rig.fleet(), [never]);
  const shown = await rig.row(({ asset_id }) => asset_id === id, 'it is there');
  t.equal(shown.last_seen_at, null);
  const stream = await StreamClient.open(t, rig.daemon);
  const published = await until(async () => (await picture(rig.daemon)).fleet[0], 'it is in the picture');
  t.match(published, { key, connection: 'never' });

  await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true, remoteId: key }));
  await rig.row((row) => row.asset_id === id && row.connection === 'online', 'it is received');
  t.equal((await rig.fleet()).length, 1);
  await stream.next(({ event, data }) => event === 'fleet_update' && data.body.connection === 'online');
  t.equal((await picture(rig.daemon)).fleet.length, 1);
  await rig.daemon.request(`/api/assets/${id}`, { method: 'DELETE' });
  await rig.row(({ adopted }) => !adopted, 'it is nobody’s');
});
