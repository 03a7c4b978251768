import type { ScenarioActor } from '../../../model/scenario.ts';

/** The actors of a run: those of its scenario, and those that were put in while it ran. */
export class Cast {
  readonly #actors = new Map<string, ScenarioActor>();

  constructor(actors: readonly ScenarioActor[]) {
    for (const actor of actors) this.add(actor);
  }

  add(actor: ScenarioActor): void {
    this.#actors.set(actor.id, actor);
  }

  /** Of what is somewhere: one of many is its actor's name and a number. */
  of(id: string): ScenarioActor | undefined {
    return this.#actors.get(id) ?? this.#actors.get(id.replace(/-\d+$/, ''));
  }

  isOf(id: string, actorId: string): boolean {
    return id === actorId || this.of(id)?.id === actorId;
  }

  all(): IterableIterator<ScenarioActor> {
    return this.#actors.values();
  }
}
