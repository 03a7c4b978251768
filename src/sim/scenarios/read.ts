import type { z } from 'zod';
import {
  type ScenarioPatch,
  type ScenarioSpec,
  scenarioPatchSchema,
  scenarioSpecSchema,
} from '../../model/scenario.ts';
import { checkScenario, type ScenarioDeps } from './check.ts';
import { type Finding, faultAt, inOrder, type Path, type ScenarioFault, ScenarioRefusal } from './fault.ts';
import { faultsOfIssues } from './issues.ts';
import { type ReadText, readText } from './text.ts';

/** A scenario that was read, or all its faults. */
export type ScenarioReading =
  | { spec: ScenarioSpec; faults: readonly [] }
  | { spec: null; faults: readonly ScenarioFault[] };

/** Reads YAML or JSON text. Never throws. Parts are checked against each other once each fits the schema. */
export function readScenario(text: string, deps: ScenarioDeps): ScenarioReading {
  const document = readText(text);
  const { data: spec, faults } = parsed(scenarioSpecSchema, document);
  if (!spec) return { spec: null, faults };
  const found = placed(checkScenario(spec, deps), document);
  return found.length > 0 ? { spec: null, faults: found } : { spec, faults: [] };
}

/** The scenario in a text. Throws a ScenarioRefusal, which is `invalid_input`, that names every fault. */
export function scenarioOf(text: string, deps: ScenarioDeps): ScenarioSpec {
  const { spec, faults } = readScenario(text, deps);
  if (!spec) throw new ScenarioRefusal(faults);
  return spec;
}

/** Changes of a scenario in a text; absent fields stay unchanged. Throws as `scenarioOf`. */
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
