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

/** The lists of the picture that the registry fills, with one row for each document. */
export type RegistryList = 'assets' | 'assignments' | 'zones' | 'regions';
type Row = { id: string; [field: string]: unknown };

/** Publishes changes to clients, once they are on the disk. */
export type RegistryTeller = {
  /** Publishes a new or changed row; `removed` names a deleted one. */
  row(list: RegistryList, row: Row): void;
  /** Publishes several rows in one delta. */
  rows(list: RegistryList, rows: readonly Row[]): void;
  removed(list: RegistryList, id: string): void;
  /** Publishes another change that clients show: a `config_change`, `doctrine_change` or `discovery_change`. */
  announce(kind: 'config_change' | 'doctrine_change' | 'discovery_change', body: object): void;
};

/** Facts about the box of a registry. */
export type RegistryBox = {
  /** Tracking settings of the configuration: they apply until a decision config is saved. */
  tracking: DecisionPolicy['tracking'];
  /** The settings of the configuration, with their values and sources. */
  settings: () => readonly Setting[];
  /** The box-wide switch of discovery. */
  discovery: DiscoverySwitch;
  /** The links of this workspace with their present states. */
  links(): readonly Link[];
};

/** Dependencies of every part of a workspace's registry. */
export type RegistryDeps = {
  state: State;
  ledger: Ledger;
  workspaceId: string;
  /** The environment to which assets, assignments and sensors belong. */
  environment(): Environment;
  /** Provenance of its assets; by default that of their environment. */
  provenance?: Provenance;
  publish: RegistryTeller;
  /**
   * Retention of history until an owner changes it, and the clock that may prune by days. A registry outside of a
   * workspace has neither.
   */
  retention?: { ofConfiguration: RetentionSpec; clock: RetentionClock };
  /** Facts about the rest of the box. A registry outside of a workspace has none. */
  box?: RegistryBox;
};
