import { sameJson } from '../model/same_json.ts';

/** The fields in which two documents differ, as they were and as they are: what a log row tells of a change. */
export function changedFields(before: object, after: object): { before: object; after: object } {
  const was = before as Record<string, unknown>;
  const is = after as Record<string, unknown>;
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => !sameJson(was[name], is[name]),
  );
  const of = (from: Record<string, unknown>): object => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { before: of(was), after: of(is) };
}
