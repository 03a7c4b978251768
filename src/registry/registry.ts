import { type Thing, thingFinder } from '../store/things.ts';
import { Assets } from './assets/assets.ts';
import { AssetImport } from './assets/import.ts';
import { Shelves } from './assets/shelf.ts';
import { Assignments } from './assignments.ts';
import { Catalog } from './catalog/catalog.ts';
import { Decisions } from './decision.ts';
import { Discovery } from './discovery.ts';
import { Doctrines } from './doctrine/doctrine.ts';
import { Holds } from './holds.ts';
import { Links } from './links.ts';
import { Presence } from './presence.ts';
import { Regions } from './regions.ts';
import { RetentionPolicy } from './retention.ts';
import type { RegistryRim } from './rim.ts';
import { Rules } from './rules/rules.ts';
import { Runs } from './runs.ts';
import { Zones } from './zones.ts';

/** What the operators of one workspace own. */
export class Registry {
  readonly rim: RegistryRim;
  /** What of this workspace has an id, whatever it is. */
  readonly find: (id: string) => Thing | null;
  readonly decision: Decisions;
  readonly discovery: Discovery;
  readonly doctrine: Doctrines;
  readonly links: Links;
  readonly zones: Zones;
  readonly regions: Regions;
  readonly rules: Rules;
  readonly runs: Runs;
  readonly holds: Holds;
  readonly retention: RetentionPolicy;
  readonly catalog: Catalog;
  readonly assets: Assets;
  readonly assignments: Assignments;
  readonly assetImport: AssetImport;
  /** What the live world hears of the assets of its environment. */
  readonly presence: Presence;

  constructor(rim: RegistryRim) {
    this.rim = rim;
    const find = thingFinder(rim.state);
    this.find = (id) => find(rim.workspaceId, id);
    this.decision = new Decisions(rim);
    this.discovery = new Discovery(rim);
    this.doctrine = new Doctrines(rim, this.decision);
    this.links = new Links(rim);
    this.zones = new Zones(rim);
    this.regions = new Regions(rim);
    this.rules = new Rules(rim, this.doctrine, this.find);
    this.runs = new Runs(rim);
    this.holds = new Holds(rim);
    this.retention = new RetentionPolicy(rim);
    const shelves = new Shelves(rim.state, rim.workspaceId, rim.environment);
    this.catalog = new Catalog(rim);
    this.assets = new Assets(rim, shelves, this.catalog);
    this.assignments = new Assignments(rim, shelves, this.assets);
    const { catalog, assets, assignments } = this;
    this.assetImport = new AssetImport({ rim, shelves, catalog, assets, assignments });
    this.presence = new Presence(shelves.of('live'), this.assets);
    this.assets.deleteLinksOf = (id, by) => void this.links.deleteIssuedFor(id, by);
  }
}
