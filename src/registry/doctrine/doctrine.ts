import { stringify } from 'yaml';
import { type Actor, actorLabel, systemActor } from '../../model/actor.ts';
import type { BuiltinRuleId } from '../../model/builtin_rules.ts';
import { builtinRules } from '../../model/builtin_rules.ts';
import type { Doctrine, DoctrineBody, DoctrineFile } from '../../model/doctrine.ts';
import { Fault } from '../../model/fault.ts';
import type { Posture } from '../../model/posture.ts';
import { type VersionRow, type VersionRows, versionRows } from '../../store/versions.ts';
import { changedFields } from '../changed.ts';
import type { After } from '../committed.ts';
import type { Decisions } from '../decision.ts';
import { Listeners } from '../listeners.ts';
import type { RegistryRim } from '../rim.ts';
import { defaultDoctrine } from './defaults.ts';
import { contentHash } from './hash.ts';
import { decisionSettings } from './settings.ts';

/** What may be done about what, and who must agree. Every version that was imported is kept. */
export class Doctrines {
  readonly #rim: RegistryRim;
  readonly #rows: VersionRows;
  readonly #decision: Decisions;
  readonly #listeners = new Listeners();
  /** What the rules have raised; whoever counts it says so here. */
  firing: () => Doctrine['firing'] = unfired;

  constructor(rim: RegistryRim, decision: Decisions) {
    this.#rim = rim;
    this.#rows = versionRows(rim.state, 'doctrines');
    this.#decision = decision;
  }

  /** The whole, with the settings and where they come from. */
  get(): Doctrine {
    const row = this.#rows.latest(this.#rim.workspaceId);
    const settings = [
      ...decisionSettings(this.#decision.get(), this.#decision.defaults()),
      ...(this.#rim.box?.settings ?? []),
    ];
    return { version: row?.version ?? 0, ...bodyOf(row), settings, firing: this.firing() };
  }

  /** The same as YAML that can be read and imported again, with the hash of what it says. */
  export(): string {
    const doctrine = this.get();
    return stringify({ hash: contentHash(doctrine), ...doctrine }, { aliasDuplicateObjects: false });
  }

  /**
   * Takes a doctrine in. `said` is the document as it was read. Throws `invalid_input` where its hash is not that of
   * what it says, since it was then written or changed by hand, unless `force` says that this is meant.
   */
  import(file: DoctrineFile, said: Readonly<Record<string, unknown>>, force: boolean, by: Actor): Doctrine {
    const hash = contentHash(said);
    if (file.hash !== hash && !force) throw new Fault('invalid_input', handWritten(file.hash));
    const { hash: _hash, version: _version, settings: _settings, firing: _firing, ...body } = file;
    const { ledger, workspaceId } = this.#rim;
    const version = ledger.change('The doctrine', () => {
      const was = this.#rows.latest(workspaceId);
      const next = (was?.version ?? 0) + 1;
      const row = { version: next, document: body, savedAt: ledger.nowText(), savedBy: actorLabel(by) };
      this.#rows.insert(workspaceId, row);
      const deed = {
        kind: 'doctrine.imported',
        text: `${row.savedBy} imported the doctrine as version ${next}${file.hash === hash ? '' : ', changed by hand'}`,
        by,
        workspaceId,
        subject: { type: 'doctrine', id: workspaceId, label: `version ${next}` },
        ...changedFields(bodyOf(was), body),
      };
      return { result: next, deed };
    });
    this.#told(version, by);
    return this.get();
  }

  /** A version as it was imported somewhere else; one that is no newer than what holds changes nothing. */
  restore(body: DoctrineBody, version: number, savedAt: string): void {
    const { state, workspaceId } = this.#rim;
    if ((this.#rows.latest(workspaceId)?.version ?? -1) >= version) return;
    const row = { version, document: body, savedAt, savedBy: 'recorded' };
    state.write('The doctrine', () => this.#rows.insert(workspaceId, row));
    this.#told(version, systemActor);
  }

  /** What a posture means: what may be offered under it, and how much may start by itself. */
  posture(id: Posture): DoctrineBody['postures'][number] {
    const found = bodyOf(this.#rows.latest(this.#rim.workspaceId)).postures.find((posture) => posture.id === id);
    if (!found) throw new Fault('internal', `the doctrine says nothing of the posture ${id}`);
    return found;
  }

  /** Which built-in rules hold and of what weight they are, and since which version that is said. */
  rules(): { version: number; savedAt: string | null; rules: DoctrineBody['rules'] } {
    const row = this.#rows.latest(this.#rim.workspaceId);
    return { version: row?.version ?? 0, savedAt: row?.savedAt ?? null, rules: bodyOf(row).rules };
  }

  /** Changes the switch of one rule, as a version of the doctrine. Call within a change; what follows goes to `after`. */
  setRule(id: BuiltinRuleId, to: RuleSwitch, by: Actor, after: After): void {
    const { ledger, workspaceId } = this.#rim;
    ledger.change('The doctrine', () => {
      const row = this.#rows.latest(workspaceId);
      const was = bodyOf(row);
      const document = { ...was, rules: was.rules.map((rule) => (rule.id === id ? { ...rule, ...to } : rule)) };
      const next = { version: (row?.version ?? 0) + 1, document, savedAt: ledger.nowText(), savedBy: actorLabel(by) };
      this.#rows.insert(workspaceId, next);
      after(() => this.#told(next.version, by));
      const deed = {
        kind: 'doctrine.changed',
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

  /** Told of each version, once it is on the disk. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  #told(version: number, by: Actor): void {
    this.#rim.tell.announce('doctrine_change', { version, by: actorLabel(by) });
    this.#listeners.tell();
  }
}

/** What the doctrine says of a built-in rule. */
export type RuleSwitch = { enabled: boolean; severity: DoctrineBody['rules'][number]['severity'] };

function handWritten(hash: string | undefined): string {
  const why =
    hash === undefined
      ? 'the document has no hash, so it was written by hand'
      : 'the hash is not that of the document, so it was changed by hand after it was exported';
  return `'hash': ${why}; send it with ?force=1 where that is meant`;
}

/** Rules that a build has and a stored doctrine does not know are as they are by default; their words are the build's. */
function bodyOf(row: VersionRow | null): DoctrineBody {
  if (!row) return defaultDoctrine;
  const stored = row.document as DoctrineBody;
  const rules = defaultDoctrine.rules.map((rule) => {
    const set = stored.rules.find(({ id }) => id === rule.id);
    return set ? { ...rule, severity: set.severity, enabled: set.enabled } : rule;
  });
  return { ...stored, rules };
}

function unfired(): Doctrine['firing'] {
  return Object.fromEntries(
    builtinRules.map(({ id }) => [id, { count: 0, suppressed: 0, last_at: null, last_track_id: null }]),
  );
}
