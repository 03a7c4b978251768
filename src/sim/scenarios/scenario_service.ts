import { isDeepStrictEqual } from 'node:util';
import { Document, isPair, isScalar, visit } from 'yaml';
import { z } from 'zod';
import type { Actor } from '../../model/actor.ts';
import { conflict, refuseStale } from '../../model/fault.ts';
import { type Scenario, type ScenarioSpec, scenarioSpecSchema } from '../../model/scenario.ts';
import type { Registry } from '../../registry/registry.ts';
import type { KeptScenario } from '../../registry/scenarios.ts';
import { isTooDense } from './bounds.ts';
import { builtinScenario, builtinScenarios, builtinTextOf } from './builtins.ts';
import { checkScenario, type ScenarioDeps } from './check.ts';
import type { ScenarioFault } from './fault.ts';
import { patchOf, readScenario, scenarioOf } from './read.ts';

/** Greatest length of a list or mapping that is written in one line, as JSON, characters. */
const MOST_IN_LINE = 90;

/** Returns a scenario as text for people to edit, without default values. */
export function writeScenario(spec: ScenarioSpec): string {
  const given = withoutDefaults(scenarioSpecSchema, spec);
  const doc = new Document(given, { aliasDuplicateObjects: false });
  visit(doc, {
    Collection(_, node) {
      const plain = node.items.every((item) => isScalar(isPair(item) ? item.value : item));
      if (plain && JSON.stringify(node.toJSON()).length <= MOST_IN_LINE) node.flow = true;
    },
  });
  const text = doc.toString({ lineWidth: 120 });
  // YAML that would be too dense to be read again is written as JSON, which has no limit of density.
  return isTooDense(text) ? `${JSON.stringify(given, null, 1)}\n` : text;
}

/** Removes the fields of a parsed value that equal the defaults of its schema. */
function withoutDefaults(schema: unknown, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (Array.isArray(value))
    return inner instanceof z.ZodArray ? value.map((entry) => withoutDefaults(inner.element, entry)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const form = inner instanceof z.ZodUnion ? inner.options.find((option) => isOf(option, value)) : inner;
  const object = unwrapped(form);
  if (!(object instanceof z.ZodObject)) return value;
  const said = Object.entries(value).flatMap(([key, child]) => {
    const field = object.shape[key];
    return child === undefined || isDefault(field, child) ? [] : [[key, withoutDefaults(field, child)]];
  });
  return Object.fromEntries(said);
}

function isOf(schema: unknown, value: unknown): boolean {
  return schema instanceof z.ZodType && schema.safeParse(value).success;
}

function isDefault(schema: unknown, value: unknown): boolean {
  if (!(schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)) return false;
  return isDeepStrictEqual(schema.parse(undefined), value);
}

function unwrapped(schema: unknown): unknown {
  let inner = schema;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault
  )
    inner = inner.unwrap();
  return inner;
}

const calm = { speed_mps: 0, from_deg: 0, gusts_mps: 0 };

/** Scenarios of a workspace: the built-in ones, then its own. The service itself has no state. */
export class ScenarioService {
  readonly #registry: Registry;
  readonly #deps: ScenarioDeps;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#deps = { catalog: (name) => registry.catalog.find(name) };
  }

  list(): Scenario[] {
    return [...builtinScenarios(), ...this.#registry.scenarios.list().map(documentOf)];
  }

  /** Returns a scenario. Throws `not_found` if there is none with this id. */
  get(id: string): Scenario {
    return builtinScenario(id) ?? documentOf(this.#registry.scenarios.get(id));
  }

  /** Returns the text of a scenario. A built-in scenario is returned as written, with its comments. */
  text(id: string): string {
    return builtinTextOf(id) ?? writeScenario(specOf(this.#registry.scenarios.get(id)));
  }

  /** Returns the faults of a text; an empty list for a valid scenario. */
  check(text: string): readonly ScenarioFault[] {
    return readScenario(text, this.#deps).faults;
  }

  /**
   * Creates a scenario. Throws a `ScenarioRefusal` that names the faults of the text, or `conflict` if the name is
   * taken.
   */
  create(text: string, by: Actor): Scenario {
    const spec = scenarioOf(text, this.#deps);
    refuseBuiltinName(spec.name);
    return documentOf(this.#registry.scenarios.create(spec, by));
  }

  /**
   * Changes a scenario by the fields in `text`. Throws like `create`. Also throws `conflict` if the scenario is built
   * in, or if `version` in the text is not the current version.
   */
  update(id: string, text: string, by: Actor): Scenario {
    refuseBuiltin(id, 'changed');
    const was = this.#registry.scenarios.get(id);
    const { patch, refuse } = patchOf(text);
    const { version, wind, ...rest } = patch;
    refuseStale(`the scenario ${was.name}`, was.version, version);
    const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const next: ScenarioSpec = { ...specOf(was), ...said, ...(wind === undefined ? {} : { wind: wind ?? calm }) };
    refuse(checkScenario(next, this.#deps));
    refuseBuiltinName(next.name);
    return documentOf(this.#registry.scenarios.update(id, { ...next, version: was.version }, by));
  }

  remove(id: string, by: Actor): void {
    refuseBuiltin(id, 'deleted');
    this.#registry.scenarios.remove(id, by);
  }
}

function refuseBuiltin(id: string, done: string): void {
  const builtin = builtinScenario(id);
  if (!builtin) return;
  const sentence = `the scenario ${builtin.name} is built in and cannot be ${done}; make a copy of it under another name`;
  throw conflict(sentence);
}

function refuseBuiltinName(name: string): void {
  if (!builtinScenarios().some((builtin) => builtin.name === name)) return;
  throw conflict(`there is already a scenario called ${name}, which is built in; take another name`);
}

function specOf({ id: _id, version: _version, created_at: _made, updated_at: _changed, ...spec }: KeptScenario) {
  return spec;
}

function documentOf(kept: KeptScenario): Scenario {
  const { id, version, created_at, updated_at } = kept;
  return { id, ...specOf(kept), builtin: false, version, created_at, updated_at };
}
