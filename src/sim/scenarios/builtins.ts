import { readdirSync, readFileSync } from 'node:fs';
import { idOfName } from '../../host/name_id.ts';
import { Fault } from '../../model/fault.ts';
import type { Scenario, ScenarioSpec } from '../../model/scenario.ts';
import { builtins as platforms } from '../../registry/catalog/builtins.ts';
import { NameIndex } from '../../registry/catalog/names.ts';
import type { ScenarioDeps } from './check.ts';
import { scenarioOf } from './read.ts';

// build/src/sim/scenarios/builtins.js stands four folders below config/, in a clone and when installed.
const folder = new URL('../../../../config/scenarios/', import.meta.url);

const names = new NameIndex(platforms);

/** Catalog of the program itself, without a workspace. */
export const builtinDeps: ScenarioDeps = { catalog: (name) => names.find(name) };

export type BuiltinScenario = Scenario & { builtin: true };

let files: ReadonlyMap<string, string> | null = null;
let read: ReadonlyMap<string, BuiltinScenario> | null = null;

/** The names of their files without the endings, in order; none where there is no such folder. */
export function scenarioFiles(): string[] {
  return [...filesByKey().keys()];
}

/** Text of a built-in scenario, for copying. Long ones are JSON, which is read much faster. */
export function builtinText(key: string): string {
  return readFileSync(new URL(filesByKey().get(key) ?? key, folder), 'utf8');
}

/** The scenarios that come with the program, by the names of their files. */
export function builtinScenarios(): readonly BuiltinScenario[] {
  return [...scenariosByKey().values()];
}

/** The built-in scenario of that id, or of that key: the name of its file without the ending. */
export function builtinScenario(idOrKey: string): BuiltinScenario | undefined {
  return scenariosByKey().get(idOrKey) ?? builtinScenarios().find(({ id }) => id === idOrKey);
}

/** The text of a built-in scenario, with its comments; undefined where none has the id. */
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

/** Scenarios are read once; a broken file is left out, so that the others still work. */
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
