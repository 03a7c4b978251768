import { Fault } from '../../../../model/fault.ts';
import type { PlatformPerformance } from '../../../../model/performance.ts';
import type { ScenarioActor, ScenarioSpec } from '../../../../model/scenario.ts';
import type { ScenarioRim } from '../check.ts';
import type { Finding, Path } from '../fault.ts';

/** What nothing of a kind does, whatever is said of it. A spoofer only says that something flies. */
const limits: Record<ScenarioActor['kind'], { speedMps: number; climbMps: number; heightM: number }> = {
  drone: { speedMps: 80, climbMps: 30, heightM: 10_000 },
  swarm: { speedMps: 80, climbMps: 30, heightM: 10_000 },
  asset: { speedMps: 80, climbMps: 30, heightM: 10_000 },
  bird: { speedMps: 40, climbMps: 20, heightM: 9_000 },
  aircraft: { speedMps: 350, climbMps: 100, heightM: 20_000 },
  spoofer: { speedMps: 250, climbMps: 100, heightM: 20_000 },
};

/** That nobody flies faster or higher than it can. */
export function checkFlight({ actors }: ScenarioSpec, rim: ScenarioRim): Finding[] {
  return actors.flatMap((actor, index) => checkActor(actor, ['actors', index], rim));
}

function checkActor(actor: ScenarioActor, path: Path, rim: ScenarioRim): Finding[] {
  const model = catalogOf(actor, [...path, 'catalog'], rim);
  const can = { ...model.performance, ...actor.performance };
  return [
    ...model.found,
    ...checkPerformance(actor, path),
    ...speedsOf(actor).flatMap(([at, speed]) => checkSpeed(actor, can, [...path, ...at], speed)),
    ...heightsOf(actor).flatMap(([at, height]) => checkHeight(actor, can, [...path, ...at], height)),
  ];
}

function catalogOf(actor: ScenarioActor, path: Path, rim: ScenarioRim) {
  const none = (text: string) => ({ performance: {}, found: [{ path, text }] });
  if (actor.catalog === undefined) return { performance: {}, found: [] };
  try {
    const model = rim.catalog(actor.catalog);
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

function checkPerformance({ kind, performance = {} }: ScenarioActor, path: Path): Finding[] {
  const { speedMps, climbMps } = limits[kind];
  const found: Finding[] = [];
  const atMost = (key: keyof PlatformPerformance, most: number, why: string): void => {
    const value = performance[key];
    if (typeof value === 'number' && value > most)
      found.push({ path: [...path, 'performance', key], text: `must be at most ${most}: ${why}; received ${value}` });
  };
  for (const key of ['min_speed_mps', 'cruise_speed_mps', 'max_speed_mps'] as const)
    atMost(key, speedMps, `no ${kind} is faster`);
  for (const key of ['climb_rate_mps', 'descent_rate_mps'] as const)
    atMost(key, climbMps, `no ${kind} climbs or falls so`);
  const { max_speed_mps: most } = performance;
  if (most !== undefined)
    for (const key of ['min_speed_mps', 'cruise_speed_mps'] as const) atMost(key, most, 'that is its max_speed_mps');
  return found;
}

type Said = [at: Path, value: number];

function speedsOf({ route, behaviour }: ScenarioActor): Said[] {
  const said = route.flatMap(({ speed_mps }, index): Said[] =>
    speed_mps === undefined ? [] : [[['route', index, 'speed_mps'], speed_mps]],
  );
  if (behaviour && 'speed_mps' in behaviour && behaviour.speed_mps !== undefined)
    said.push([['behaviour', 'speed_mps'], behaviour.speed_mps]);
  return said;
}

function checkSpeed({ kind }: ScenarioActor, can: PlatformPerformance, path: Path, speed: number): Finding[] {
  const most = Math.min(limits[kind].speedMps, can.max_speed_mps ?? Number.POSITIVE_INFINITY);
  if (speed === 0) return [{ path, text: 'must be more than 0: it would never arrive' }];
  if (speed <= most) return [];
  const why = most === can.max_speed_mps ? 'it flies no faster' : `no ${kind} is faster`;
  return [{ path, text: `must be at most ${most}: ${why}; received ${speed}` }];
}

function heightsOf({ start, route, behaviour }: ScenarioActor): Said[] {
  const said: Said[] = [];
  const add = (at: Path, height: number | undefined): void => {
    if (height !== undefined) said.push([[...at, 'height_m'], height]);
  };
  add(['start'], start.height_m);
  for (const [index, { height_m }] of route.entries()) add(['route', index], height_m);
  if (behaviour && 'height_m' in behaviour) add(['behaviour'], behaviour.height_m);
  if (behaviour && 'target' in behaviour && 'east_m' in behaviour.target)
    add(['behaviour', 'target'], behaviour.target.height_m);
  return said;
}

function checkHeight({ kind }: ScenarioActor, can: PlatformPerformance, path: Path, height: number): Finding[] {
  const most = Math.min(limits[kind].heightM, can.ceiling_agl_m ?? Number.POSITIVE_INFINITY);
  if (height <= most) return [];
  const why = most === can.ceiling_agl_m ? 'it flies no higher' : `no ${kind} is higher`;
  return [{ path, text: `must be at most ${most}: ${why}; received ${height}` }];
}
