import t from 'tap';
import { systemActor } from '../../../src/model/actor.ts';
import type { ReceivedIdentity } from '../../../src/model/track.ts';
import { positionAt } from '../../support/basics/place.ts';
import { track } from '../../support/fleet/airspace.ts';
import { receiveCopter } from '../../support/fleet/received_copter.ts';
import { openFleet } from '../../support/fleet/registry_fleet.ts';
import { openRegistry } from '../../support/registry/registry.ts';

const HERE = { latDeg: 52.1, lonDeg: 4.2 };
const at = '2026-05-01T12:00:00.000Z';

/** What stands against a goto of 40 m, with a track on its way that says this of itself. */
function refusedWith(t: Parameters<typeof openRegistry>[0], said: Pick<ReceivedIdentity, 'type' | 'value'>) {
  const rig = openRegistry(t);
  const { side, fleet, tracks } = openFleet(rig);
  rig.registry.discovery.set(true, systemActor);
  const vehicle = receiveCopter(fleet);
  vehicle.aliases.add('1581F5FKD2294A000003');
  const { id } = rig.registry.assets.create({ name: 'Heron', spec: {} }, systemActor);
  rig.registry.assets.bind(id, { key: vehicle.key ?? '' }, systemActor);
  const identities = [{ ...said, transport: 'mavlink', first_seen_at: at, last_seen_at: at } as const];
  const now = new Date().toISOString();
  tracks.push(track({ ...positionAt(HERE, 0, 60), altHaeM: 92 }, { identities, updated_at: now, last_seen_at: now }));
  const { latDeg: lat, lonDeg: lon } = positionAt(HERE, 0, 40);
  const params = { kind: 'point', lat, lon, height_takeoff_m: 45 } as const;
  const refusal = side.service.check(id, 'goto', params);
  const [endpoint] = vehicle.endpoints.all();
  return { refusal, own: `mavlink:${endpoint?.linkId}:${vehicle.sysid}:${vehicle.compid}` };
}

t.test('a vehicle is not kept off the track that its own telemetry made', async (t) => {
  const { own } = refusedWith(t, { type: 'serial', value: 'x' });
  t.equal(refusedWith(t, { type: 'mavlink', value: own }).refusal, null);
});

t.test('whoever carries the serial of a vehicle on the air is kept off all the same', async (t) => {
  const { refusal } = refusedWith(t, { type: 'serial', value: '1581F5FKD2294A000003' });
  t.equal(refusal?.reason, 'keep_out', refusal?.text ?? 'nothing');
});
