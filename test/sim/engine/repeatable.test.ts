import t from 'tap';
import { scenarioActorSchema } from '../../../src/model/scenario.ts';
import type { SimFrame } from '../../../src/sim/runs/engine.ts';
import { Engine } from '../../../src/sim/runs/engine.ts';
import { BEGIN_MS, engineOf, noCatalog, run, scenarioOf, textOf } from '../../support/sim/scenario_engine.ts';

const at = { east_m: 0, north_m: 0, height_m: 10 };
const parts = {
  wind: { speed_mps: 5, from_deg: 300, gusts_mps: 5 },
  actors: [
    {
      ...{ id: 'drone', kind: 'drone', start: { east_m: -900, north_m: 100 }, remote_id: {} },
      route: [{ east_m: 200, north_m: 50, height_m: 60, wait_s: 3 }],
    },
    { id: 'wings', kind: 'drone', type: 'fixed_wing', start: { ...at, height_m: 120 }, behaviour: { kind: 'loiter' } },
    {
      ...{ id: 'swarm', kind: 'swarm', count: 5, start: { east_m: 700, north_m: 700, height_m: 50 }, remote_id: {} },
      behaviour: { kind: 'approach', target: { actor: 'drone' } },
    },
    { id: 'liar', kind: 'spoofer', count: 4, start: { east_m: 300, north_m: -300 } },
    { id: 'airliner', kind: 'aircraft', start: { east_m: 9_000, north_m: 9_000, height_m: 900 }, adsb: {} },
    { id: 'ours', kind: 'asset', start: { east_m: 30, north_m: 30 }, mavlink: {}, remote_id: {} },
  ],
  sensors: [
    { id: 'radar', modality: 'radar', placement: { ...at, max_range_m: 5_000 }, false_per_scan: 6 },
    { id: 'rid', modality: 'remote_id', placement: { ...at, max_range_m: 3_000 }, latency_s: 0.7 },
    { id: 'adsb', modality: 'adsb', placement: { ...at, max_range_m: 90_000 } },
    { id: 'rf', modality: 'rf', placement: { ...at, max_range_m: 3_000 }, period_s: 0.7 },
    { id: 'camera', modality: 'camera', placement: { ...at, max_range_m: 2_000 } },
  ],
};

t.test('the same seed gives the same bytes at the same times, and another seed others', async (t) => {
  const once = textOf(run(engineOf(parts, 5), 30));
  t.ok(once.length > 100_000);
  t.equal(textOf(run(engineOf(parts, 5), 30)), once);
  t.not(textOf(run(engineOf(parts, 6), 30)), once);
});

t.test('it does not matter in which pieces time is asked for', async (t) => {
  const whole = textOf(engineOf(parts).advance(BEGIN_MS + 20_000));
  const engine = engineOf(parts);
  const frames: SimFrame[] = [];
  for (let ms = 0; ms < 20_000; ms += 1 + (ms % 137)) frames.push(...engine.advance(BEGIN_MS + ms));
  frames.push(...engine.advance(BEGIN_MS + 20_000));
  t.equal(textOf(frames), whole);
});

t.test('frames come in the order of time, none before it was asked for', async (t) => {
  const engine = engineOf(parts);
  let lastMs = BEGIN_MS;
  for (let ms = 100; ms <= 15_000; ms += 100) {
    for (const { atMs } of engine.advance(BEGIN_MS + ms)) {
      t.ok(atMs >= lastMs && atMs <= BEGIN_MS + ms);
      lastMs = atMs;
    }
    lastMs = Math.max(lastMs, BEGIN_MS + ms - 100);
  }
});

t.test('one actor more changes nothing of what the others do, nor of what is heard of them', async (t) => {
  const more = {
    ...{ id: 'a-newcomer', kind: 'drone', start: { east_m: 100, north_m: -800, height_m: 30 } },
    behaviour: { kind: 'evade', from: 'drone' },
  };
  const [few, many] = [engineOf(parts), engineOf({ ...parts, actors: [more, ...parts.actors] })];
  const heard = (frames: readonly SimFrame[]): string =>
    textOf(frames.filter(({ link }) => link !== 'sim-radar' && link !== 'sim-rf' && link !== 'sim-camera'));
  t.equal(heard(run(many, 30)), heard(run(few, 30)));
  t.same(
    many.truth().filter(({ id }) => id !== 'a-newcomer'),
    few.truth(),
  );
  const rows = (engine: Engine): Set<string> =>
    new Set(
      run(engine, 20).flatMap(({ link, bytes }) =>
        link === 'sim-radar' ? Buffer.from(bytes).toString().split('\n') : [],
      ),
    );
  const [plots, morePlots] = [rows(engineOf(parts)), rows(engineOf({ ...parts, actors: [more, ...parts.actors] }))];
  t.equal([...plots].filter((row) => !morePlots.has(row)).length, 0, 'every plot of the radar is there again');
  t.ok(morePlots.size > plots.size);
});

t.test('an actor that is put in while it runs is the same as one put in at the same time again', async (t) => {
  const ghost = scenarioActorSchema.parse({
    ...{ id: 'late', kind: 'swarm', count: 3, start: { east_m: 50, north_m: 60, height_m: 70 }, remote_id: {} },
    behaviour: { kind: 'orbit', target: { actor: 'drone' }, radius_m: 80 },
  });
  const flown = (): string => {
    const engine = new Engine(scenarioOf(parts), 3, noCatalog);
    const before = run(engine, 10);
    engine.inject(ghost);
    return textOf([...before, ...engine.advance(BEGIN_MS + 30_000)]) + JSON.stringify(engine.truth());
  };
  const once = flown();
  t.ok(once.includes('late-3'));
  t.equal(flown(), once);
});

t.test('who does not fit is not let in', async (t) => {
  const engine = engineOf(parts);
  const actor = (more: object): ReturnType<typeof scenarioActorSchema.parse> =>
    scenarioActorSchema.parse({ id: 'late', kind: 'drone', start: at, ...more });
  t.throws(() => engine.inject(actor({ id: 'drone' })), { code: 'conflict' });
  t.throws(() => engine.inject(actor({ kind: 'asset', mavlink: {} })), { code: 'conflict' });
  t.throws(() => engine.inject(actor({ behaviour: { kind: 'formation', with: 'nobody' } })), { code: 'invalid_input' });
  t.throws(() => engine.inject(actor({ catalog: 'No Such' })), { code: 'invalid_input' });
  const swarm = (id: string): object => ({ id, kind: 'swarm', count: 500 });
  engine.inject(actor(swarm('first')));
  engine.inject(actor(swarm('second')));
  t.throws(() => engine.inject(actor(swarm('third'))), { code: 'invalid_input' });
  t.equal(engine.truth().length, 10 + 1_000, 'and nothing of it is there');
});
