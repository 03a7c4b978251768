import { randomUUID } from 'node:crypto';
import t from 'tap';
import { type SensorRow, sensorRows } from '../../src/store/sensors.ts';
import { openState } from '../../src/store/state.ts';
import { type Scope, workspaceRows } from '../../src/store/workspaces.ts';

function sensor(scope: Scope, change: Partial<SensorRow> = {}): SensorRow {
  return {
    id: randomUUID(),
    ...scope,
    name: 'North mast',
    modality: 'radar',
    placement: { lat: 51.5, lon: -0.1, alt_hae_m: 70.25, azimuth_deg: 12, mount: 'fixed' },
    heartbeatS: 2.5,
    quietOk: true,
    detection: { pd: 0.8, sigma: { range_m: 12 }, min_elevation_deg: 2 },
    declaredBy: 'manual',
    linkId: null,
    version: 1,
    createdAt: '2026-03-04T12:00:00.000Z',
    updatedAt: '2026-03-04T12:00:00.000Z',
    ...change,
  };
}

t.test('sensors', async (t) => {
  const dataDir = t.testdir();
  const state = openState(dataDir);
  t.teardown(() => state.close());
  const workspaceId = workspaceRows(state).list()[0]?.id ?? '';
  const live: Scope = { workspaceId, environment: 'live' };
  const sim: Scope = { workspaceId, environment: 'sim' };
  const rows = sensorRows(state);
  const mast = sensor(live);

  t.test('what was inserted is read back the same, also after opening again', async (t) => {
    rows.insert(mast);
    rows.insert(sensor(live, { id: '00000000-0000-4000-8000-00000000000a', name: 'Gate', placement: null }));
    t.same(rows.get(live, mast.id), mast);
    t.same(
      rows.list(live).map(({ name }) => name),
      ['Gate', 'North mast'],
    );
  });

  t.test('another environment sees nothing of it and may use its name', async (t) => {
    t.equal(rows.get(sim, mast.id), null);
    t.same(rows.list(sim), []);
    t.equal(rows.delete(sim, mast.id), false);
    t.equal(rows.update({ ...mast, ...sim }, 1), false);
    rows.insert(sensor(sim));
    t.equal(rows.list(sim).length, 1);
    t.same(rows.get(live, mast.id), mast);
  });

  t.test('a taken name or id is a conflict that names it, and changes nothing', async (t) => {
    t.throws(() => rows.insert(sensor(live)), {
      code: 'conflict',
      message: 'There is already a sensor called North mast.',
    });
    t.throws(() => rows.insert(sensor(live, { id: mast.id, name: 'Other' })), { code: 'conflict', message: /the id/ });
    t.throws(() => rows.update({ ...mast, name: 'Gate' }, 1), { code: 'conflict', message: /called Gate/ });
    t.equal(rows.list(live).length, 2);
  });

  t.test('a change or removal holds only for the version it was made from', async (t) => {
    const changed = {
      ...mast,
      name: 'North mast 2',
      heartbeatS: 10,
      version: 2,
      updatedAt: '2026-03-04T12:01:00.000Z',
    };
    t.equal(rows.update(changed, 1), true);
    t.equal(rows.update({ ...changed, name: 'Late', version: 2 }, 1), false);
    t.same(rows.get(live, mast.id), changed);
    t.equal(rows.delete(live, mast.id, 1), false);
    t.equal(rows.delete(live, mast.id, 2), true);
    t.equal(rows.get(live, mast.id), null);
    t.equal(rows.delete(live, mast.id), false);
  });

  t.test('a sensor of a workspace that does not exist is refused', async (t) => {
    t.throws(() => rows.insert(sensor({ workspaceId: 'wsp_none', environment: 'live' })), /FOREIGN KEY/);
  });

  t.test('a stored placement that does not read is a fault that names the sensor', async (t) => {
    const odd = sensor(live, { name: 'Odd' });
    rows.insert(odd);
    state.db.prepare(`UPDATE sensors SET placement = '{"lat": 91}' WHERE id = ?`).run(odd.id);
    t.throws(() => rows.get(live, odd.id), { code: 'internal', message: /placement of sensor Odd is invalid/ });
  });
});
