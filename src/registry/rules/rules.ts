import { type Actor, actorLabel } from '../../model/actor.ts';
import { builtinRuleIds } from '../../model/builtin_rules.ts';
import type { Doctrine } from '../../model/doctrine.ts';
import { conflict, invalidInput, orNotFound, refuseStale } from '../../model/fault.ts';
import { pathText } from '../../model/issue.ts';
import { Listeners } from '../../model/listeners.ts';
import { faultOfRule, MOST_RULES, type Rule, type RulePatch, type RuleSpec, type RuleWhen } from '../../model/rule.ts';
import { isZoneKind, placeOf } from '../../model/rule_condition.ts';
import type { RuleCount, RuleValue } from '../../model/rule_value.ts';
import { formatTime } from '../../model/time.ts';
import type { Kept } from '../../store/documents.ts';
import { type RuleCountRow, type RuleRows, ruleRows } from '../../store/rules.ts';
import type { Thing } from '../../store/things.ts';
import { changedFields, committed } from '../change.ts';
import type { RegistryDeps } from '../deps.ts';
import type { Doctrines } from '../doctrine/doctrine.ts';
import { Repository } from '../repository.ts';
import { BuiltinRules, type BuiltinState, valueOfBuiltin } from './builtin.ts';

const SAVED_EVERY_MS = 60_000;

/**
 * Counts of the rules' firings. They are written about once a minute; a power failure loses those since the last write.
 */
class RuleCounts {
  readonly #rows: RuleRows;
  readonly #workspaceId: string;
  readonly #counts = new Map<string, RuleCountRow>();
  readonly #unsaved = new Set<string>();
  #savedMs = Number.NEGATIVE_INFINITY;

  constructor(rows: RuleRows, workspaceId: string) {
    this.#rows = rows;
    this.#workspaceId = workspaceId;
    for (const row of rows.counts(workspaceId)) this.#counts.set(row.ruleId, row);
  }

  of(ruleId: string): RuleCountRow {
    return this.#counts.get(ruleId) ?? { ruleId, fired: 0, suppressed: 0, lastAt: null, lastTrackId: null };
  }

  /** Adds counts that the core reported. `utcMs` converts world time to UTC, both in ms. */
  add(news: readonly RuleCount[], utcMs: (worldMs: number) => number): void {
    for (const { ruleId, fired, suppressed, lastMs, lastTrackId } of news) {
      const was = this.of(ruleId);
      const last = lastMs === null ? {} : { lastAt: formatTime(Math.round(utcMs(lastMs))), lastTrackId: lastTrackId };
      const is = { ...was, fired: was.fired + fired, suppressed: was.suppressed + suppressed, ...last };
      this.#counts.set(ruleId, is);
      this.#unsaved.add(ruleId);
    }
  }

  /** Writes the counts, at most once a minute; if `now` is true, at once. */
  save(nowMs: number, now = false): void {
    if (this.#unsaved.size === 0 || (!now && nowMs - this.#savedMs < SAVED_EVERY_MS)) return;
    this.#savedMs = nowMs;
    this.#rows.saveCounts(
      this.#workspaceId,
      [...this.#unsaved].map((id) => this.of(id)),
    );
    this.#unsaved.clear();
  }

  drop(ruleId: string): void {
    this.#counts.delete(ruleId);
    this.#unsaved.delete(ruleId);
  }
}

/** Rules of a workspace: the built-in ones, and those that people wrote. */
export class Rules {
  readonly #deps: RegistryDeps;
  readonly #find: (id: string) => Thing | null;
  readonly #rows: ReturnType<typeof ruleRows>;
  readonly #own: Repository<RuleSpec>;
  readonly #builtins: BuiltinRules;
  readonly #counts: RuleCounts;
  readonly #listeners = new Listeners<[readonly RuleValue[]]>();

  constructor(deps: RegistryDeps, doctrine: Doctrines, find: (id: string) => Thing | null) {
    this.#deps = deps;
    this.#find = find;
    this.#rows = ruleRows(deps.state);
    this.#own = new Repository(deps, {
      table: 'rules',
      list: null,
      noun: 'rule',
      most: MOST_RULES,
      check: (spec, others) => {
        refuseFaulty(spec);
        refuseHeavy(spec, others);
      },
      changed: (id, version, by) => this.#publish(id, version, by),
    });
    this.#builtins = new BuiltinRules(deps, this.#rows, doctrine);
    this.#counts = new RuleCounts(this.#rows, deps.workspaceId);
    doctrine.onChange(() => this.#listeners.emit(this.values()));
  }

