import t from 'tap';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { moved, type Point } from '../../support/vehicles/flight.ts';
import { numberOf } from '../../support/vehicles/messages.ts';
import type { Station } from '../../support/vehicles/station.ts';
import type { Vehicle } from '../../support/vehicles/vehicle.ts';
import { copterRig, takenOff, word } from './rig.ts';

const TO = { target_system: 1, target_component: 1 };

/** Uploads waypoints behind a home, as the protocol has it: each item when it is asked for. */
async function upload(station: Station, vehicle: Vehicle, points: Point[], last: number = CMD.returnToLaunch) {
  const items = [points[0] ?? { lat: 0, lon: 0 }, ...points].map((point) => ({
    command: CMD.waypoint as number,
    ...point,
  }));
  items.push({ command: last, lat: 0, lon: 0 });
  station.forget();
  await station.tell(vehicle, 'MISSION_COUNT', { ...TO, count: items.length });
  for (const [seq, { command, lat, lon }] of items.entries()) {
    if ((await station.hear('MISSION_REQUEST_INT', (fields) => fields.seq === seq)) === null)
      throw new Error(`no ${seq}`);
    const place = { x: Math.round(lat * 1e7), y: Math.round(lon * 1e7), z: 20 };
    await station.tell(vehicle, 'MISSION_ITEM_INT', { ...TO, seq, frame: 6, command, autocontinue: 1, ...place });
  }
  return station.hear('MISSION_ACK');
}

t.test('a mission is asked for item by item, flown in AUTO, and ends as its last item says', async (t) => {
  const { station, copter } = await copterRig(t);
  await takenOff(station, copter);
  const path = [moved(copter.body, 60, 0), moved(copter.body, 60, 60), moved(copter.body, 0, 60)];
  const ack = await upload(station, copter, path);
  t.equal(ack?.fields.type, 0);
  t.equal(word(await station.long(copter, CMD.setMode, [1, COPTER_MODE.auto])), 'ACCEPTED');
  copter.tick(60);
  await station.settle();
  t.same(
    station.named('MISSION_ITEM_REACHED').map(({ fields }) => fields.seq),
    [1, 2, 3],
  );
  for (const point of path) t.ok(copter.recorder.closestTo([point]) < 3);
  copter.tick(60);
  t.notOk(copter.armed, 'home and landed');
});

t.test('an item that does not come is asked for again, and at last given up', async (t) => {
  const { station, copter } = await copterRig(t);
  await station.tell(copter, 'MISSION_COUNT', { ...TO, count: 3 });
  copter.tick(4);
  await station.settle();
  t.ok(station.named('MISSION_REQUEST_INT').length >= 3);
  copter.tick(6);
  await station.settle();
  t.equal(station.named('MISSION_ACK').at(-1)?.fields.type, 15);
});

t.test('a mission can be read back, paused and cleared', async (t) => {
  const { station, copter } = await copterRig(t);
  await takenOff(station, copter);
  const path = [moved(copter.body, 300, 0), moved(copter.body, 300, 300)];
  await upload(station, copter, path);
  await station.tell(copter, 'MISSION_REQUEST_LIST', TO);
  t.equal((await station.hear('MISSION_COUNT'))?.fields.count, 4);
  await station.tell(copter, 'MISSION_REQUEST_INT', { ...TO, seq: 1 });
  const item = await station.hear('MISSION_ITEM_INT');
  t.equal(numberOf(item?.fields ?? {}, 'x'), Math.round((path[0]?.lat ?? 0) * 1e7));
  await station.long(copter, CMD.missionStart);
  t.equal(copter.mode, COPTER_MODE.auto);
  copter.tick(5);
  t.equal(word(await station.long(copter, CMD.pauseContinue, [0])), 'ACCEPTED');
  copter.tick(10);
  const { lat, lon } = copter.body;
  copter.tick(10);
  t.ok(copter.distanceTo(lat, lon) < 0.5);
  t.equal(word(await station.long(copter, CMD.pauseContinue, [1])), 'ACCEPTED');
  copter.tick(10);
  t.ok(copter.distanceTo(lat, lon) > 30);
  await station.tell(copter, 'MISSION_CLEAR_ALL', TO);
  t.equal(copter.missions.items.length, 0);
});

t.test('in flight AUTO is refused without a mission', async (t) => {
  const { station, copter } = await copterRig(t);
  await takenOff(station, copter);
  t.equal(word(await station.long(copter, CMD.setMode, [1, COPTER_MODE.auto])), 'FAILED');
});
