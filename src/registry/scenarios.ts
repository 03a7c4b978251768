import { actorLabel } from '../model/actor.ts';
import { conflict } from '../model/fault.ts';
import type { ScenarioSpec } from '../model/scenario.ts';
import type { Kept } from '../store/documents.ts';
import type { RegistryDeps } from './deps.ts';
import { Repository } from './repository.ts';

const MOST_SCENARIOS = 500;
/** Limit of all scenarios of a workspace together, bytes of JSON; the registry holds them in memory. */
const MOST_BYTES = 8 * 1024 * 1024;

export type KeptScenario = Kept<ScenarioSpec>;

/**
 * Scenarios that people of a workspace wrote. Built-in scenarios, and the checks of a scenario's content, are in
 * sim/scenarios.
 */
export class Scenarios extends Repository<ScenarioSpec> {
  constructor(deps: RegistryDeps) {
    super(deps, {
      table: 'scenarios',
      list: null,
      noun: 'scenario',
      most: MOST_SCENARIOS,
      check: refuseHeavy,
      changed: (id, version, by) =>
        deps.publish.announce('config_change', { what: 'scenario', id, version, by: actorLabel(by) }),
    });
  }
}

function refuseHeavy(spec: ScenarioSpec, others: readonly KeptScenario[]): void {
  const held = [spec, ...others].reduce((sum, one) => sum + bytesOf(one), 0);
  if (held <= MOST_BYTES) return;
  const sentence = `the scenarios of this workspace would have more than ${MOST_BYTES / 1024 / 1024} MiB together; delete one first`;
  throw conflict(sentence);
}

/** Size of each stored scenario, bytes. Cached, because a write is checked against all scenarios together. */
const sizes = new WeakMap<ScenarioSpec, number>();

function bytesOf(spec: ScenarioSpec): number {
  const known = sizes.get(spec) ?? Buffer.byteLength(JSON.stringify(spec));
  sizes.set(spec, known);
  return known;
}
