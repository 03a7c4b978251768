import type { ScenarioActor } from '../../model/scenario.ts';

/** Actors of a run: those of its scenario, and those that were injected. */
export class Cast {
  readonly #actors = new Map<string, ScenarioActor>();

  constructor(actors: readonly ScenarioActor[]) {
    for (const actor of actors) this.add(actor);
  }

  add(actor: ScenarioActor): void {
    this.#actors.set(actor.id, actor);
  }

  /**
   * Returns the actor of an object. If an actor has several objects, their ids are the actor's id, a hyphen and a
   * number.
   */
  of(id: string): ScenarioActor | undefined {
    return this.#actors.get(id) ?? this.#actors.get(id.replace(/-\d+$/, ''));
  }

  /** Returns the actor's name for people; the id if it has none. */
  nameOf(id: string): string {
    return this.of(id)?.name ?? id;
  }

  isOf(id: string, actorId: string): boolean {
    return id === actorId || this.of(id)?.id === actorId;
  }

  all(): IterableIterator<ScenarioActor> {
    return this.#actors.values();
  }
}
