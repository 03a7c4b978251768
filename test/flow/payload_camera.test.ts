import t from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { Health } from '../../src/model/health.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import { takeTime } from '../support/basics/patience.ts';
import { must } from '../support/daemon/alerts.ts';
import { until } from '../support/daemon/daemon.ts';
import { fieldBox } from '../support/daemon/field_box.ts';
import { sensorOf } from '../support/daemon/watch.ts';

takeTime(t, 90);

const witness = 'sensors:\n  - {name: mast, modality: radar, heartbeat_s: 1}\n';

t.test('a payload camera that no protocol reports is not counted as a sensor that is not received', async (t) => {
  const daemon = await fieldBox(t, witness).start();
  const payloads = [{ kind: 'camera_eo', slot: 'nose' }];
  const asset = await must<Asset>(daemon, '/api/assets', { name: 'Scout', spec: { payloads } });
  const camera = await sensorOf(daemon, 'Scout nose');
  t.match(camera, { asset_id: asset.id, declared_by: 'payload', state: 'unknown', modality: 'camera' });
  const alerts = async (): Promise<string[]> =>
    (await daemon.get<Alert[]>('/api/alerts')).map(({ rule_id, subject }) => `${rule_id} ${subject.label}`);
  await until(async () => (await alerts()).length > 0, 'the radar is silent');
  const text = async (): Promise<string> => {
    const { body } = await daemon.request('/api/health');
    const parts = (body.data as Health | undefined)?.parts ?? [];
    return parts.find(({ name }) => name === 'sensors')?.text ?? body.error ?? '';
  };
  t.match(await text(), /1 of 1 not received: mast silent/);
  t.notMatch(await text(), /Scout/);

  const rows = { obs: [{ sensor_id: 'mast', report: 'presence' }] };
  const speaking = setInterval(() => void daemon.post('/api/ingest/obs', rows).catch(() => {}), 200);
  t.teardown(() => clearInterval(speaking));
  await until(async () => (await text()) === '1 of 1 received', 'nothing is missing');
  t.equal((await daemon.request('/api/health')).status, 200);
  t.same(await alerts(), ['sensor_silent mast']);
  const { state, reasons } = (await daemon.get<Sensor[]>('/api/sensors')).find(({ id }) => id === camera.id) ?? {};
  t.same([state, reasons], ['unknown', ['no message has reported this payload yet']]);
});
