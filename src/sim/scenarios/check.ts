import { areaFault } from '../../geo/area_fault.ts';
import { shapeFault } from '../../geo/shape/fault.ts';
import type { CatalogModel } from '../../model/catalog.ts';
import type { Geometry } from '../../model/geometry.ts';
import type { ScenarioActor, ScenarioOrder, ScenarioSpec } from '../../model/scenario.ts';
import { kindsOf, type ParamKind } from '../../model/verb.ts';
import { afterTheEnd, checkActors, checkSpans } from './check/actors.ts';
import { checkExpectations } from './check/expectations.ts';
import { checkFlight } from './check/flight.ts';
import { Cast, checkIds } from './check/ids.ts';
import { checkLoad } from './check/load.ts';
import { type Finding, findingIf, type Path } from './fault.ts';

/**
 * Limit of the positions (corners) of all zones of a scenario together. The core evaluates these zones in addition to
 * those of the workspace.
 */
const MOST_POSITIONS = 10_000;

/**
 * Checks that zones are valid areas with a floor below their ceiling, as in the registry. Their names must differ, and
 * their positions must not exceed `MOST_POSITIONS`.
 */
function checkZones({ zones }: ScenarioSpec): Finding[] {
  const positions = zones.reduce((sum, { geometry }) => sum + positionsOf(geometry), 0);
  if (positions > MOST_POSITIONS)
    return [{ path: ['zones'], text: `have ${positions} positions together; at most ${MOST_POSITIONS} are allowed` }];
  const names = zones.map(({ name }) => name);
  return zones.flatMap(({ geometry, name, floor_m: floor, ceiling_m: ceiling }, index) => {
    const path = ['zones', index];
    const isTwice = names.indexOf(name) < index;
    const isEmpty = floor !== null && ceiling !== null && floor >= ceiling;
    return [
      ...checkGeometry(geometry, [...path, 'geometry']),
      ...findingIf(isTwice, [...path, 'name'], 'is the name of another zone of the scenario'),
      ...findingIf(isEmpty, [...path, 'ceiling_m'], `must be greater than floor_m, which is ${floor}`),
    ];
  });
}

function checkGeometry(geometry: Geometry, path: Path): Finding[] {
  const shape = shapeFault(geometry);
  if (shape) return [{ path: [...path, ...shape.path], text: shape.sentence }];
  const fault = areaFault(geometry);
  return fault ? [{ path: [...path, 'coordinates'], text: fault }] : [];
}

function positionsOf({ type, coordinates }: Geometry): number {
  if (type === 'Polygon') return coordinates.flat().length;
  if (type === 'MultiPolygon') return coordinates.flat(2).length;
  return type === 'LineString' ? coordinates.length : 1;
}

/** Inputs of the checks besides the scenario. */
export type ScenarioDeps = {
  /**
   * Returns the model of that name; undefined if there is none. Throws `conflict` if several models have the
   * name.
   */
  catalog(name: string): CatalogModel | undefined;
};

/** Returns the contradictions in a scenario that fits its schema. Never throws. */
export function checkScenario(spec: ScenarioSpec, deps: ScenarioDeps): Finding[] {
  return [
    ...checkIds(spec),
    ...checkActors(spec),
    ...checkFlight(spec, deps),
    ...checkWays(spec),
    ...checkSensors(spec),
    ...checkLoad(spec),
    ...checkZones(spec),
    ...checkOrders(spec),
    ...checkExpectations(spec),
  ];
}

/** Checks that the minimum range of each sensor is below its maximum, and that outages begin within the scenario. */
function checkSensors({ sensors, duration_s }: ScenarioSpec): Finding[] {
  return sensors.flatMap(({ placement: { min_range_m: min, max_range_m: max }, outages }, index) => {
    const path = ['sensors', index];
    const text = `must be more than min_range_m, which is ${min}`;
    return [
      ...checkSpans(outages, [...path, 'outages'], duration_s),
      ...findingIf(max <= min, [...path, 'placement', 'max_range_m'], text),
    ];
  });
}

/**
 * Checks that orders are given within the scenario. Commands must go to vehicles that take them, with parameters that
 * fit the verb.
 */
