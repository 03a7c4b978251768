import { closest } from '../../../../host/config/closest.ts';
import type { ScenarioActor, ScenarioSpec } from '../../../../model/scenario.ts';
import type { Finding, Path } from '../fault.ts';

/** Each id is of one thing: links are named after sensors and after assets alike. */
export function checkIds({ actors, sensors }: ScenarioSpec): Finding[] {
  const found: Finding[] = [];
  const owners = new Map<string, string>();
  const take = (id: string, path: Path, what: string): void => {
    const owner = owners.get(id);
    if (owner !== undefined) found.push({ path, text: `is '${id}', which is the id of ${owner} already` });
    else owners.set(id, what);
  };
  for (const [index, { id }] of actors.entries()) take(id, ['actors', index, 'id'], `actors[${index}]`);
  for (const [index, { id }] of sensors.entries()) take(id, ['sensors', index, 'id'], `sensors[${index}]`);
  const swarms = new Map(actors.filter(isMany).map((actor) => [actor.id, actor.count ?? 0]));
  for (const [index, { id }] of actors.entries()) {
    const [, swarm = '', number = ''] = /^(.*)-(\d{1,3})$/.exec(id) ?? [];
    if (Number(number) <= (swarms.get(swarm) ?? -1))
      found.push({
        path: ['actors', index, 'id'],
        text: `is '${id}', which is what one of the swarm ${swarm} is called`,
      });
  }
  return found;
}

export function isMany({ kind }: ScenarioActor): boolean {
  return kind === 'swarm' || kind === 'spoofer';
}

/** The actors of a scenario by id, with what to say of an id that none has. */
export class Cast {
  readonly #byId: ReadonlyMap<string, ScenarioActor>;

  constructor({ actors }: ScenarioSpec) {
    this.#byId = new Map(actors.map((actor) => [actor.id, actor]));
  }

  get(id: string): ScenarioActor | undefined {
    return this.#byId.get(id);
  }

  /** Nothing where the actor takes commands, or there is none. */
  unlessVehicle(id: string, path: Path): Finding[] {
    const actor = this.get(id);
    if (!actor || (actor.kind === 'asset' && actor.mavlink)) return [];
    return [{ path, text: `names '${id}', which takes no commands: it is no asset with mavlink` }];
  }

  /** Nothing where there is such an actor. */
  unknown(id: string, path: Path): Finding[] {
    if (this.#byId.has(id)) return [];
    const meant = closest(id, [...this.#byId.keys()]);
    return [{ path, text: `names the actor '${id}', and there is none${meant ? `; did you mean ${meant}?` : ''}` }];
  }
}
