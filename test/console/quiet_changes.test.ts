import t from 'tap';
import { followDismissals } from '../../src/console/state/dismissals.ts';
import { followSensors } from '../../src/console/state/sensor_changes.ts';
import { type Rows, type Situation, Store } from '../../src/console/state/store.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Threat } from '../../src/model/threat.ts';
import type { Track } from '../../src/model/track.ts';

function put<T>(rows: Rows<T>, id: string, row: Partial<T>): void {
  rows.byId.set(id, row as T);
  rows.revision.value++;
}

t.test('a dismissal that ends by itself is told once, and one that a person ends is not', async (t) => {
  const store = new Store();
  const said: string[] = [];
  t.teardown(followDismissals(store, (number, { reason }) => said.push(`${number} ${reason}`)));
  put<Track>(store.tracks, 'a', { id: 'a', number: 'T-0001' });
  const dismissed = { by: 'user:anna' } as Threat['dismissed'];
  const ended = { reason: 'level_rose' } as Threat['dismissal_ended'];
  put<Threat>(store.threats, 'a', { track_id: 'a', dismissed: null, dismissal_ended: ended });
  t.same(said, [], 'it had ended before the page was opened');
  put<Threat>(store.threats, 'a', { track_id: 'a', dismissed, dismissal_ended: null });
  put<Threat>(store.threats, 'a', { track_id: 'a', dismissed: null, dismissal_ended: ended });
  put<Threat>(store.threats, 'a', { track_id: 'a', dismissed: null, dismissal_ended: ended });
  t.same(said, ['T-0001 level_rose']);
  put<Threat>(store.threats, 'a', { track_id: 'a', dismissed, dismissal_ended: null });
  put<Threat>(store.threats, 'a', { track_id: 'a', dismissed: null, dismissal_ended: null });
  t.equal(said.length, 1);
});

t.test('a sensor that works again is told once, and another world is no return', async (t) => {
  const store = new Store();
  const said: string[] = [];
  t.teardown(followSensors(store, (name) => said.push(name)));
  const sensor = (state: Sensor['state']): void => put<Sensor>(store.sensors, 's', { id: 's', name: 'finder', state });
  for (const state of ['operational', 'silent', 'silent', 'operational', 'operational'] as const) sensor(state);
  t.same(said, ['finder']);
  sensor('fault');
  store.situation.value = { epoch: 'another' } as Situation;
  sensor('operational');
  t.same(said, ['finder']);
});
