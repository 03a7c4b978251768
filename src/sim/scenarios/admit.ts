import { conflict, invalidInput } from '../../model/fault.ts';
import { pathText } from '../../model/issue.ts';
import { MOST_ACTORS, type ScenarioActor, type ScenarioSpec } from '../../model/scenario.ts';
import { checkScenario, type ScenarioDeps } from './check.ts';

/** Limit of the faults in one answer. */
const MOST_FAULTS = 5;

/**
 * Adds an actor to the scenario of a run that is under way, and checks the result like every scenario. Throws
 * `invalid_input` with the faults, or `conflict` if there are too many actors or the id is taken.
 */
export function admitted(spec: ScenarioSpec, actor: ScenarioActor, deps: ScenarioDeps): ScenarioSpec {
  const at = spec.actors.length;
  if (at >= MOST_ACTORS) throw conflict(`there are already ${MOST_ACTORS} actors in the scenario, the maximum`);
  if (spec.actors.some(({ id }) => id === actor.id))
    throw conflict(`there is an actor '${actor.id}' in the scenario already`);
  const grown = { ...spec, actors: [...spec.actors, actor] };
  const found = checkScenario(grown, deps).map(({ path, text }) => {
    const isOwn = path[0] === 'actors' && path[1] === at;
    return `'${pathText(isOwn ? ['actor', ...path.slice(2)] : path)}' ${text}`;
  });
  if (found.length > 0) throw invalidInput(found.slice(0, MOST_FAULTS).join('; '));
  return grown;
}
