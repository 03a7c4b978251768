import type { DecisionPolicy } from '../model/decision_config.ts';
import type { Link } from '../model/link.ts';
import type { RetentionSpec } from '../model/retention.ts';
import type { Setting } from '../model/setting.ts';
import type { Provenance } from '../model/track.ts';
import type { Ledger } from '../store/ledger.ts';
import type { RetentionClock } from '../store/retention_clock.ts';
import type { State } from '../store/state.ts';
import type { Environment } from '../store/workspaces.ts';
import type { DiscoverySwitch } from './discovery.ts';

/** Lists of the picture that the registry fills. */
export type RegistryList = 'assets' | 'assignments' | 'zones' | 'regions';
type Row = { id: string; [field: string]: unknown };

/** Publishes changes to clients, once they are on the disk. */
export type RegistryTeller = {
  /** Publishes a new or changed row; `removed` publishes the removal of a row. */
  row(list: RegistryList, row: Row): void;
  /** Publishes several rows in one delta. */
  rows(list: RegistryList, rows: readonly Row[]): void;
  removed(list: RegistryList, id: string): void;
  /** Publishes a change that has no row: `config_change`, `doctrine_change` or `discovery_change`. */
  announce(kind: 'config_change' | 'doctrine_change' | 'discovery_change', body: object): void;
};

/** Facts about the box to which a registry belongs. */
export type RegistryBox = {
  /** Tracking settings of the configuration. They apply until a decision config is saved. */
  tracking: DecisionPolicy['tracking'];
  /** Returns all settings of the configuration, with their values and sources. */
  settings: () => readonly Setting[];
  /** Switch of discovery for the whole box. */
  discovery: DiscoverySwitch;
  /** Returns the links of this workspace with their current states. */
  links(): readonly Link[];
};

/** Dependencies of every part of a workspace's registry. */
export type RegistryDeps = {
  state: State;
  ledger: Ledger;
  workspaceId: string;
  /** Returns the environment to which assets, assignments and sensors belong. */
  environment(): Environment;
  /** Provenance of the registry's assets; by default `live` or `simulated`, according to their environment. */
  provenance?: Provenance;
  publish: RegistryTeller;
  /**
   * Configured retention of the history, and the clock that decides whether old days may be pruned. Absent in a
   * registry outside a workspace.
   */
  retention?: { ofConfiguration: RetentionSpec; clock: RetentionClock };
  /** Facts about the rest of the box. Absent in a registry outside a workspace. */
  box?: RegistryBox;
};
