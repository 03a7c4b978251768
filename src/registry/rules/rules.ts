import { type Actor, actorLabel } from '../../model/actor.ts';
import { builtinRuleIds } from '../../model/builtin_rules.ts';
import type { Doctrine } from '../../model/doctrine.ts';
import { Fault } from '../../model/fault.ts';
import { pathText } from '../../model/issue.ts';
import { faultOfRule, MOST_RULES, type Rule, type RulePatch, type RuleSpec, type RuleWhen } from '../../model/rule.ts';
import { isZoneKind, placeOf } from '../../model/rule_condition.ts';
import type { RuleCount, RuleValue } from '../../model/rule_value.ts';
import { ruleRows } from '../../store/rules.ts';
import type { Thing } from '../../store/things.ts';
import { changedFields } from '../changed.ts';
import { committed } from '../committed.ts';
import type { Doctrines } from '../doctrine/doctrine.ts';
import { Listeners } from '../listeners.ts';
import type { RegistryRim } from '../rim.ts';
import { type Kept, Shelf } from '../shelf.ts';
import { refuseStale } from '../version.ts';
import { BuiltinRules, type BuiltinState, valueOfBuiltin } from './builtin.ts';
import { RuleCounts } from './counts.ts';

/** What people of a workspace are told of: the built-in rules and those that owners wrote. */
export class Rules {
  readonly #rim: RegistryRim;
  readonly #find: (id: string) => Thing | null;
  readonly #rows: ReturnType<typeof ruleRows>;
  readonly #shelf: Shelf<RuleSpec>;
  readonly #builtins: BuiltinRules;
  readonly #counts: RuleCounts;
  readonly #listeners = new Listeners<[readonly RuleValue[]]>();

  constructor(rim: RegistryRim, doctrine: Doctrines, find: (id: string) => Thing | null) {
    this.#rim = rim;
    this.#find = find;
    this.#rows = ruleRows(rim.state);
    this.#shelf = new Shelf(rim, {
      table: 'rules',
      list: null,
      noun: 'rule',
      most: MOST_RULES,
      check: (spec, others) => {
        refuseFaulty(spec);
        refuseHeavy(spec, others);
      },
      changed: (id, version, by) => this.#tell(id, version, by),
    });
    this.#builtins = new BuiltinRules(rim, this.#rows, doctrine);
    this.#counts = new RuleCounts(this.#rows, rim.workspaceId);
    doctrine.firing = () => this.#firing();
    doctrine.onChange(() => this.#listeners.tell(this.values()));
  }

  /** Told of all that hold, after each change: the core takes them. */
  onChange(listener: (rules: readonly RuleValue[]) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** The built-in ones in their order, then the others by name. */
  list(): readonly Rule[] {
    const builtins = this.#builtins.list().map((state) => this.#documentOfBuiltin(state));
    return [...builtins, ...this.#shelf.list().map((kept) => this.#documentOf(kept))];
  }

  /** Throws `not_found`. */
  get(id: string): Rule {
    const state = this.#builtin(id);
    return state ? this.#documentOfBuiltin(state) : this.#documentOf(this.#shelf.get(id));
  }

  create(spec: RuleSpec, by: Actor): Rule {
    this.#refuseUnknown(spec.when);
    return this.#documentOf(this.#shelf.create(spec, by));
  }

  update(id: string, patch: RulePatch, by: Actor): Rule {
    if (this.#builtin(id)) return this.#updateBuiltin(id, patch, by);
    const { version, parameters, ...rest } = patch;
    if (parameters !== undefined) {
      this.#shelf.get(id);
      throw new Fault('invalid_input', "'parameters' are of built-in rules; what this one asks stands in when");
    }
    if (rest.when) this.#refuseUnknown(rest.when);
    return this.#documentOf(this.#shelf.update(id, rest as Partial<RuleSpec>, version, by));
  }

  remove(id: string, by: Actor): void {
    if (this.#builtin(id))
      throw new Fault('conflict', `the rule ${id} is built in and stays; turn it off with enabled: false`);
    this.#rim.ledger.change(`The rule ${id}`, () => {
      this.#shelf.remove(id, by);
      this.#rows.dropCount(this.#rim.workspaceId, id);
      return { result: undefined, deed: null };
    });
    this.#counts.drop(id);
  }

  /** Those that hold, as the core takes them. */
  values(): RuleValue[] {
    const builtins = this.#builtins.list().filter(({ enabled }) => enabled);
    const own = this.#shelf.list().filter(({ enabled }) => enabled);
    return [...builtins.map(valueOfBuiltin), ...own.map(coreRuleOf)];
  }

  /** One as the core takes it, whether it holds or not. Throws `not_found`. */
  value(id: string): RuleValue {
    const state = this.#builtin(id);
    return state ? valueOfBuiltin(state) : coreRuleOf(this.#shelf.get(id));
  }

  /** Adds what the core counted; `utcMs` turns its time into today's. */
  count(news: readonly RuleCount[], utcMs: (worldMs: number) => number): void {
    const known = news.filter(({ ruleId }) => this.#isKnown(ruleId));
    this.#counts.add(known, utcMs);
  }

  /** Call now and then, and with `now` before the end. */
  saveCounts(nowMs: number, now = false): void {
    this.#counts.save(nowMs, now);
  }

  #updateBuiltin(id: string, patch: RulePatch, by: Actor): Rule {
    const { ledger, workspaceId } = this.#rim;
    const version = committed(ledger, `The rule ${id}`, (after) => {
      const was = this.#state(id);
      refuseStale(`the rule ${id}`, was.version, patch.version);
      this.#builtins.update(was, patch, by, after);
      const { version: _version, ...sent } = patch;
      const deed = {
        kind: 'rule.changed',
        text: `${actorLabel(by)} changed the rule ${id}`,
        by,
        workspaceId,
        subject: { type: 'rule', id, label: id },
        ...changedFields(
          { ...pick(this.#documentOfBuiltin(was), sent) },
          { ...sent, ...(sent.parameters ? { parameters: { ...was.parameters, ...sent.parameters } } : {}) },
        ),
      };
      return { result: was.version, deed };
    });
    const is = this.#state(id);
    if (is.version !== version) this.#tell(id, is.version, by);
    return this.#documentOfBuiltin(is);
  }

  #tell(id: string, version: number | null, by: Actor): void {
    this.#rim.tell.announce('config_change', { what: 'rule', id, version, by: actorLabel(by) });
    this.#listeners.tell(this.values());
  }

  #builtin(id: string): BuiltinState | undefined {
    return isBuiltin(id) ? this.#state(id) : undefined;
  }

  #state(id: string): BuiltinState {
    const state = this.#builtins.list().find((one) => one.id === id);
    if (!state) throw new Fault('not_found', `there is no rule with the id ${id} in this workspace`);
    return state;
  }

  #isKnown(id: string): boolean {
    return isBuiltin(id) || this.#shelf.list().some((kept) => kept.id === id);
  }

  /** What a rule names is there when it is written; what goes later is near to nothing and holds nobody. */
  #refuseUnknown(when: RuleWhen): void {
    const [name, list] = when.all ? (['all', when.all] as const) : (['any', when.any ?? []] as const);
    for (const [index, condition] of list.entries()) {
      const at = (...rest: PropertyKey[]): string => pathText(['when', name, index, 'value', ...rest]);
      const refuse = (path: string, what: string, id: string): void => {
        if (this.#find(id.toLowerCase())?.what !== what)
          throw new Fault(
            'invalid_input',
            `'${path}' must be the id of ${what === 'asset' ? 'an' : 'a'} ${what} of this workspace; there is none with ${id}`,
          );
      };
      const { field, value } = condition;
      if (field === 'track.zone' && typeof value === 'string' && !isZoneKind(value)) refuse(at(), 'zone', value);
      const place = field === 'track.position' ? placeOf(condition) : null;
      if (place && 'zone_id' in place) refuse(at('zone_id'), 'zone', place.zone_id);
      if (place && 'asset_id' in place) refuse(at('asset_id'), 'asset', place.asset_id);
    }
  }

  #documentOf(kept: Kept<RuleSpec>): Rule {
    return { ...kept, parameters: {}, builtin: false, counts: this.#countsOf(kept.id) };
  }

  #documentOfBuiltin(state: BuiltinState): Rule {
    const { id, facts, enabled, severity, forS, cooldownS, parameters, version, updatedAt } = state;
    return {
      id,
      name: id,
      enabled,
      when: null,
      for_s: forS,
      cooldown_s: cooldownS,
      // biome-ignore lint/suspicious/noThenProperty: the interface calls it so, and a list is no function
      then: [{ do: 'alert' }, { do: 'log' }, { do: 'notify' }],
      severity,
      message: facts.description,
      parameters,
      builtin: true,
      counts: this.#countsOf(id),
      version,
      created_at: null,
      updated_at: updatedAt,
    };
  }

  #countsOf(id: string): Rule['counts'] {
    const { fired, suppressed, lastAt } = this.#counts.of(id);
    return { fired, suppressed, last_at: lastAt };
  }

  #firing(): Doctrine['firing'] {
    const ids = [...builtinRuleIds, ...this.#shelf.list().map(({ id }) => id)];
    return Object.fromEntries(
      ids.map((id) => {
        const { fired, suppressed, lastAt, lastTrackId } = this.#counts.of(id);
        return [id, { count: fired, suppressed, last_at: lastAt, last_track_id: lastTrackId }];
      }),
    );
  }
}

