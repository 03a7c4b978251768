import t from 'tap';
import type { Observation } from '../../../src/model/observation.ts';
import { serialFault } from '../../../src/model/serial.ts';
import { Site } from '../../../src/sim/kernel/site.ts';
import { Engine } from '../../../src/sim/runs/engine.ts';
import { BEGIN_MS, engineOf, Listening, noCatalog, run, scenarioOf } from '../../support/sim/scenario_engine.ts';

const site = new Site({ lat: 52.1, lon: 4.3, alt_hae_m: 45 });
const at = { east_m: 0, north_m: 0, height_m: 20 };
const receiver = { id: 'rid', modality: 'remote_id', pd: 1, placement: { ...at, max_range_m: 8_000 } };
const drone = { id: 'it', kind: 'drone', start: { east_m: 500, north_m: 300, height_m: 80 } };
const circling = {
  ...drone,
  behaviour: { kind: 'orbit', target: { east_m: 0, north_m: 0 }, radius_m: 600, speed_mps: 10 },
};

const placesOf = (ear: Listening, sensor = 'rid'): Observation[] =>
  ear.ofSensor(sensor).filter(({ report }) => report === 'position');

function enuOf({
  latDeg,
  lonDeg,
  altHaeM,
}: Pick<Observation, 'latDeg' | 'lonDeg' | 'altHaeM'>): [number, number, number] {
  const { eastM: east, northM: north, upM: up } = site.frame.toEnu(latDeg ?? 0, lonDeg ?? 0, altHaeM ?? 0);
  return [east, north, up];
}

/** To half metres, quarters of a metre a second along and halves up, whole degrees, tenths of a second. */
function isRounded({ altHaeM, speedMps, climbMps, courseDeg, sourceMs }: Observation): boolean {
  const steps = [
    (altHaeM ?? 0) * 2,
    (speedMps ?? 0) * 4,
    (climbMps ?? 0) * 2,
    courseDeg,
    Math.round(sourceMs ?? 0) / 100,
  ];
  return steps.every(Number.isInteger);
}

const deviationOf = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

t.test('Remote ID says where the aircraft is within the error it declares, rounded as on air', async (t) => {
  const parts = { actors: [{ ...circling, remote_id: { sigma_m: 4, loss: 0 } }], sensors: [receiver] };
  const engine = engineOf(parts);
  const places = placesOf(new Listening(engine).hear(run(engine, 900)));
  t.ok(places.length > 890);
  const truth = new Engine(scenarioOf(parts), 1, noCatalog);
  const [east, north, up, time, speed]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
  for (const place of places) {
    const spokenMs = place.receivedMs - 100;
    time.push((place.sourceMs ?? 0) - spokenMs);
    truth.advance(spokenMs);
    const [point] = truth.truth();
    const [a, b] = [
      enuOf(place),
      enuOf({ latDeg: point?.latDeg ?? 0, lonDeg: point?.lonDeg ?? 0, altHaeM: point?.altHaeM ?? 0 }),
    ];
    east.push(a[0] - b[0]);
    north.push(a[1] - b[1]);
    up.push(a[2] - b[2]);
    speed.push((place.speedMps ?? 0) - Math.hypot(point?.eastMps ?? 0, point?.northMps ?? 0));
  }
  t.ok(places.every(isRounded));
  t.ok(
    places.every(({ sigmaHM }) => sigmaHM === 10),
    'the class that bounds 95 % of it',
  );
  t.ok(Math.max(...speed.map(Math.abs)) < 1.2);
  t.ok(Math.max(...time.map(Math.abs)) <= 50, 'its time is right to a tenth of a second');
  for (const [errors, sigma] of [
    [east, 4],
    [north, 4],
    [up, 6],
  ] as const)
    t.ok(
      Math.abs(deviationOf(errors) / sigma - 1) < 4 / Math.sqrt(2 * errors.length),
      `${deviationOf(errors)} m of ${sigma}`,
    );
});

t.test('it is lost as often as was said, and not sent while it is off', async (t) => {
  const remote_id = { loss: 0.3, off: [{ from_s: 400, to_s: 500 }] };
  const engine = engineOf({ actors: [{ ...circling, remote_id }], sensors: [receiver] });
  const places = placesOf(new Listening(engine).hear(run(engine, 1_000)));
  t.ok(Math.abs(places.length / 900 - 0.7) < 4 * Math.sqrt(0.21 / 900), `${places.length} of 900`);
  t.notOk(places.some(({ receivedMs }) => receivedMs >= BEGIN_MS + 401_000 && receivedMs < BEGIN_MS + 500_000));
});

t.test('who lies is said to be where he is not, from the second on that he does', async (t) => {
  const remote_id = { sigma_m: 1, lies: { east_m: 800, up_m: 50, from_s: 30 } };
  const engine = engineOf({ actors: [{ ...drone, remote_id }], sensors: [receiver] });
  const places = placesOf(new Listening(engine).hear(run(engine, 60)));
  for (const place of places) {
    const [east, north, up] = enuOf(place);
    const lied = place.receivedMs - 100 >= BEGIN_MS + 30_000;
    t.ok(
      Math.abs(east - (lied ? 1_300 : 500)) < 8 && Math.abs(north - 300) < 8 && Math.abs(up - (lied ? 130 : 80)) < 10,
    );
  }
  t.ok(places.length > 50);
});

