import t from 'tap';
import type { Alert } from '../../../src/model/alert.ts';
import type { LogEvent } from '../../../src/model/event.ts';
import { takeTime } from '../../support/basics/patience.ts';
import { until } from '../../support/daemon/daemon.ts';
import { begun, startFlights } from '../../support/daemon/flights.ts';
import { picture } from '../../support/daemon/watch.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';
import { moved } from '../../support/vehicles/flight.ts';

takeTime(t, 60);

t.test('another system with the hardware id of a vehicle is a track of its own, and no friend', async (t) => {
  const rig = await startFlights(t);
  const { groundStation } = rig;
  const copter = await begun(t, new ArduCopter({ groundStation, ready: true }));
  const id = await rig.adopt(copter, 'Heron');
  const friend = await until(
    async () => (await picture(rig.daemon)).tracks.find((one) => one.asset_id === id && one.state === 'confirmed'),
    'its track is ours',
  );
  const at = moved(copter.body, 0, 600);
  const clone = await begun(t, new ArduCopter({ groundStation, ready: true, sysid: 9, uid2: copter.uid2, at }));
  const stranger = await until(async () => {
    const { tracks } = await picture(rig.daemon);
    return tracks.find((one) => one.id !== friend.id && one.state === 'confirmed');
  }, 'it has a track');
  t.match(stranger, { asset_id: null, affiliation: 'unknown' });
  const contested = await until(async () => {
    const alerts = await rig.daemon.get<Alert[]>('/api/alerts');
    return alerts.find(({ rule_id }) => rule_id === 'id_conflict');
  }, 'its alert');
  t.match(contested, { subject: { type: 'asset', id }, text: /system id 9.*127\.0\.0\.1:\d+.*hardware id/ });
  const rows = await rig.daemon.get<LogEvent[]>('/api/events?kind=fleet.id_conflict');
  t.match(rows, [{ severity: 'warning', subject: { type: 'asset', id, label: 'Heron' } }]);
  t.match(await rig.row(({ sysid }) => sysid === clone.sysid, 'it has a row'), { asset_id: null, adopted: false });
  const now = (await picture(rig.daemon)).tracks.find((one) => one.id === friend.id);
  t.match(now, { asset_id: id, affiliation: 'friend' });
});
