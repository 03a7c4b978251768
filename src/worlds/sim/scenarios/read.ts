import type { z } from 'zod';
import {
  type ScenarioPatch,
  type ScenarioSpec,
  scenarioPatchSchema,
  scenarioSpecSchema,
} from '../../../model/scenario.ts';
import { checkScenario, type ScenarioRim } from './check.ts';
import { type Finding, faultAt, inOrder, type Path, type ScenarioFault, ScenarioRefusal } from './fault.ts';
import { faultsOfIssues } from './issues.ts';
import { type ReadText, readText } from './text.ts';

/** A scenario as somebody wrote it, or everything that is wrong with it. */
export type ScenarioReading =
  | { spec: ScenarioSpec; faults: readonly [] }
  | { spec: null; faults: readonly ScenarioFault[] };

/** Reads YAML or JSON text. Never throws. That its parts fit together is looked at once each of them is in order. */
export function readScenario(text: string, rim: ScenarioRim): ScenarioReading {
  const document = readText(text);
  const { data: spec, faults } = parsed(scenarioSpecSchema, document);
  if (!spec) return { spec: null, faults };
  const found = placed(checkScenario(spec, rim), document);
  return found.length > 0 ? { spec: null, faults: found } : { spec, faults: [] };
}

/** The scenario in a text. Throws a ScenarioRefusal, which is `invalid_input`, that names every fault. */
export function scenarioOf(text: string, rim: ScenarioRim): ScenarioSpec {
  const { spec, faults } = readScenario(text, rim);
  if (!spec) throw new ScenarioRefusal(faults);
  return spec;
}

/** What a text changes of a scenario: what is absent in it stays unchanged. Throws as `scenarioOf`. */
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
