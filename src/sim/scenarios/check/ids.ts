import { closest } from '../../../model/closest.ts';
import type { ScenarioActor, ScenarioSpec } from '../../../model/scenario.ts';
import { type Finding, findingIf, type Path } from '../fault.ts';

/**
 * Checks that no actor or sensor has the id of another one, because links are named after these ids. Neither may have
 * the id of a member of a swarm or spoofer, such as `swarm-3`.
 */
export function checkIds({ actors, sensors }: ScenarioSpec): Finding[] {
  const owners = new Map<string, string>();
  const take = (list: 'actors' | 'sensors') => (row: { id: string }, index: number) => {
    const owner = owners.get(row.id);
    if (owner === undefined) owners.set(row.id, `${list}[${index}]`);
    const text = `is '${row.id}', which is the id of ${owner} already`;
    return findingIf(owner !== undefined, [list, index, 'id'], text);
  };
  const swarms = new Map(actors.filter(isMany).map((actor) => [actor.id, actor.count ?? 0]));
  const ofMembers = (list: 'actors' | 'sensors') => (row: { id: string }, index: number) => {
    const [, swarm = '', number = ''] = /^(.*)-(\d{1,3})$/.exec(row.id) ?? [];
    const text = `is '${row.id}', which is the id of a member of ${swarm}`;
    return findingIf(Number(number) <= (swarms.get(swarm) ?? -1), [list, index, 'id'], text);
  };
  const members = [...actors.flatMap(ofMembers('actors')), ...sensors.flatMap(ofMembers('sensors'))];
  return [...actors.flatMap(take('actors')), ...sensors.flatMap(take('sensors')), ...members];
}

export function isMany({ kind }: ScenarioActor): boolean {
  return kind === 'swarm' || kind === 'spoofer';
}

/**
 * Returns a suggestion of a similar word, as the end of a sentence about an unknown word; empty if no word is
 * similar.
 */
export function didYouMean(word: string, words: readonly string[]): string {
  const meant = closest(word, words);
  return meant ? `; did you mean ${meant}?` : '';
}

/** Actors of a scenario by their ids, and checks of references to them. */
export class Cast {
  readonly #byId: ReadonlyMap<string, ScenarioActor>;

  constructor({ actors }: ScenarioSpec) {
    this.#byId = new Map(actors.map((actor) => [actor.id, actor]));
  }

  get(id: string): ScenarioActor | undefined {
    return this.#byId.get(id);
  }

  /**
   * Returns a finding if the actor takes no commands. A missing actor gives no finding here, since `unknown` reports
   * it.
   */
  unlessVehicle(id: string, path: Path): Finding[] {
    const actor = this.get(id);
    const isOther = actor !== undefined && !(actor.kind === 'asset' && actor.mavlink);
    return findingIf(
      isOther,
      path,
      `names '${id}', which takes no commands: only an actor of the kind asset with mavlink does`,
    );
  }

  /** Returns a finding if the named actor does not exist; none if no actor is named. */
  unknown(id: string | undefined, path: Path): Finding[] {
    if (id === undefined || this.#byId.has(id)) return [];
    const hint = didYouMean(id, [...this.#byId.keys()]);
    return [{ path, text: `names the actor '${id}', which does not exist${hint}` }];
  }
}
