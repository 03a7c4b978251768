import type { Ledger } from '../store/ledger.ts';
import type { State } from '../store/state.ts';
import type { Environment } from '../store/workspaces.ts';

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

/** What every part of a workspace's registry is made of. */
export type RegistryRim = {
  state: State;
  ledger: Ledger;
  workspaceId: string;
  /** The environment that is shown: assets, assignments and sensors are of one. */
  environment(): Environment;
  tell: RegistryTeller;
};
