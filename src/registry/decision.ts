import { type Actor, actorLabel } from '../model/actor.ts';
import type { DecisionConfig, DecisionPolicy } from '../model/decision_config.ts';
import { defaultPolicy } from '../model/decision_defaults.ts';
import { orNotFound } from '../model/fault.ts';
import { Listeners } from '../model/listeners.ts';
import { type VersionRow, type VersionRows, versionRows } from '../store/versions.ts';
import type { Agreement } from './affiliation.ts';
import { changedFields } from './change.ts';
import type { RegistryDeps } from './deps.ts';

/** Decision configs of a workspace. Every saved version is kept, so that past decisions can be explained. */
export class Decisions {
  readonly #deps: RegistryDeps;
  readonly #rows: VersionRows;
  readonly #listeners = new Listeners<[DecisionConfig]>();
  /** Cached result of `agreement`; null if it must be read again. */
  #agreement: Agreement | null = null;

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
    this.#rows = versionRows(deps.state, 'decision_configs');
  }

  /** Returns the current config; the defaults, with version 0, if none was ever saved. */
  get(): DecisionConfig {
    const row = this.#rows.latest(this.#deps.workspaceId);
    return row ? configOf(row) : this.#unsaved();
  }

  /**
   * Returns the limits within which an asset's telemetry confirms a track. They are cached, because they are needed for
   * every track.
   */
  agreement(): Agreement {
    if (this.#agreement) return this.#agreement;
    const { telemetry_fresh_s, telemetry_agree_m } = this.get().identity;
    this.#agreement = { freshMs: telemetry_fresh_s * 1_000, agreesM: telemetry_agree_m };
    return this.#agreement;
  }

  #unsaved(): DecisionConfig {
    return { version: 0, updated_at: null, updated_by: null, ...this.defaults() };
  }

  /**
   * Returns the config of a version; version 0 is the defaults. Throws `not_found` for a version that was never saved.
   */
  version(version: number): DecisionConfig {
    if (version === 0) return this.#unsaved();
    const row = orNotFound(
      this.#rows.get(this.#deps.workspaceId, version),
      `no decision config was saved under the version ${version}`,
    );
    return configOf(row);
  }

  /** Returns the policy that applies until one is saved. Its tracking settings come from the box's configuration. */
  defaults(): DecisionPolicy {
    return { ...defaultPolicy, tracking: this.#deps.box?.tracking ?? defaultPolicy.tracking };
  }

  save(policy: DecisionPolicy, by: Actor): DecisionConfig {
    const { ledger, workspaceId } = this.#deps;
    const config = ledger.change('The decision config', () => {
      const was = this.get();
      const row = this.#rows.append(workspaceId, policy, ledger.nowText(), actorLabel(by));
      const deed = {
        kind: 'config.saved' as const,
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
    this.#listeners.emit(config);
    const body = { what: 'decision_config', id: null, version: config.version, by: actorLabel(by) };
    this.#deps.publish.announce('config_change', body);
    return config;
  }

  /** Restores a version from a recording. Nothing changes if the stored version is the same or newer. */
  restore(policy: DecisionPolicy, version: number, savedAt: string): void {
    const { state, workspaceId } = this.#deps;
    const row = { version, document: policy, savedAt };
    if (!state.write('The decision config', () => this.#rows.restore(workspaceId, row))) return;
    this.#agreement = null;
    this.#listeners.emit(this.get());
  }

  /**
   * Adds a listener that is called with each saved or restored config, once the config is on the disk. Returns the
   * function that removes the listener.
   */
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

/**
 * Returns the end of an audit sentence. It names a new posture, so that readers need not open the row. Empty if the
 * posture did not change.
 */
function postureChange(was: string, now: string): string {
  return was === now ? '' : `: the posture is ${now}, it was ${was}`;
}
