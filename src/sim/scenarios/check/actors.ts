import type { ScenarioActor, ScenarioSpec } from '../../../model/scenario.ts';
import { type Finding, findingIf, type Path } from '../fault.ts';
import { isMany } from './ids.ts';

/** Kinds of actors that may have these parts of the document. */
const kindsOfPart: Record<'mavlink' | 'adsb' | 'remote_id' | 'count', readonly ScenarioActor['kind'][]> = {
  mavlink: ['asset'],
  adsb: ['aircraft', 'asset', 'drone'],
  remote_id: ['drone', 'asset', 'swarm', 'spoofer', 'aircraft'],
  count: ['swarm', 'spoofer'],
};
const parts = Object.keys(kindsOfPart) as (keyof typeof kindsOfPart)[];

/**
 * Checks that each actor has the parts that its kind needs, and no part that its kind cannot have. Its times must be
 * within the scenario.
 */
export function checkActors({ actors, duration_s }: ScenarioSpec): Finding[] {
  return actors.flatMap((actor, index) => {
    const path = ['actors', index];
    return [...checkParts(actor, path), ...checkTimes(actor, path, duration_s)];
  });
}

function checkParts(actor: ScenarioActor, path: Path): Finding[] {
  const { kind, count, type } = actor;
  const isMissing = isMany(actor) && count === undefined;
  const isOther = type !== undefined && (type === 'bird') !== (kind === 'bird');
  return [
    ...parts.flatMap((part) => {
      const kinds = kindsOfPart[part];
      const isWrong = actor[part] !== undefined && !kinds.includes(kind);
      return findingIf(isWrong, [...path, part], `is not allowed for a ${kind}, only for ${kinds.join(', ')}`);
    }),
    ...findingIf(isMissing, [...path, 'count'], `is missing: a ${kind} needs the number of its members`),
    ...findingIf(isOther, [...path, 'type'], `is ${type}, which a ${kind} is not`),
  ];
}

function checkTimes(actor: ScenarioActor, path: Path, endS: number): Finding[] {
  const { appears_s: fromS, leaves_s: toS = endS, hidden, remote_id } = actor;
  const { off = [], lies } = remote_id ?? {};
  const isShort = actor.leaves_s !== undefined && toS <= fromS;
  return [
    ...findingIf(fromS >= endS, [...path, 'appears_s'], `must be less than duration_s, which is ${endS}`),
    ...findingIf(toS > endS, [...path, 'leaves_s'], `must be at most duration_s, which is ${endS}`),
    ...findingIf(isShort, [...path, 'leaves_s'], `must be more than appears_s, which is ${fromS}`),
    ...checkSpans(hidden, [...path, 'hidden'], endS),
    ...checkSpans(off, [...path, 'remote_id', 'off'], endS),
    ...findingIf((lies?.from_s ?? 0) >= endS, [...path, 'remote_id', 'lies', 'from_s'], afterTheEnd(endS)),
  ];
}

/**
 * Checks that spans begin before the end of the scenario. A span may end later, since the end of the scenario cuts it.
 */
export function checkSpans(spans: readonly { from_s: number }[], path: Path, durationS: number): Finding[] {
  return spans.flatMap(({ from_s }, index) =>
    findingIf(from_s >= durationS, [...path, index, 'from_s'], afterTheEnd(durationS)),
  );
}

export function afterTheEnd(durationS: number): string {
  return `is not within the scenario, which ends after ${durationS} s`;
}