function isBuiltin(id: string): boolean {
  return (builtinRuleIds as readonly string[]).includes(id);
}

function coreRuleOf({
  id,
  version,
  name,
  severity,
  for_s,
  cooldown_s,
  when,
  message,
  then,
}: Kept<RuleSpec>): RuleValue {
  const does = { alert: false, log: false, notify: false, propose: false };
  let raiseLevel: (RuleValue & { builtin: null })['raiseLevel'] = null;
  for (const action of then) {
    if (action.do === 'raise_level') raiseLevel = action.level;
    else if (action.do === 'propose_plan') does.propose = true;
    else does[action.do] = true;
  }
  return {
    id,
    version,
    name,
    severity,
    forS: for_s,
    cooldownS: cooldown_s,
    does,
    builtin: null,
    when,
    message,
    raiseLevel,
  };
}

/** Each is asked of each track several times a second: all rules together may ask so much. */
const MOST_CONDITIONS = 1_000;
const MOST_VALUES = 2_000;

function refuseHeavy(spec: RuleSpec, others: readonly RuleSpec[]): void {
  let [conditions, values] = [0, 0];
  for (const { when } of [spec, ...others]) {
    const list = when.all ?? when.any ?? [];
    conditions += list.length;
    for (const { value } of list) values += Array.isArray(value) ? value.length : 1;
  }
  if (conditions > MOST_CONDITIONS)
    throw new Fault(
      'conflict',
      `all rules together would have ${conditions} conditions, of at most ${MOST_CONDITIONS}`,
    );
  if (values > MOST_VALUES)
    throw new Fault('conflict', `all rules together would name ${values} values, of at most ${MOST_VALUES}`);
}

function refuseFaulty(spec: RuleSpec): void {
  const fault = faultOfRule(spec);
  if (fault) throw new Fault('invalid_input', `'${pathText(fault.path)}' ${fault.message}`);
}

function pick(from: object, like: object): object {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key in like));
}
