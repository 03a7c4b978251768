import type { ScenarioActor } from '../../model/scenario.ts';

/** Actors of a run: those of its scenario, and those injected during it. */
export class Cast {
  readonly #actors = new Map<string, ScenarioActor>();

  constructor(actors: readonly ScenarioActor[]) {
    for (const actor of actors) this.add(actor);
  }

  add(actor: ScenarioActor): void {
    this.#actors.set(actor.id, actor);
  }

  /** Actor of an object; objects of an actor with several have the actor's id followed by a number. */
  of(id: string): ScenarioActor | undefined {
    return this.#actors.get(id) ?? this.#actors.get(id.replace(/-\d+$/, ''));
  }

  /** The actor's name for people. */
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