  /**
   * Adds a listener that receives all enabled rules, in the form of the core, after each change. Returns the function
   * that removes the listener.
   */
  onChange(listener: (rules: readonly RuleValue[]) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Returns all rules: the built-in rules in their fixed order, then the rules of people by name. */
  list(): readonly Rule[] {
    const builtins = this.#builtins.list().map((state) => this.#documentOfBuiltin(state));
    return [...builtins, ...this.#own.list().map((kept) => this.#documentOf(kept))];
  }

  /** Returns the rule with this id; throws `not_found` if there is none. */
  get(id: string): Rule {
    const state = this.#builtin(id);
    return state ? this.#documentOfBuiltin(state) : this.#documentOf(this.#own.get(id));
  }

  create(spec: RuleSpec, by: Actor): Rule {
    this.#refuseUnknown(spec.when);
    return this.#documentOf(this.#own.create(spec, by));
  }

  update(id: string, patch: RulePatch, by: Actor): Rule {
    if (this.#builtin(id)) return this.#updateBuiltin(id, patch, by);
    const { parameters, ...rest } = patch;
    if (parameters !== undefined) {
      this.#own.get(id);
      throw invalidInput("'parameters' are only for built-in rules; the conditions of this rule are in 'when'");
    }
    if (rest.when) this.#refuseUnknown(rest.when);
    return this.#documentOf(this.#own.update(id, rest, by));
  }

  remove(id: string, by: Actor): void {
    if (this.#builtin(id))
      throw conflict(`the rule ${id} is built in and cannot be deleted; to turn it off, set enabled to false`);
    this.#deps.ledger.change(`The rule ${id}`, () => {
      this.#own.remove(id, by);
      this.#rows.dropCount(this.#deps.workspaceId, id);
      return { result: undefined, deed: null };
    });
    this.#counts.drop(id);
  }

  /** Returns the enabled rules in the form that the core uses. */
  values(): RuleValue[] {
    const builtins = this.#builtins.list().filter(({ enabled }) => enabled);
    const own = this.#own.list().filter(({ enabled }) => enabled);
    return [...builtins.map(valueOfBuiltin), ...own.map(coreRuleOf)];
  }

  /** Returns one rule in the form that the core uses, enabled or not. Throws `not_found`. */
  value(id: string): RuleValue {
    const state = this.#builtin(id);
    return state ? valueOfBuiltin(state) : coreRuleOf(this.#own.get(id));
  }

  /**
   * Adds counts that the core reported. `utcMs` converts world time to UTC, both in ms. Counts of deleted rules are
   * ignored.
   */
  count(news: readonly RuleCount[], utcMs: (worldMs: number) => number): void {
    const known = news.filter(({ ruleId }) => this.#isKnown(ruleId));
    this.#counts.add(known, utcMs);
  }

  /** Writes the counts. Call it regularly, and with `now` true before the daemon stops. */
  saveCounts(nowMs: number, now = false): void {
    this.#counts.save(nowMs, now);
  }

  #updateBuiltin(id: string, patch: RulePatch, by: Actor): Rule {
    const { ledger, workspaceId } = this.#deps;
    const version = committed(ledger, `The rule ${id}`, (after) => {
      const was = this.#state(id);
      refuseStale(`the rule ${id}`, was.version, patch.version);
      this.#builtins.update(was, patch, by, after);
      const { version: _version, ...sent } = patch;
      const deed = {
        kind: 'rule.changed' as const,
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
    if (is.version !== version) this.#publish(id, is.version, by);
    return this.#documentOfBuiltin(is);
  }

  #publish(id: string, version: number | null, by: Actor): void {
    this.#deps.publish.announce('config_change', { what: 'rule', id, version, by: actorLabel(by) });
    this.#listeners.emit(this.values());
  }

  #builtin(id: string): BuiltinState | undefined {
    return isBuiltin(id) ? this.#state(id) : undefined;
  }

  #state(id: string): BuiltinState {
    return orNotFound(
      this.#builtins.list().find((one) => one.id === id),
      `there is no rule with the id ${id} in this workspace`,
    );
  }

  #isKnown(id: string): boolean {
    return isBuiltin(id) || this.#own.list().some((kept) => kept.id === id);
  }

  /**
   * Throws a Fault if a condition names a zone or asset that does not exist. If the object is deleted later, the
   * condition is false; only `outside` is then true, for each track with a position.
   */
  #refuseUnknown(when: RuleWhen): void {
    const [name, list] = when.all ? (['all', when.all] as const) : (['any', when.any ?? []] as const);
    for (const [index, condition] of list.entries()) {
      const at = (...rest: PropertyKey[]): string => pathText(['when', name, index, 'value', ...rest]);
      const refuse = (path: string, what: string, id: string): void => {
        if (this.#find(id.toLowerCase())?.what !== what)
          throw invalidInput(
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
      name: facts.title,
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

  /** Returns how often each rule fired, for the doctrine. */
  firing(): Doctrine['firing'] {
    const ids = [...builtinRuleIds, ...this.#own.list().map(({ id }) => id)];
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

/**
 * Limit of the conditions of all rules that people wrote, together; each is evaluated for each track several times a
 * second.
 */
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
    throw conflict(`all rules together would have ${conditions} conditions; at most ${MOST_CONDITIONS} are allowed`);
  if (values > MOST_VALUES)
    throw conflict(`all rules together would have ${values} values in conditions; at most ${MOST_VALUES} are allowed`);
}

function refuseFaulty(spec: RuleSpec): void {
  const fault = faultOfRule(spec);
  if (fault) throw invalidInput(`'${pathText(fault.path)}' ${fault.message}`);
}

function pick(from: object, like: object): object {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key in like));
}
