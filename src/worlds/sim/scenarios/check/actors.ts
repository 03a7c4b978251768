import type { ScenarioActor, ScenarioSpec } from '../../../../model/scenario.ts';
import type { Finding, Path } from '../fault.ts';
import { isMany } from './ids.ts';

type Kind = ScenarioActor['kind'];

/** Who may have a part that not everybody has. */
const bearers: { part: 'mavlink' | 'adsb' | 'remote_id' | 'count'; kinds: readonly Kind[] }[] = [
  { part: 'mavlink', kinds: ['asset'] },
  { part: 'adsb', kinds: ['aircraft', 'asset', 'drone'] },
  { part: 'remote_id', kinds: ['drone', 'asset', 'swarm', 'spoofer', 'aircraft'] },
  { part: 'count', kinds: ['swarm', 'spoofer'] },
];

/** That an actor has what its kind needs and nothing that its kind cannot have, and when it is there. */
export function checkActors({ actors, duration_s }: ScenarioSpec): Finding[] {
  return actors.flatMap((actor, index) => {
    const path = ['actors', index];
    return [...checkParts(actor, path), ...checkTimes(actor, path, duration_s)];
  });
}

function checkParts(actor: ScenarioActor, path: Path): Finding[] {
  const { kind, count, type } = actor;
  const found: Finding[] = [];
  for (const { part, kinds } of bearers)
    if (actor[part] !== undefined && !kinds.includes(kind))
      found.push({ path: [...path, part], text: `is not of a ${kind}, but of ${kinds.join(', ')}` });
  if (isMany(actor) && count === undefined)
    found.push({ path: [...path, 'count'], text: `is missing: how many there are of a ${kind}` });
  if (type !== undefined && (type === 'bird') !== (kind === 'bird'))
    found.push({ path: [...path, 'type'], text: `is ${type}, which a ${kind} is not` });
  return found;
}

function checkTimes(actor: ScenarioActor, path: Path, durationS: number): Finding[] {
  const { appears_s, leaves_s, hidden, remote_id } = actor;
  const found: Finding[] = [];
  if (appears_s >= durationS)
    found.push({ path: [...path, 'appears_s'], text: `must be less than duration_s, which is ${durationS}` });
  if (leaves_s !== undefined && leaves_s > durationS)
    found.push({ path: [...path, 'leaves_s'], text: `must be at most duration_s, which is ${durationS}` });
  if (leaves_s !== undefined && leaves_s <= appears_s)
    found.push({ path: [...path, 'leaves_s'], text: `must be more than appears_s, which is ${appears_s}` });
  found.push(...checkSpans(hidden, [...path, 'hidden'], durationS));
  found.push(...checkSpans(remote_id?.off ?? [], [...path, 'remote_id', 'off'], durationS));
  const lies = remote_id?.lies;
  if (lies && lies.from_s >= durationS)
    found.push({ path: [...path, 'remote_id', 'lies', 'from_s'], text: afterTheEnd(durationS) });
  return found;
}

/** A span may reach beyond the end: then it lasts until there. */
export function checkSpans(spans: readonly { from_s: number }[], path: Path, durationS: number): Finding[] {
  return spans.flatMap(({ from_s }, index) =>
    from_s < durationS ? [] : [{ path: [...path, index, 'from_s'], text: afterTheEnd(durationS) }],
  );
}

export function afterTheEnd(durationS: number): string {
  return `is not within the scenario, which ends after ${durationS} s`;
}
