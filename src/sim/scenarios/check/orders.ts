import type { ScenarioOrder, ScenarioSpec } from '../../../model/scenario.ts';
import { kindsOf, type ParamKind } from '../../../model/verb.ts';
import { type Finding, findingIf, type Path } from '../fault.ts';
import { afterTheEnd } from './actors.ts';
import { Cast } from './ids.ts';

/** Orders are given within the scenario, to vehicles that take commands, with parameters of their verb. */
export function checkOrders(spec: ScenarioSpec): Finding[] {
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
    return [{ path: [...path, second], text: `stands beside ${first}: only one of params, track_of and to may` }];
  const takes = kindsOf(verb);
  // An escorted vehicle is named by its actor too: its asset has no id before the run.
  const byActor: ParamKind = takes.includes('asset') ? 'asset' : 'track';
  const kind = track_of !== undefined ? byActor : to !== undefined ? 'point' : (params?.kind ?? 'none');
  const at = first === undefined ? [...path, 'verb'] : [...path, first];
  if (!takes.includes(kind))
    return [{ path: at, text: `does not fit: ${verb} is about ${takes.join(' or ')}, not ${kind}` }];
  const isId = params?.kind === 'track' || params?.kind === 'asset';
  return findingIf(isId, at, 'names an id, which nobody knows beforehand; say track_of with the id of an actor');
}
