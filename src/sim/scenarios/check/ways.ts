import type { ScenarioActor, ScenarioSpec } from '../../../model/scenario.ts';
import type { Finding, Path } from '../fault.ts';
import { Cast } from './ids.ts';

/** Actors that a behaviour refers to exist, and references form no ring. */
export function checkWays(spec: ScenarioSpec): Finding[] {
  const cast = new Cast(spec);
  const found = spec.actors.flatMap((actor, index) => checkBehaviour(actor, ['actors', index, 'behaviour'], cast));
  return [...found, ...checkRings(spec.actors, cast)];
}

function checkBehaviour(actor: ScenarioActor, path: Path, cast: Cast): Finding[] {
  const { behaviour, route, id } = actor;
  if (behaviour?.kind === 'route' && route.length === 0)
    return [{ path, text: 'is to fly a route, and the actor has none' }];
  const other = otherOf(actor);
  if (!other) return [];
  const at = [...path, ...other.at];
  if (other.id === id) return [{ path: at, text: `names the actor '${id}' itself` }];
  const unknown = cast.unknown(other.id, at);
  if (unknown.length === 0 && behaviour?.kind === 'formation' && cast.get(other.id)?.kind === 'spoofer')
    return [{ path: at, text: `names the spoofer '${other.id}', with which nothing can fly` }];
  return unknown;
}

/** Actor that the behaviour refers to, if any. */
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

/** A chain of actors that keep their place by another needs an end. Each refers to one at most, so a walk finds a ring. */
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
            text: `cannot be flown: ${[...ring, at].slice(0, 12).join(' keeps by ')}`,
          });
        break;
      }
      way.push(at);
    }
    for (const id of way) done.add(id);
  }
  return found;
}
