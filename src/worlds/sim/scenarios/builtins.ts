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

/** The file that a built-in scenario stands in, by the id of the scenario. */
const files = new Map<string, string>();
let read: readonly BuiltinScenario[] | null = null;

/**
 * The scenarios that come with the program, by the names of their files. They are read once; a file that somebody broke is
 * left out, so that the others can still be flown.
 */
export function builtinScenarios(): readonly BuiltinScenario[] {
  read ??= scenarioFiles().flatMap((file) => {
    try {
      return [rowOf(file, scenarioOf(builtinText(file), builtinRim))];
    } catch (thrown) {
      if (thrown instanceof Fault) return [];
      throw thrown;
    }
  });
  return read;
}

/** The names of the files, in order; none where there is no such folder. Long ones are JSON, which is read much faster. */
export function scenarioFiles(): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => /^[a-z0-9_]+\.(yaml|json)$/.test(file))
      .sort();
  } catch {
    return [];
  }
}

/** The text of one of them, as it is to be copied. */
export function builtinText(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

/** The built-in scenario of that id, or of that key: the name of its file without the ending. */
export function builtinScenario(idOrKey: string): BuiltinScenario | undefined {
  return builtinScenarios().find(({ id }) => id === idOrKey || id === idOfKey(idOrKey));
}

/** The text of a built-in scenario, with its comments. */
export function textOfBuiltin({ id }: BuiltinScenario): string {
  return builtinText(files.get(id) ?? '');
}

function idOfKey(key: string): string {
  return idOfName('scenario', key);
}

function rowOf(file: string, spec: ScenarioSpec): BuiltinScenario {
  const id = idOfKey(file.slice(0, file.lastIndexOf('.')));
  files.set(id, file);
  return { id, ...spec, builtin: true, version: 1, created_at: null, updated_at: null };
}
