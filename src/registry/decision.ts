import { type Actor, actorLabel } from '../model/actor.ts';
import type { DecisionConfig, DecisionPolicy } from '../model/decision_config.ts';
import { defaultPolicy } from '../model/decision_defaults.ts';
import { Fault } from '../model/fault.ts';
import { type VersionRow, type VersionRows, versionRows } from '../store/versions.ts';
import type { Agreement } from './affiliation.ts';
import { changedFields } from './changed.ts';
import { Listeners } from './listeners.ts';
import type { RegistryRim } from './rim.ts';

/** What a workspace decides by. Every version that was saved is kept: what was decided under it can be read for ever. */
export class Decisions {
  readonly #rim: RegistryRim;
  readonly #rows: VersionRows;
  readonly #listeners = new Listeners<[DecisionConfig]>();
  /** As it holds; null where it is to be read. */
  #agreement: Agreement | null = null;

  constructor(rim: RegistryRim) {
    this.#rim = rim;
    this.#rows = versionRows(rim.state, 'decision_configs');
  }

  /** What holds; the defaults, as version 0, where none was ever saved. */
  get(): DecisionConfig {
    const row = this.#rows.latest(this.#rim.workspaceId);
    return row ? configOf(row) : this.#unsaved();
  }

  /** When an asset's own telemetry bears a track out. Cheap: it is asked for with each track. */
  agreement(): Agreement {
    if (this.#agreement) return this.#agreement;
    const { telemetry_fresh_s, telemetry_agree_m } = this.get().identity;
    this.#agreement = { freshMs: telemetry_fresh_s * 1_000, agreesM: telemetry_agree_m };
    return this.#agreement;
  }

  #unsaved(): DecisionConfig {
    return { version: 0, updated_at: null, updated_by: null, ...this.defaults() };
  }

  /** As it was saved under this version, the defaults under 0; throws `not_found`. */
  version(version: number): DecisionConfig {
    if (version === 0) return this.#unsaved();
    const row = this.#rows.get(this.#rim.workspaceId, version);
    if (!row) throw new Fault('not_found', `no decision config was saved under the version ${version}`);
    return configOf(row);
  }

  /** What holds where nobody saved anything: of tracking, what the configuration of the box says. */
  defaults(): DecisionPolicy {
    return { ...defaultPolicy, tracking: this.#rim.box?.tracking ?? defaultPolicy.tracking };
  }

  save(policy: DecisionPolicy, by: Actor): DecisionConfig {
    const { ledger, workspaceId } = this.#rim;
    const config = ledger.change('The decision config', () => {
      const was = this.get();
      const row = {
        version: was.version + 1,
        document: policy,
        savedAt: ledger.nowText(),
        savedBy: actorLabel(by),
      };
      this.#rows.insert(workspaceId, row);
      const deed = {
        kind: 'config.saved',
        text: `${row.savedBy} saved the decision config as version ${row.version}${postureChange(was.posture, policy.posture)}`,
        by,
        workspaceId,
        subject: { type: 'decision_config', id: workspaceId, label: `version ${row.version}` },
        policyVersion: row.version,
        ...changedFields(policyOf(was), policy),
      };
      return { result: configOf(row), deed };
    });
    this.#agreement = null;
    this.#listeners.tell(config);
    const body = { what: 'decision_config', id: null, version: config.version, by: actorLabel(by) };
    this.#rim.tell.announce('config_change', body);
    return config;
  }

  /** A version as it was saved somewhere else; one that is no newer than what holds changes nothing. */
  restore(policy: DecisionPolicy, version: number, savedAt: string): void {
    const { state, workspaceId } = this.#rim;
    if ((this.#rows.latest(workspaceId)?.version ?? -1) >= version) return;
    const row = { version, document: policy, savedAt, savedBy: 'recorded' };
    state.write('The decision config', () => this.#rows.insert(workspaceId, row));
    this.#agreement = null;
    this.#listeners.tell(configOf(row));
  }

  /** Told of each that was saved, once it is on the disk. */
  onSave(listener: (config: DecisionConfig) => void): () => void {
    return this.#listeners.add(listener);
  }
}

function configOf({ version, document, savedAt, savedBy }: VersionRow): DecisionConfig {
  return { version, updated_at: savedAt, updated_by: savedBy, ...(document as DecisionPolicy) };
}

function policyOf(config: DecisionConfig): DecisionPolicy {
  const { version: _version, updated_at: _at, updated_by: _by, ...policy } = config;
  return policy;
}

/** Who reads the log is to see that the posture became another without opening the row. */
function postureChange(was: string, now: string): string {
  return was === now ? '' : `: the posture is ${now}, it was ${was}`;
}
