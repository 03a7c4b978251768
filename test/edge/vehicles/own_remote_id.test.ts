import t from 'tap';
import { numberOf } from '../../support/vehicles/messages.ts';
import { copterRig } from './rig.ts';

const text = (value: unknown) =>
  Buffer.from(value as number[])
    .toString('ascii')
    .replaceAll('\0', '');

t.test('a vehicle tells where it is every second, and who it is when it knows', async (t) => {
  const { station, copter } = await copterRig(t, { remoteId: '1581F5FKD22940012345' });
  copter.tick(10);
  await station.settle();
  t.ok(Math.abs(station.named('OPEN_DRONE_ID_LOCATION').length - 10) <= 1);
  t.ok(Math.abs(station.named('OPEN_DRONE_ID_SYSTEM_UPDATE').length - 10) <= 1);
  const basic = station.named('OPEN_DRONE_ID_BASIC_ID');
  t.ok(basic.length >= 2 && basic.length <= 4);
  t.equal(text(basic[0]?.fields.uas_id), '1581F5FKD22940012345');
  t.ok(station.named('OPEN_DRONE_ID_LOCATION').every(({ compid, fields }) => compid === 1 && fields.status === 1));
  t.ok(station.named('STATUSTEXT').some(({ fields }) => fields.text === 'ODID: lost transmitter'));
});

t.test('without a serial it sends zeros until a station gives it one', async (t) => {
  const { station, copter } = await copterRig(t, { remoteId: '' });
  copter.tick(4);
  await station.settle();
  t.equal(numberOf(station.named('OPEN_DRONE_ID_BASIC_ID')[0]?.fields ?? {}, 'id_type'), 0);
  await station.tell(copter, 'OPEN_DRONE_ID_BASIC_ID', {
    target_system: 1,
    target_component: 1,
    id_type: 1,
    ua_type: 2,
    uas_id: [...Buffer.from('MFG1A0123456789')],
  });
  copter.tick(4);
  await station.settle();
  const basic = station.named('OPEN_DRONE_ID_BASIC_ID').at(-1)?.fields;
  t.equal(text(basic?.uas_id), 'MFG1A0123456789');
  t.equal(basic?.target_system, 1, 'with the address it was sent to');
});
