import { conflict, invalidInput } from '../../model/fault.ts';
import { pathText } from '../../model/issue.ts';
import { MOST_ACTORS, type ScenarioActor, type ScenarioSpec } from '../../model/scenario.ts';
import { checkScenario, type ScenarioDeps } from './check.ts';

/** Most faults in one answer. */
const MOST_FAULTS = 5;

/**
 * Returns a scenario with one more actor, which is injected during a run. The actor must pass the same checks as the
 * first ones. Throws `invalid_input` with its faults, or `conflict` if there are too many actors or its id is taken.
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
