import { stringify } from 'yaml';
import { type Actor, actorLabel, systemActor } from '../../model/actor.ts';
import type { BuiltinRuleId } from '../../model/builtin_rules.ts';
import { type DecisionConfig, type DecisionPolicy, decisionPolicySchema } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import type { Doctrine, DoctrineBody, DoctrineFile, DoctrineVersion } from '../../model/doctrine.ts';
import { Fault, invalidInput, orNotFound } from '../../model/fault.ts';
import { Listeners } from '../../model/listeners.ts';
import type { Posture } from '../../model/posture.ts';
import { type Setting, unitOfName } from '../../model/setting.ts';
import { settingFacts, valueAt } from '../../model/setting_walk.ts';
import { type VersionRow, type VersionRows, versionRows } from '../../store/versions.ts';
import { type After, changedFields } from '../change.ts';
import type { Decisions } from '../decision.ts';
import type { RegistryDeps } from '../deps.ts';
import { defaultDoctrine } from './defaults.ts';
import { contentHash, doctrineHash } from './hash.ts';

/**
 * Lists every value of the decision config as a setting. `onBox` is the policy that applies on this box until a config
 * is saved.
 */
function decisionSettings(config: DecisionConfig, onBox: DecisionPolicy): Setting[] {
  return settingFacts(decisionPolicySchema).map(({ path, min, max, description }) => {
    const key = ['decision', ...path].join('.');
    const value = valueAt(config, path);
    const byDefault = valueAt(defaultPolicy, path);
    const inFile = valueAt(onBox, path);
    const trace: Setting['trace'] = [{ layer: 'default', value: byDefault, by: null, at: null }];
    if (JSON.stringify(inFile) !== JSON.stringify(byDefault)) {
      trace.push({ layer: 'file', value: inFile, by: path.join('.'), at: null });
    }
    if (config.version > 0) trace.push({ layer: 'workspace', value, by: config.updated_by, at: config.updated_at });
    return { key, value, default: byDefault, unit: unitOfName(key), min, max, description, trace };
  });
}

/** Doctrines of a workspace: permitted responses and their approvals. Every version is kept. */
export class Doctrines {
  readonly #deps: RegistryDeps;
  readonly #rows: VersionRows;
  readonly #decision: Decisions;
  readonly #listeners = new Listeners();
  readonly #firing: () => Doctrine['firing'];

  /** `firing` returns the counts of the rules' firings. */
  constructor(deps: RegistryDeps, decision: Decisions, firing: () => Doctrine['firing']) {
    this.#firing = firing;
    this.#deps = deps;
    this.#rows = versionRows(deps.state, 'doctrines');
    this.#decision = decision;
  }

