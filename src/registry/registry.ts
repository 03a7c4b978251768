import { Assets } from './assets/assets.ts';
import { AssetImport } from './assets/import.ts';
import { Shelves } from './assets/shelf.ts';
import { Assignments } from './assignments.ts';
import { Catalog } from './catalog/catalog.ts';
import { Presence } from './presence.ts';
import type { RegistryRim } from './rim.ts';

/** What the operators of one workspace own. */
export class Registry {
  readonly rim: RegistryRim;
  readonly catalog: Catalog;
  readonly assets: Assets;
  readonly assignments: Assignments;
  readonly assetImport: AssetImport;
  /** What the live world hears of the assets of its environment. */
  readonly presence: Presence;

  constructor(rim: RegistryRim) {
    this.rim = rim;
    const shelves = new Shelves(rim.state, rim.workspaceId, rim.environment);
    this.catalog = new Catalog(rim);
    this.assets = new Assets(rim, shelves, this.catalog);
    this.assignments = new Assignments(rim, shelves, this.assets);
    const { catalog, assets, assignments } = this;
    this.assetImport = new AssetImport({ rim, shelves, catalog, assets, assignments });
    this.presence = new Presence(shelves.of('live'), this.assets);
  }
}
