import t from 'tap';
import { engineOf, Listening, run } from '../../support/sim/scenario_engine.ts';

const drone = {
  id: 'intruder',
  kind: 'drone',
  start: { east_m: -800, north_m: 300, height_m: 60 },
  route: [
    { east_m: 0, north_m: 0, height_m: 80 },
    { east_m: 500, north_m: 200 },
  ],
  remote_id: {
    serial: '9Z9ZFABCDEFGH1234567'.slice(0, 20),
    operator_id: 'NLD123',
    pilot: { east_m: -900, north_m: 300 },
  },
};
const sensors = [
  { id: 'rid', modality: 'remote_id', placement: { east_m: 0, north_m: 0, height_m: 5, max_range_m: 5000 } },
  {
    id: 'radar',
    modality: 'radar',
    placement: { east_m: 50, north_m: 0, height_m: 10, max_range_m: 5000 },
    sigma: { range_m: 5, azimuth_deg: 0.5, elevation_deg: 0.7 },
    false_per_scan: 2,
  },
];

t.test('a drone on a route is heard by a Remote ID receiver and seen by a radar, in real bytes', async (t) => {
  const engine = engineOf({ actors: [drone], sensors });
  const ear = new Listening(engine).hear(run(engine, 60));
  t.equal(ear.refused, 0);
  const heard = ear.ofSensor('rid').filter(({ report }) => report === 'position');
  t.ok(heard.length > 40, `${heard.length} places were heard`);
  t.ok(heard.some(({ identities }) => identities.some(({ value }) => value === '9Z9ZFABCDEFGH1234567')));
  t.ok(heard.some(({ operator }) => operator?.operator_id === 'NLD123' && operator.type === 'live_gnss'));
  const seen = ear.ofSensor('radar');
  t.ok(seen.length > 60 && seen.every(({ rangeM, elevationDeg }) => rangeM !== null && elevationDeg !== null));
  const [truth] = engine.truth();
  t.match(truth, { id: 'intruder', kind: 'drone', airborne: true, visible: true });
});