t.test(
  'a spoofer is heard as aircraft that are not there: each with a name of its own, none of them true or seen',
  async (t) => {
    const sensors = [receiver, { id: 'radar', modality: 'radar', pd: 1, placement: { ...at, max_range_m: 8_000 } }];
    const spoofer = {
      id: 'liar',
      kind: 'spoofer',
      count: 6,
      start: { east_m: 400, north_m: 0 },
      remote_id: { serial: '9Z9Z51ABCD', loss: 0 },
    };
    const engine = engineOf({ actors: [spoofer], sensors });
    const ear = new Listening(engine).hear(run(engine, 60));
    const serials = new Set(
      placesOf(ear).flatMap(({ identities }) =>
        identities.filter(({ type }) => type === 'serial').map(({ value }) => value),
      ),
    );
    t.equal(serials.size, 6);
    t.ok(serials.has('9Z9Z51ABCD'), 'one is a clone');
    for (const serial of serials) if (serial !== '9Z9Z51ABCD') t.equal(serialFault(serial), null);
    t.ok(
      placesOf(ear).every(({ speedMps }) => (speedMps ?? 0) > 3),
      'they fly',
    );
    t.notOk(ear.ofSensor('radar').some(({ report }) => report === 'range_bearing'));
    t.same(
      engine.truth().map(({ id, airborne }) => [id, airborne]),
      [['liar', false]],
    );
  },
);

t.test('the pilot and the operator are told, a landing too, and then nothing more', async (t) => {
  const remote_id = { loss: 0, operator_id: 'FIN87astrdge12k8', pilot: { east_m: 40, north_m: -70 } };
  const engine = engineOf({ actors: [{ ...drone, remote_id, behaviour: { kind: 'land' } }], sensors: [receiver] });
  const ear = new Listening(engine).hear(run(engine, 120));
  const places = placesOf(ear);
  const { operator } = places.at(-1) as Observation;
  const [east, north] = enuOf({
    latDeg: operator?.lat ?? 0,
    lonDeg: operator?.lon ?? 0,
    altHaeM: operator?.alt_hae_m ?? 0,
  });
  t.ok(Math.hypot(east - 40, north + 70) < 0.1);
  t.match(operator, { type: 'live_gnss', operator_id: 'FIN87astrdge12k8' });
  t.match([places[0]?.status, places.at(-1)?.status], ['airborne', 'ground']);
  t.ok((places.at(-1)?.receivedMs ?? 0) < BEGIN_MS + 70_000);
});

t.test('each receiver in reach hears the same, and each loses its own', async (t) => {
  const far = { id: 'far', modality: 'remote_id', pd: 1, placement: { ...at, east_m: 20_000, max_range_m: 8_000 } };
  const near = { ...receiver, id: 'near', placement: { ...at, east_m: 300, max_range_m: 8_000 } };
  const engine = engineOf({ actors: [{ ...circling, remote_id: { loss: 0.5 } }], sensors: [receiver, near, far] });
  const ear = new Listening(engine).hear(run(engine, 200));
  const [one, two] = [placesOf(ear), placesOf(ear, 'near')].map(
    (places) => new Set(places.map(({ latDeg }) => latDeg)),
  );
  const both = [...(one ?? [])].filter((lat) => two?.has(lat)).length;
  t.ok(both > 25 && both < (one?.size ?? 0) - 25, `${both} of ${one?.size} were heard by both`);
  t.equal(placesOf(ear, 'far').length, 0);
});

t.test('ADS-B says place, altitude, speed and name, as a transponder rounds them', async (t) => {
  const route = [{ east_m: 40_000, north_m: 20_000, height_m: 1_500 }];
  const airliner = {
    id: 'it',
    kind: 'aircraft',
    start: { east_m: -8_000, north_m: 3_000, height_m: 900 },
    route,
    adsb: { callsign: 'SIM42', icao24: '48abcd' },
  };
  const sensor = { id: 'adsb', modality: 'adsb', pd: 1, latency_s: 0, placement: { ...at, max_range_m: 100_000 } };
  const engine = engineOf({ actors: [airliner], sensors: [sensor] });
  const ear = new Listening(engine).hear(run(engine, 120));
  t.equal(ear.refused, 0);
  const places = placesOf(ear, 'adsb');
  t.ok(places.length >= 118);
  const truth = new Engine(scenarioOf({ actors: [airliner], sensors: [sensor] }), 1, noCatalog);
  for (const place of places.slice(12)) {
    truth.advance(place.receivedMs);
    const [point] = truth.truth();
    const [a, b] = [
      enuOf(place),
      enuOf({ latDeg: point?.latDeg ?? 0, lonDeg: point?.lonDeg ?? 0, altHaeM: point?.altHaeM ?? 0 }),
    ];
    t.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) < 1 && Math.abs(a[2] - b[2]) < 5);
    t.ok(Math.abs((place.speedMps ?? 0) - Math.hypot(point?.eastMps ?? 0, point?.northMps ?? 0)) < 3);
    const course = (Math.atan2(point?.eastMps ?? 0, point?.northMps ?? 0) * 180) / Math.PI;
    t.ok(Math.abs((((place.courseDeg ?? 0) - course + 540) % 360) - 180) < 6);
    t.match(place.identities, [
      { type: 'icao24', value: '48ABCD' },
      { type: 'callsign', value: 'SIM42' },
    ]);
  }
});
