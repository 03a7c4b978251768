import type { z } from 'zod';
import { wordIssue, wordUnknownKey } from '../../host/config/wording.ts';
import {
  type ScenarioPatch,
  type ScenarioSpec,
  scenarioPatchSchema,
  scenarioSpecSchema,
} from '../../model/scenario.ts';
import { checkScenario, type ScenarioDeps } from './check.ts';
import { type Finding, faultAt, inOrder, type Path, type ScenarioFault, ScenarioRefusal } from './fault.ts';
import { type ReadText, readText } from './text.ts';

type Issue = z.core.$ZodIssue;

/** Limit of the reported issues of a document. Each issue takes time, and people read only the first ones. */
const MOST_ISSUES = 1_000;

/** Converts issues of a schema to faults with line and column. */
function faultsOfIssues(schema: z.ZodType, issues: readonly Issue[], text: ReadText): ScenarioFault[] {
  return issues.slice(0, MOST_ISSUES).flatMap((issue) => faultsOf(schema, issue, [], text));
}

function faultsOf(schema: z.ZodType, issue: Issue, before: Path, text: ReadText): ScenarioFault[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, 100)
      .map((key) => faultAt(text.placeOfKey(path, key), [...path, key], `is an ${wordUnknownKey(schema, path, key)}`));
  if (issue.code === 'invalid_union') {
    const meant = meantOf(issue.errors);
    if (meant) return meant.flatMap((inner) => faultsOf(schema, inner, path, text));
    const { options } = issue as { options?: unknown[] };
    const choices = Array.isArray(options)
      ? `must be one of ${options.join(', ')}`
      : 'fits none of the forms that are allowed here';
    return [faultAt(text.placeOf(path), path, choices)];
  }
  return [faultAt(text.placeOf(path), path, goingOn(wordIssue(issue)))];
}

/** Returns the issues of the most likely form of a union: the form with the fewest faults. */
function meantOf(errors: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const weigh = (issues: readonly Issue[]): number =>
    issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? 1 + issue.keys.length : 1), 0);
  return errors.toSorted((a, b) => weigh(a) - weigh(b))[0] ?? null;
}

/**
 * Adapts the words of an issue so that they can follow the name of a field: "expected number" becomes "is invalid:
 * expected number".
 */
function goingOn(words: string): string {
  return words.startsWith('expected ') ? `is invalid: ${words}` : words;
}

/** Result of reading a text: the scenario, or null with the faults of the text. */
export type ScenarioReading =
  | { spec: ScenarioSpec; faults: readonly [] }
  | { spec: null; faults: readonly ScenarioFault[] };

/**
 * Reads YAML or JSON text. Never throws. Contradictions between parts are checked once the whole text fits the schema.
 */
export function readScenario(text: string, deps: ScenarioDeps): ScenarioReading {
  const document = readText(text);
  const { data: spec, faults } = parsed(scenarioSpecSchema, document);
  if (!spec) return { spec: null, faults };
  const found = placed(checkScenario(spec, deps), document);
  return found.length > 0 ? { spec: null, faults: found } : { spec, faults: [] };
}

/** Returns the scenario in a text. Throws a `ScenarioRefusal` (`invalid_input`) that names the faults of the text. */
export function scenarioOf(text: string, deps: ScenarioDeps): ScenarioSpec {
  const { spec, faults } = readScenario(text, deps);
  if (!spec) throw new ScenarioRefusal(faults);
  return spec;
}

/**
 * Reads a text with changes of a scenario; absent fields stay unchanged. Throws like `scenarioOf`. The caller passes
 * contradictions that it finds later to `refuse`, which throws if there are any.
 */
export function patchOf(text: string): { patch: ScenarioPatch; refuse(found: readonly Finding[]): void } {
  const document = readText(text);
  const { data: patch, faults } = parsed(scenarioPatchSchema, document);
  if (!patch) throw new ScenarioRefusal(faults);
  return {
    patch,
    refuse(found) {
      if (found.length > 0) throw new ScenarioRefusal(placed(found, document));
    },
  };
}

function parsed<T>(schema: z.ZodType<T>, document: ReadText): { data: T | null; faults: ScenarioFault[] } {
  if (document.faults.length > 0) return { data: null, faults: inOrder(document.faults) };
  const read = schema.safeParse(document.value, { reportInput: true });
  if (read.success) return { data: read.data, faults: [] };
  return { data: null, faults: inOrder(faultsOfIssues(schema, read.error.issues, document)) };
}

function placed(found: readonly Finding[], document: ReadText): ScenarioFault[] {
  return inOrder(found.map(({ path, text }) => faultAt(document.placeOf(path as Path), path, text)));
}
