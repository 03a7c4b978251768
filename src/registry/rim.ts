import type { DecisionPolicy } from '../model/decision_config.ts';
import type { Link } from '../model/link.ts';
import type { Setting } from '../model/setting.ts';
import type { Provenance } from '../model/track.ts';
import type { Ledger } from '../store/ledger.ts';
import type { State } from '../store/state.ts';
import type { Environment } from '../store/workspaces.ts';
import type { DiscoverySwitch } from './discovery.ts';

/** The lists of the picture that the registry fills, a row for each document. */
export type RegistryList = 'assets' | 'assignments' | 'zones' | 'regions';
type Row = { id: string; [field: string]: unknown };

/** Who is told what changed, once it is on the disk. */
export type RegistryTeller = {
  /** A row is new or changed; `removed` names one that is gone. */
  row(list: RegistryList, row: Row): void;
  /** Several at once, in one delta. */
  rows(list: RegistryList, rows: readonly Row[]): void;
  removed(list: RegistryList, id: string): void;
  /** Something else that clients show changed: a `config_change`, `doctrine_change` or `discovery_change`. */
  announce(kind: 'config_change' | 'doctrine_change' | 'discovery_change', body: object): void;
};

/** What a registry knows of the box that it stands in. */
export type RegistryBox = {
  /** What the configuration says of tracking: it holds until a decision config is saved. */
  tracking: DecisionPolicy['tracking'];
  /** The settings of the configuration, as they hold and where they come from. */
  settings: readonly Setting[];
  /** One switch for all workspaces. */
  discovery: DiscoverySwitch;
  /** The links of this workspace as they are. */
  links(): readonly Link[];
};

/** What every part of a workspace's registry is made of. */
export type RegistryRim = {
  state: State;
  ledger: Ledger;
  workspaceId: string;
  /** The environment that is shown: assets, assignments and sensors are of one. */
  environment(): Environment;
  /** Provenance of its assets; that of their environment where absent. */
  provenance?: Provenance;
  tell: RegistryTeller;
  /** What the rest of the box says; a registry by itself has none of it. */
  box?: RegistryBox;
};
