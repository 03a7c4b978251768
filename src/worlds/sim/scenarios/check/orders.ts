import type { ScenarioOrder, ScenarioSpec } from '../../../../model/scenario.ts';
import { type ParamKind, verbs } from '../../../../model/verb.ts';
import type { Finding, Path } from '../fault.ts';
import { afterTheEnd } from './actors.ts';
import { Cast } from './ids.ts';

/** That orders are given in time, to what takes commands, and with what the verb takes. */
export function checkOrders(spec: ScenarioSpec): Finding[] {
  const cast = new Cast(spec);
  return spec.orders.flatMap((order, index) => {
    const path = ['orders', index];
    const late = order.at_s < spec.duration_s ? [] : [{ path: [...path, 'at_s'], text: afterTheEnd(spec.duration_s) }];
    const rest =
      order.do === 'command' ? checkCommand(order, path, cast) : cast.unknown(order.about, [...path, 'about']);
    return [...late, ...rest];
  });
}

type CommandOrder = ScenarioOrder & { do: 'command' };

function checkCommand(order: CommandOrder, path: Path, cast: Cast): Finding[] {
  const { asset, track_of } = order;
  const found = [...cast.unknown(asset, [...path, 'asset']), ...cast.unlessVehicle(asset, [...path, 'asset'])];
  if (track_of !== undefined) found.push(...cast.unknown(track_of, [...path, 'track_of']));
  return [...found, ...checkParams(order, path)];
}

function checkParams({ verb, params, track_of, to }: CommandOrder, path: Path): Finding[] {
  const given = Object.entries({ params, track_of, to }).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  const [first, second] = given;
  if (second !== undefined)
    return [{ path: [...path, second], text: `stands beside ${first}: only one of params, track_of and to may` }];
  const takes: readonly ParamKind[] = verbs[verb].params;
  // Whoever is escorted is called by its actor too: nobody knows its id before it flies.
  const byActor: ParamKind = takes.includes('asset') ? 'asset' : 'track';
  const kind = track_of !== undefined ? byActor : to !== undefined ? 'point' : (params?.kind ?? 'none');
  const at = first === undefined ? [...path, 'verb'] : [...path, first];
  if (!takes.includes(kind))
    return [{ path: at, text: `does not fit: ${verb} is about ${takes.join(' or ')}, not ${kind}` }];
  if (params?.kind === 'track' || params?.kind === 'asset')
    return [{ path: at, text: `names an id, which nobody knows beforehand; say track_of with the id of an actor` }];
  return [];
}
