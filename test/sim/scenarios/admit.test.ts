import t from 'tap';
import { Fault } from '../../../src/model/fault.ts';
import { type ScenarioActor, scenarioActorSchema, scenarioSpecSchema } from '../../../src/model/scenario.ts';
import { admitted } from '../../../src/sim/scenarios/admit.ts';
import { builtinDeps } from '../../../src/sim/scenarios/builtins.ts';

const spec = scenarioSpecSchema.parse({
  ...{ name: 'yard', duration_s: 60, origin: { lat: 52, lon: 4 } },
  actors: [{ id: 'first', kind: 'drone', start: { east_m: 0, north_m: 0, height_m: 50 } }],
  sensors: [
    { id: 'radar', modality: 'radar', placement: { east_m: 0, north_m: 0, max_range_m: 3_000 }, period_s: 0.1 },
  ],
});

const actor = (said: object): ScenarioActor =>
  scenarioActorSchema.parse({ id: 'late', kind: 'drone', start: { east_m: 10, north_m: 10, height_m: 50 }, ...said });

function refusal(said: object): string {
  try {
    admitted(spec, actor(said), builtinDeps);
    return 'taken';
  } catch (thrown) {
    return thrown instanceof Fault ? `${thrown.code}: ${thrown.message}` : String(thrown);
  }
}

t.test('who is put in while it is played is held against the rules of those who were there', async (t) => {
  t.equal(refusal({}), 'taken');
  t.match(refusal({ id: 'first' }), /^conflict: there is an actor 'first'/);
  t.match(
    refusal({ route: [{ east_m: 5, north_m: 5, speed_mps: 300 }] }),
    /^invalid_input: 'actor\.route\[0\]\.speed_mps'/,
  );
  t.match(refusal({ behaviour: { kind: 'evade', from: 'nobody' } }), /^invalid_input: 'actor\.behaviour/);
  t.match(refusal({ catalog: 'no such model' }), /^invalid_input: 'actor\.catalog'/);
  t.match(refusal({ kind: 'swarm', count: 500 }), 'taken');
});

t.test('one after the other they are not more than the box takes', async (t) => {
  let cast = spec;
  const put = (nth: number): void => {
    cast = admitted(cast, actor({ id: `pack-${nth}`, kind: 'swarm', count: 400 }), builtinDeps);
  };
  put(1);
  put(2);
  t.throws(() => put(3), { code: 'invalid_input' });
  t.equal(cast.actors.length, 3);
});