  /**
   * Returns the whole doctrine, with settings and their sources. `version` selects a saved doctrine; 0 is the built-in
   * one. Without `version` the doctrine in force is returned. Throws `not_found` for a version that was never saved.
   */
  get(version?: number): Doctrine {
    const row = this.#rowOf(version);
    const body = bodyOf(row);
    const settings = [
      ...decisionSettings(this.#decision.get(), this.#decision.defaults()),
      ...(this.#deps.box?.settings() ?? []),
    ];
    const head = { version: row?.version ?? 0, hash: doctrineHash(body) };
    return { ...head, ...body, settings, firing: this.#firing() };
  }

  /** Returns the doctrine in force without the settings, whose facts take 50 ms to collect. */
  present(): { version: number; body: DoctrineBody } {
    const row = this.#rowOf(undefined);
    return { version: row?.version ?? 0, body: bodyOf(row) };
  }

  /** Returns the newest `limit` saved versions below `before`, the newest first. */
  versions(limit: number, before = Number.MAX_SAFE_INTEGER): DoctrineVersion[] {
    return this.#rows.before(this.#deps.workspaceId, before, limit).map((row) => {
      const { version, savedAt: saved_at, savedBy: saved_by } = row;
      return { version, hash: doctrineHash(bodyOf(row)), saved_at, saved_by };
    });
  }

  #rowOf(version: number | undefined): VersionRow | null {
    const { workspaceId } = this.#deps;
    if (version === undefined) return this.#rows.latest(workspaceId);
    if (version === 0) return null;
    return orNotFound(this.#rows.get(workspaceId, version), `there is no version ${version} of the doctrine`);
  }

  /** Returns the doctrine in force as YAML that can be imported again, with the hash of its content. */
  export(): string {
    const { hash, ...doctrine } = this.get();
    return stringify({ hash, ...doctrine }, { aliasDuplicateObjects: false });
  }

  /**
   * Imports a doctrine; `said` is the parsed document. Throws `invalid_input` if the hash in the document does not
   * match its content: a person wrote the document or changed it after its export. `force` skips this check.
   */
  import(file: DoctrineFile, said: Readonly<Record<string, unknown>>, force: boolean, by: Actor): Doctrine {
    // Exports of earlier releases of Dunlin have a hash of the whole document.
    const fits = file.hash === doctrineHash(file) || file.hash === contentHash(said);
    if (!fits && !force) throw invalidInput(handWritten(file.hash));
    const { hash: _hash, version: _version, settings: _settings, firing: _firing, ...body } = file;
    const { ledger, workspaceId } = this.#deps;
    const version = ledger.change('The doctrine', () => {
      const was = this.#rows.latest(workspaceId);
      const row = this.#rows.append(workspaceId, body, ledger.nowText(), actorLabel(by));
      const deed = {
        kind: 'doctrine.imported' as const,
        text: `${row.savedBy} imported the doctrine as version ${row.version}${fits ? '' : ', changed by hand'}`,
        by,
        workspaceId,
        subject: { type: 'doctrine', id: workspaceId, label: `version ${row.version}` },
        ...changedFields(bodyOf(was), body),
      };
      return { result: row.version, deed };
    });
    this.#publish(version, by);
    return this.get();
  }

  /** Restores a version from a recording. Nothing changes if the stored version is the same or newer. */
  restore(body: DoctrineBody, version: number, savedAt: string): void {
    const { state, workspaceId } = this.#deps;
    const row = { version, document: body, savedAt };
    if (state.write('The doctrine', () => this.#rows.restore(workspaceId, row))) this.#publish(version, systemActor);
  }

  /** Returns the row of a posture: its permitted responses, and its limit of autonomy. */
  posture(id: Posture): DoctrineBody['postures'][number] {
    const found = bodyOf(this.#rows.latest(this.#deps.workspaceId)).postures.find((posture) => posture.id === id);
    if (!found) throw new Fault('internal', `the doctrine has no posture ${id}`);
    return found;
  }

  /** Returns the switches and severities of the built-in rules, with the version of the doctrine. */
  rules(): { version: number; savedAt: string | null; rules: DoctrineBody['rules'] } {
    const row = this.#rows.latest(this.#deps.workspaceId);
    return { version: row?.version ?? 0, savedAt: row?.savedAt ?? null, rules: bodyOf(row).rules };
  }

  /**
   * Changes switch and severity of one rule, as a new version of the doctrine. Call it inside a change; steps that must
   * follow the commit are passed to `after`.
   */
  setRule(id: BuiltinRuleId, to: RuleSwitch, by: Actor, after: After): void {
    const { ledger, workspaceId } = this.#deps;
    ledger.change('The doctrine', () => {
      const was = bodyOf(this.#rows.latest(workspaceId));
      const document = { ...was, rules: was.rules.map((rule) => (rule.id === id ? { ...rule, ...to } : rule)) };
      const next = this.#rows.append(workspaceId, document, ledger.nowText(), actorLabel(by));
      after(() => this.#publish(next.version, by));
      const deed = {
        kind: 'doctrine.changed' as const,
        text: `${next.savedBy} changed the rule ${id} in the doctrine, as version ${next.version}`,
        by,
        workspaceId,
        subject: { type: 'doctrine', id: workspaceId, label: `version ${next.version}` },
        before: was.rules.find((rule) => rule.id === id),
        after: document.rules.find((rule) => rule.id === id),
      };
      return { result: undefined, deed };
    });
  }

  /**
   * Adds a listener that is called after each new version, once the version is on the disk. Returns the function that
   * removes the listener.
   */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  #publish(version: number, by: Actor): void {
    this.#deps.publish.announce('doctrine_change', { version, by: actorLabel(by) });
    this.#listeners.emit();
  }
}

/** Switch and severity that the doctrine gives a built-in rule. */
export type RuleSwitch = { enabled: boolean; severity: DoctrineBody['rules'][number]['severity'] };

function handWritten(hash: string | undefined): string {
  const why =
    hash === undefined
      ? 'the document has no hash, so it was written by hand'
      : 'the hash does not match the document, so the document was changed by hand after its export';
  return `'hash': ${why}; to import the document anyway, send it with ?force=1`;
}

/**
 * Returns the doctrine of a row; the built-in doctrine if `row` is null. Rules that the row lacks get their defaults.
 * All rules have the descriptions of this build.
 */
function bodyOf(row: VersionRow | null): DoctrineBody {
  if (!row) return defaultDoctrine;
  const stored = row.document as DoctrineBody;
  const rules = defaultDoctrine.rules.map((rule) => {
    const set = stored.rules.find(({ id }) => id === rule.id);
    return set ? { ...rule, severity: set.severity, enabled: set.enabled } : rule;
  });
  return { ...stored, rules };
}
