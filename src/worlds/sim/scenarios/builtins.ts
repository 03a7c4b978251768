import { readdirSync, readFileSync } from 'node:fs';
import { idOfName } from '../../../host/name_id.ts';
import { Fault } from '../../../model/fault.ts';
import type { Scenario, ScenarioSpec } from '../../../model/scenario.ts';
import { builtins as platforms } from '../../../registry/catalog/builtins.ts';
import { NameIndex } from '../../../registry/catalog/names.ts';
import type { ScenarioRim } from './check.ts';
import { scenarioOf } from './read.ts';

// build/src/worlds/sim/scenarios/builtins.js stands five folders below config/, in a clone and when installed.
const folder = new URL('../../../../../config/scenarios/', import.meta.url);

const names = new NameIndex(platforms);

/** Knows the platforms that come with the program: what there is without a workspace. */
export const builtinRim: ScenarioRim = { catalog: (name) => names.find(name) };

export type BuiltinScenario = Scenario & { builtin: true };

/** The name of the file that a built-in scenario stands in, without its ending, by the id of the scenario. */
const keys = new Map<string, string>();
let read: readonly BuiltinScenario[] | null = null;

/**
 * The scenarios that come with the program, by the names of their files. They are read once; a file that somebody broke is
 * left out, so that the others can still be flown.
 */
export function builtinScenarios(): readonly BuiltinScenario[] {
  read ??= scenarioFiles().flatMap((key) => {
    try {
      return [rowOf(key, scenarioOf(builtinText(key), builtinRim))];
    } catch (thrown) {
      if (thrown instanceof Fault) return [];
      throw thrown;
    }
  });
  return read;
}

/** The names of the files, without their ending, in order; none where there is no such folder. */
export function scenarioFiles(): string[] {
  try {
    const files = readdirSync(folder).filter((file) => /^[a-z0-9_]+\.yaml$/.test(file));
    return files.map((file) => file.slice(0, -'.yaml'.length)).sort();
  } catch {
    return [];
  }
}

/** The text of one of them, as it is to be copied. */
export function builtinText(key: string): string {
  return readFileSync(new URL(`${key}.yaml`, folder), 'utf8');
}

/** The built-in scenario of that id, or of that file name. */
export function builtinScenario(idOrKey: string): BuiltinScenario | undefined {
  return builtinScenarios().find(({ id }) => id === idOrKey || keys.get(id) === idOrKey);
}

/** The text of a built-in scenario, with its comments. */
export function textOfBuiltin({ id }: BuiltinScenario): string {
  return builtinText(keys.get(id) ?? '');
}

function rowOf(key: string, spec: ScenarioSpec): BuiltinScenario {
  const id = idOfName('scenario', key);
  keys.set(id, key);
  return { id, ...spec, builtin: true, version: 1, created_at: null, updated_at: null };
}
