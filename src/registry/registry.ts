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
import { Scenarios } from './scenarios.ts';
import { Zones } from './zones.ts';

/** What belongs to a workspace, whichever of its worlds is looked at. */
type WorkspacePart = Pick<
  Registry,
  | ('decision' | 'discovery' | 'doctrine' | 'links' | 'zones' | 'regions' | 'rules')
  | ('scenarios' | 'runs' | 'holds' | 'retention' | 'catalog')
>;

/** What the operators of one workspace own: what is of the workspace, and the assets and assignments of one of its environments. */
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
  readonly scenarios: Scenarios;
  readonly runs: Runs;
  readonly holds: Holds;
  readonly retention: RetentionPolicy;
  readonly catalog: Catalog;
  readonly assets: Assets;
  readonly assignments: Assignments;
  readonly assetImport: AssetImport;
  /** What is heard of the assets of its environment. */
  readonly presence: Presence;

  /**
   * With `workspace`, of another environment of that workspace: what belongs to the workspace is the same for both. What it
   * does not name is read of this one's own state.
   */
  constructor(rim: RegistryRim, workspace: Partial<WorkspacePart> | null = null) {
    this.rim = rim;
    const find = thingFinder(rim.state);
    this.find = (id) => find(rim.workspaceId, id);
    this.decision = workspace?.decision ?? new Decisions(rim);
    this.discovery = workspace?.discovery ?? new Discovery(rim);
    this.doctrine = workspace?.doctrine ?? new Doctrines(rim, this.decision);
    this.links = workspace?.links ?? new Links(rim);
    this.zones = workspace?.zones ?? new Zones(rim);
    this.regions = workspace?.regions ?? new Regions(rim);
    this.rules = workspace?.rules ?? new Rules(rim, this.doctrine, this.find);
    this.scenarios = workspace?.scenarios ?? new Scenarios(rim);
    this.runs = workspace?.runs ?? new Runs(rim);
    this.holds = workspace?.holds ?? new Holds(rim);
    this.retention = workspace?.retention ?? new RetentionPolicy(rim);
    this.catalog = workspace?.catalog ?? new Catalog(rim);
    const shelves = new Shelves(rim);
    this.assets = new Assets(rim, shelves, this.catalog);
    this.assignments = new Assignments(rim, shelves, this.assets);
    const { catalog, assets, assignments } = this;
    this.assetImport = new AssetImport({ rim, shelves, catalog, assets, assignments });
    this.presence = new Presence(shelves.shown, this.assets, () => this.decision.agreement());
    this.assets.deleteLinksOf = (id, by) => void this.links.deleteIssuedFor(id, by);
  }
}
