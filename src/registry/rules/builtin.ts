import type { Actor } from '../../model/actor.ts';
import { type BuiltinRule, type BuiltinRuleId, builtinRule, builtinRules } from '../../model/builtin_rules.ts';
import type { DoctrineBody } from '../../model/doctrine.ts';
import { conflict, invalidInput } from '../../model/fault.ts';
import type { RulePatch } from '../../model/rule.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import type { RuleRows, TunedRow } from '../../store/rules.ts';
import type { After } from '../change.ts';
import type { RegistryDeps } from '../deps.ts';
import type { Doctrines } from '../doctrine/doctrine.ts';

/** Changed settings of a built-in rule, except switch and severity, which are in the doctrine. */
type Tuning = { for_s?: number; cooldown_s?: number; parameters?: Record<string, number> };

/** Built-in rule with its current settings. */
export type BuiltinState = {
  id: BuiltinRuleId;
  facts: BuiltinRule;
  enabled: boolean;
  severity: BuiltinRule['severity'];
  forS: number;
  cooldownS: number;
  parameters: Record<string, number>;
  version: number;
  updatedAt: string | null;
};

const changeable = ['enabled', 'severity', 'for_s', 'cooldown_s', 'parameters', 'version'];

/**
 * Built-in rules of a workspace. The doctrine stores the switch and severity of each rule. This class stores the times
 * and parameters. No setting is in both places.
 */
export class BuiltinRules {
  readonly #deps: RegistryDeps;
  readonly #rows: RuleRows;
  readonly #doctrine: Doctrines;
  readonly #tuned = new Map<string, TunedRow>();

  constructor(deps: RegistryDeps, rows: RuleRows, doctrine: Doctrines) {
    this.#deps = deps;
    this.#rows = rows;
    this.#doctrine = doctrine;
    for (const row of rows.tuned(deps.workspaceId)) this.#tuned.set(row.id, row);
  }

  list(): BuiltinState[] {
    const said = this.#doctrine.rules();
    return builtinRules.map((facts) => this.#stateOf(facts, said));
  }

  /**
   * Changes a rule. Call it inside `Ledger.change`; the state in memory is updated by a step passed to `after`. Throws
   * a Fault if the patch changes a fixed field.
   */
  update(state: BuiltinState, patch: RulePatch, by: Actor, after: After): void {
    const { id, facts } = state;
    const fixed = Object.entries(patch).find(([key, value]) => value !== undefined && !changeable.includes(key));
    if (fixed) {
      throw conflict(
        `the ${fixed[0]} of the built-in rule ${id} cannot be changed; only ${changeable.slice(0, -1).join(', ')} can`,
      );
    }
    checkParameters(id, facts, patch.parameters ?? {});
    const { enabled = state.enabled, severity = state.severity } = patch;
    if (enabled !== state.enabled || severity !== state.severity)
      this.#doctrine.setRule(id, { enabled, severity }, by, after);
    const { for_s: forS, cooldown_s: cooldownS, parameters } = patch;
    if (forS === undefined && cooldownS === undefined && parameters === undefined) return;
    const was = this.#tuned.get(id);
    const held = (was?.document ?? {}) as Tuning;
    const document: Tuning = {
      ...held,
      ...(forS === undefined ? {} : { for_s: forS }),
      ...(cooldownS === undefined ? {} : { cooldown_s: cooldownS }),
      parameters: { ...held.parameters, ...parameters },
    };
    const row = { id, document, version: (was?.version ?? 0) + 1, updatedAt: this.#deps.ledger.nowText() };
    this.#rows.tune(this.#deps.workspaceId, row);
    after(() => this.#tuned.set(id, row));
  }

  #stateOf(
    facts: (typeof builtinRules)[number],
    said: { version: number; savedAt: string | null; rules: DoctrineBody['rules'] },
  ): BuiltinState {
    const { id } = facts;
    const row = this.#tuned.get(id);
    const tuning = (row?.document ?? {}) as Tuning;
    const of = said.rules.find((rule) => rule.id === id) ?? { enabled: true, severity: facts.severity };
    const defaults = Object.entries(builtinRule(id)?.parameters ?? {}).map(([name, { default: value }]) => [
      name,
      value,
    ]);
    const times = [row?.updatedAt, said.savedAt].filter((at) => typeof at === 'string').sort();
    return {
      id,
      facts,
      enabled: of.enabled,
      severity: of.severity,
      forS: tuning.for_s ?? facts.forS,
      cooldownS: tuning.cooldown_s ?? facts.cooldownS,
      parameters: { ...Object.fromEntries(defaults), ...tuning.parameters },
      // The version increases with each change of the times and parameters, and with each change of the doctrine. The
      // doctrine has the switch and the severity.
      version: 1 + (row?.version ?? 0) + said.version,
      updatedAt: times.at(-1) ?? null,
    };
  }
}

export function valueOfBuiltin({ id, facts, version, severity, forS, cooldownS, parameters }: BuiltinState): RuleValue {
  const does = { alert: true, log: true, notify: true, propose: false };
  return { id, version, name: facts.title, severity, forS, cooldownS, does, builtin: id, parameters };
}

function checkParameters(id: string, { parameters }: BuiltinRule, sent: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(sent)) {
    const facts = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!facts) {
      const known = Object.keys(parameters);
      const has = known.length === 0 ? 'this rule has none' : `this rule has ${known.join(', ')}`;
      throw invalidInput(`'parameters.${name}' is not a parameter of the rule ${id}: ${has}`);
    }
    if (value < facts.min || value > facts.max)
      throw invalidInput(`'parameters.${name}' must be from ${facts.min} to ${facts.max}`);
  }
}
