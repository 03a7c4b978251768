import { type Actor, actorLabel } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import type { ScenarioSpec } from '../model/scenario.ts';
import type { RegistryRim } from './rim.ts';
import { type Kept, Shelf } from './shelf.ts';

const MOST_SCENARIOS = 500;
/** Of all of a workspace as JSON: they are held in memory, as everything that people own. */
const MOST_BYTES = 8 * 1024 * 1024;

export type KeptScenario = Kept<ScenarioSpec>;

/**
 * The scenarios that the operators of a workspace wrote. Those that come with the program, and whether a scenario fits
 * together, are known where scenarios are flown (worlds/sim/scenarios).
 */
export class Scenarios {
  readonly #shelf: Shelf<ScenarioSpec>;

  constructor(rim: RegistryRim) {
    this.#shelf = new Shelf(rim, {
      table: 'scenarios',
      list: null,
      noun: 'scenario',
      most: MOST_SCENARIOS,
      check: refuseHeavy,
      changed: (id, version, by) =>
        rim.tell.announce('config_change', { what: 'scenario', id, version, by: actorLabel(by) }),
    });
  }

  /** By name. */
  list(): readonly KeptScenario[] {
    return this.#shelf.list();
  }

  /** Throws `not_found`. */
  get(id: string): KeptScenario {
    return this.#shelf.get(id);
  }

  create(spec: ScenarioSpec, by: Actor): KeptScenario {
    return this.#shelf.create(spec, by);
  }

  /** Writes over all of it. Throws `conflict` where `version` is not the row's. */
  update(id: string, spec: ScenarioSpec, version: number | undefined, by: Actor): KeptScenario {
    return this.#shelf.update(id, spec, version, by);
  }

  remove(id: string, by: Actor): void {
    this.#shelf.remove(id, by);
  }
}

function refuseHeavy(spec: ScenarioSpec, others: readonly KeptScenario[]): void {
  const held = [spec, ...others].reduce((sum, one) => sum + bytesOf(one), 0);
  if (held <= MOST_BYTES) return;
  const sentence = `the scenarios of this workspace would be over ${MOST_BYTES / 1024 / 1024} MiB together; delete one first`;
  throw new Fault('conflict', sentence);
}

/** Kept rows are measured once: a write is judged beside all of them. */
const sizes = new WeakMap<ScenarioSpec, number>();

function bytesOf(spec: ScenarioSpec): number {
  const known = sizes.get(spec) ?? Buffer.byteLength(JSON.stringify(spec));
  sizes.set(spec, known);
  return known;
}
