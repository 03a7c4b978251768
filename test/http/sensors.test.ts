import t from 'tap';
import { sampleSensor } from '../../src/http/openapi/samples.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { SensorChange } from '../../src/registry/sensors.ts';
import { ask, askJson, createFakeService, startRig } from '../support/http/server.ts';

t.test('a sensor is made, read, changed and taken away', async (t) => {
  const rig = await startRig(t);
  const url = `${rig.url}/api/sensors`;
  const made = (await askJson(url, 'POST', { name: '  mast ', modality: 'radar' })).body.data as Sensor;
  t.match(made, { name: 'mast', modality: 'radar', placement: null, version: 1 });
  t.same((await ask(`${url}/${made.id}`)).body.data, made);
  const changed = await askJson(`${url}/${made.id}`, 'POST', { placement: { lat: 1, lon: 2 }, version: 1 });
  t.match(changed.body.data, { id: made.id, name: 'mast', placement: { lat: 1, lon: 2 }, version: 2 });
  t.equal((await askJson(`${url}/${made.id}`, 'POST', { name: 'x', version: 1 })).body.code, 'conflict');
  t.equal(((await ask(url)).body.data as Sensor[]).length, 2);
  t.equal(((await ask(`${url}?limit=1`)).body.data as Sensor[]).length, 1);
  t.same((await ask(`${url}/${made.id}`, { method: 'DELETE' })).body, { ok: true, data: { deleted: true } });
  t.equal((await ask(`${url}/${made.id}`)).status, 404);
});

t.test('what a change does not name is not sent on, defaults least of all', async (t) => {
  const patches: SensorChange[] = [];
  const service = createFakeService();
  service.sensors.update = (_id, patch) => {
    patches.push(patch);
    return sampleSensor;
  };
  const rig = await startRig(t, {}, service);
  const url = `${rig.url}/api/sensors/${sampleSensor.id}`;
  await askJson(url, 'POST', {});
  await askJson(url, 'POST', { placement: null });
  t.same(patches, [{}, { placement: null }]);
});
