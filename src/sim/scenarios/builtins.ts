import { readdirSync, readFileSync } from 'node:fs';
import { idOfName } from '../../host/name_id.ts';
import { Fault } from '../../model/fault.ts';
import type { Scenario, ScenarioSpec } from '../../model/scenario.ts';
import { builtins as platforms } from '../../registry/catalog/builtins.ts';
import { NameIndex } from '../../registry/catalog/names.ts';
import type { ScenarioDeps } from './check.ts';
import { scenarioOf } from './read.ts';

// The compiled file is in build/src/sim/scenarios/, four folders below the folder with config/, also when installed.
const folder = new URL('../../../../config/scenarios/', import.meta.url);

const names = new NameIndex(platforms);

/** Catalog of the built-in models, without the models of a workspace. */
export const builtinDeps: ScenarioDeps = { catalog: (name) => names.find(name) };

export type BuiltinScenario = Scenario & { builtin: true };

let files: ReadonlyMap<string, string> | null = null;
let read: ReadonlyMap<string, BuiltinScenario> | null = null;

/**
 * Returns the names of the built-in scenario files without their endings, sorted; an empty list if the folder is
 * missing.
 */
export function scenarioFiles(): string[] {
  return [...filesByKey().keys()];
}

/**
 * Returns the text of a built-in scenario, for copying. Long scenarios are JSON, which is parsed much faster than YAML.
 */
export function builtinText(key: string): string {
  return readFileSync(new URL(filesByKey().get(key) ?? key, folder), 'utf8');
}

/** Returns the built-in scenarios, sorted by their file names. */
export function builtinScenarios(): readonly BuiltinScenario[] {
  return [...scenariosByKey().values()];
}

/** Returns the built-in scenario with that id or key. The key is the file name without its ending. */
export function builtinScenario(idOrKey: string): BuiltinScenario | undefined {
  return scenariosByKey().get(idOrKey) ?? builtinScenarios().find(({ id }) => id === idOrKey);
}

/** Returns the text of a built-in scenario, with its comments; undefined if none has the id. */
export function builtinTextOf(id: string): string | undefined {
  for (const [key, scenario] of scenariosByKey()) if (scenario.id === id) return builtinText(key);
  return undefined;
}

function filesByKey(): ReadonlyMap<string, string> {
  files ??= new Map(listed().map((file) => [file.slice(0, file.lastIndexOf('.')), file]));
  return files;
}

function listed(): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => /^[a-z0-9_]+\.(yaml|json)$/.test(file))
      .sort();
  } catch {
    return [];
  }
}

/** Returns the built-in scenarios, which are read once. A broken file is left out, so that the others still work. */
function scenariosByKey(): ReadonlyMap<string, BuiltinScenario> {
  read ??= new Map(scenarioFiles().flatMap((key) => readOne(key)));
  return read;
}

function readOne(key: string): [string, BuiltinScenario][] {
  try {
    return [[key, rowOf(key, scenarioOf(builtinText(key), builtinDeps))]];
  } catch (thrown) {
    if (thrown instanceof Fault) return [];
    throw thrown;
  }
}

function rowOf(key: string, spec: ScenarioSpec): BuiltinScenario {
  const id = idOfName('scenario', key);
  return { id, ...spec, builtin: true, version: 1, created_at: null, updated_at: null };
}
