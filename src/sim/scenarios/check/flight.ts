import { Fault } from '../../../model/fault.ts';
import type { ScenarioActor, ScenarioSpec } from '../../../model/scenario.ts';
import type { ScenarioDeps } from '../check.ts';
import { type Finding, findingIf, type Path } from '../fault.ts';

/** Physical limits of each kind of actor. The limits of a spoofer apply to the aircraft that it invents. */
const limits: Record<ScenarioActor['kind'], { speedMps: number; climbMps: number; heightM: number }> = {
  drone: { speedMps: 80, climbMps: 30, heightM: 10_000 },
  swarm: { speedMps: 80, climbMps: 30, heightM: 10_000 },
  asset: { speedMps: 80, climbMps: 30, heightM: 10_000 },
  bird: { speedMps: 40, climbMps: 20, heightM: 9_000 },
  aircraft: { speedMps: 350, climbMps: 100, heightM: 20_000 },
  spoofer: { speedMps: 250, climbMps: 100, heightM: 20_000 },
};

/** Checks that no actor has to fly faster or higher than its kind and model can. */
export function checkFlight({ actors }: ScenarioSpec, deps: ScenarioDeps): Finding[] {
  return actors.flatMap((actor, index) => checkActor(actor, ['actors', index], deps));
}

function checkActor(actor: ScenarioActor, path: Path, deps: ScenarioDeps): Finding[] {
  const { kind } = actor;
  const model = catalogOf(actor, [...path, 'catalog'], deps);
  const { max_speed_mps: fastest = Infinity, ceiling_agl_m: ceiling = Infinity } = {
    ...model.performance,
    ...actor.performance,
  };
  const speed = Math.min(limits[kind].speedMps, fastest);
  const height = Math.min(limits[kind].heightM, ceiling);
  const whySpeed = speed === fastest ? 'the aircraft cannot fly faster' : `no ${kind} is faster`;
  const whyHeight = height === ceiling ? 'the aircraft cannot fly higher' : `no ${kind} flies higher`;
  return [
    ...model.found,
    ...checkPerformance(actor, path),
    ...speedsOf(actor).flatMap(([at, value]) => [
      ...findingIf(value === 0, [...path, ...at], 'must be more than 0: the aircraft would never arrive'),
      ...atMost([...path, ...at], value, speed, whySpeed),
    ]),
    ...heightsOf(actor).flatMap(([at, value]) => atMost([...path, ...at, 'height_m'], value, height, whyHeight)),
  ];
}

function atMost(path: Path, value: number | undefined, most: number, why: string): Finding[] {
  return findingIf(value !== undefined && value > most, path, `must be at most ${most}: ${why}; received ${value}`);
}

function catalogOf(actor: ScenarioActor, path: Path, deps: ScenarioDeps) {
  const none = (text: string) => ({ performance: {}, found: [{ path, text }] });
  if (actor.catalog === undefined) return { performance: {}, found: [] };
  try {
    const model = deps.catalog(actor.catalog);
    if (!model) return none(`names '${actor.catalog}', which is not in the catalog`);
    const { domain = 'air', performance = {} } = model.spec;
    if (actor.kind !== 'asset' && (model.kind !== 'platform' || domain !== 'air'))
      return none(`names ${model.name}, which does not fly`);
    return { performance, found: [] };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return none(`names '${actor.catalog}': ${thrown.message}`);
  }
}

const slower = ['min_speed_mps', 'cruise_speed_mps'] as const;
const speeds = [...slower, 'max_speed_mps'] as const;
const rates = ['climb_rate_mps', 'descent_rate_mps'] as const;

function checkPerformance({ kind, performance = {} }: ScenarioActor, path: Path): Finding[] {
  const { speedMps, climbMps } = limits[kind];
  const allAtMost = (keys: readonly (typeof speeds | typeof rates)[number][], most: number, why: string): Finding[] =>
    keys.flatMap((key) => atMost([...path, 'performance', key], performance[key], most, why));
  return [
    ...allAtMost(speeds, speedMps, `no ${kind} is faster`),
    ...allAtMost(rates, climbMps, `no ${kind} climbs or descends faster`),
    ...allAtMost(slower, performance.max_speed_mps ?? Infinity, 'that is its max_speed_mps'),
  ];
}

type Given = [at: Path, value: number | undefined];

function speedsOf({ route, behaviour }: ScenarioActor): Given[] {
  return [
    ...route.map(({ speed_mps }, index): Given => [['route', index, 'speed_mps'], speed_mps]),
    [['behaviour', 'speed_mps'], behaviour && 'speed_mps' in behaviour ? behaviour.speed_mps : undefined],
  ];
}

function heightsOf({ start, route, behaviour }: ScenarioActor): Given[] {
  const target = behaviour && 'target' in behaviour && 'east_m' in behaviour.target ? behaviour.target : null;
  return [
    [['start'], start.height_m],
    ...route.map(({ height_m }, index): Given => [['route', index], height_m]),
    [['behaviour'], behaviour && 'height_m' in behaviour ? behaviour.height_m : undefined],
    [['behaviour', 'target'], target?.height_m],
  ];
}