function checkOrders(spec: ScenarioSpec): Finding[] {
  const cast = new Cast(spec);
  return spec.orders.flatMap((order, index) => {
    const path = ['orders', index];
    const late = findingIf(order.at_s >= spec.duration_s, [...path, 'at_s'], afterTheEnd(spec.duration_s));
    if (order.do !== 'command') return [...late, ...cast.unknown(order.about, [...path, 'about'])];
    return [
      ...late,
      ...cast.unknown(order.asset, [...path, 'asset']),
      ...cast.unlessVehicle(order.asset, [...path, 'asset']),
      ...cast.unknown(order.track_of, [...path, 'track_of']),
      ...checkParams(order, path),
    ];
  });
}

function checkParams({ verb, params, track_of, to }: ScenarioOrder & { do: 'command' }, path: Path): Finding[] {
  const given = Object.entries({ params, track_of, to }).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  const [first, second] = given;
  if (second !== undefined)
    return [{ path: [...path, second], text: `conflicts with ${first}: give only one of params, track_of and to` }];
  const takes = kindsOf(verb);
  // `track_of` also names the actor of an escorted vehicle, because the vehicle's asset has no id before the run.
  const byActor: ParamKind = takes.includes('asset') ? 'asset' : 'track';
  const kind = track_of !== undefined ? byActor : to !== undefined ? 'point' : (params?.kind ?? 'none');
  const at = first === undefined ? [...path, 'verb'] : [...path, first];
  if (!takes.includes(kind))
    return [{ path: at, text: `does not fit: the verb ${verb} takes ${takes.join(' or ')}, not ${kind}` }];
  const isId = params?.kind === 'track' || params?.kind === 'asset';
  return findingIf(
    isId,
    at,
    'names the id of a track or asset, unknown before the run; use track_of with the id of an actor',
  );
}

/** Checks that behaviours refer to existing actors, and that no actors follow each other in a ring. */
function checkWays(spec: ScenarioSpec): Finding[] {
  const cast = new Cast(spec);
  const found = spec.actors.flatMap((actor, index) => checkBehaviour(actor, ['actors', index, 'behaviour'], cast));
  return [...found, ...checkRings(spec.actors, cast)];
}

function checkBehaviour(actor: ScenarioActor, path: Path, cast: Cast): Finding[] {
  const { behaviour, route, id } = actor;
  if (behaviour?.kind === 'route' && route.length === 0)
    return [{ path, text: 'has the kind route, but the actor has no route' }];
  const other = otherOf(actor);
  if (!other) return [];
  const at = [...path, ...other.at];
  if (other.id === id) return [{ path: at, text: `must name another actor than '${id}' itself` }];
  const unknown = cast.unknown(other.id, at);
  if (unknown.length === 0 && behaviour?.kind === 'formation' && cast.get(other.id)?.kind === 'spoofer')
    return [{ path: at, text: `names the spoofer '${other.id}', with which no actor can fly in formation` }];
  return unknown;
}

/** Returns the actor to which the behaviour refers; null for none. */
function otherOf({ behaviour }: ScenarioActor): { id: string; at: Path } | null {
  switch (behaviour?.kind) {
    case 'formation':
      return { id: behaviour.with, at: ['with'] };
    case 'evade':
      return { id: behaviour.from, at: ['from'] };
    case 'approach':
    case 'orbit':
      return 'actor' in behaviour.target ? { id: behaviour.target.actor, at: ['target', 'actor'] } : null;
    default:
      return null;
  }
}

/**
 * Finds rings of actors: each keeps its position relative to the next, and the last relative to the first. Such a ring
 * cannot be flown. Each actor refers to at most one other, so following the references finds every ring.
 */
function checkRings(actors: readonly ScenarioActor[], cast: Cast): Finding[] {
  const found: Finding[] = [];
  const leads = (actor: ScenarioActor | undefined): string | null => {
    const kind = actor?.behaviour?.kind;
    return actor && (kind === 'formation' || kind === 'orbit') ? (otherOf(actor)?.id ?? null) : null;
  };
  const done = new Set<string>();
  for (const [index, actor] of actors.entries()) {
    const way: string[] = [];
    for (let at: string | null = actor.id; at !== null && !done.has(at); at = leads(cast.get(at))) {
      const begins = way.indexOf(at);
      if (begins >= 0) {
        const ring = way.slice(begins);
        if (ring.length > 1)
          found.push({
            path: ['actors', index, 'behaviour'],
            text: `cannot be flown, because actors follow each other in a circle: ${[...ring, at].slice(0, 12).join(' follows ')}`,
          });
        break;
      }
      way.push(at);
    }
    for (const id of way) done.add(id);
  }
  return found;
}
