import { type Thing, thingFinder } from '../store/things.ts';
import { AssetIndexes } from './assets/asset_index.ts';
import { Assets } from './assets/assets.ts';
import { AssetImport } from './assets/import.ts';
import { Assignments } from './assignments.ts';
import { Catalog } from './catalog/catalog.ts';
import { Decisions } from './decision.ts';
import type { RegistryDeps } from './deps.ts';
import { Discovery } from './discovery.ts';
import { Doctrines } from './doctrine/doctrine.ts';
import { Holds } from './holds.ts';
import { Links } from './links.ts';
import { Presence } from './presence.ts';
import { Regions } from './regions.ts';
import { RetentionPolicy } from './retention.ts';
import { Rules } from './rules/rules.ts';
import { Runs } from './runs.ts';
import { Scenarios } from './scenarios.ts';
import { Zones } from './zones.ts';

/** Parts that belong to a workspace and apply to all its worlds. */
type WorkspacePart = Pick<
  Registry,
  | ('decision' | 'discovery' | 'doctrine' | 'links' | 'zones' | 'regions' | 'rules')
  | ('scenarios' | 'runs' | 'holds' | 'retention' | 'catalog')
>;

/**
 * Registry of one workspace: the parts that all environments share, and the assets and assignments of one environment.
 */
export class Registry {
  readonly deps: RegistryDeps;
  /** Finds an object of this workspace by its id, of the kinds in `thingFinder`; null if there is none. */
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
  /** Telemetry of the assets of this environment. */
  readonly presence: Presence;

  /**
   * `workspace` is the registry of another environment of the workspace, whose parts are shared. Parts that `workspace`
   * lacks are read from the state in `deps`.
   */
  constructor(deps: RegistryDeps, workspace: Partial<WorkspacePart> | null = null) {
    this.deps = deps;
    const find = thingFinder(deps.state);
    this.find = (id) => find(deps.workspaceId, id);
    this.decision = workspace?.decision ?? new Decisions(deps);
    this.discovery = workspace?.discovery ?? new Discovery(deps);
    this.doctrine = workspace?.doctrine ?? new Doctrines(deps, this.decision, () => this.rules.firing());
    this.links = workspace?.links ?? new Links(deps);
    this.zones = workspace?.zones ?? new Zones(deps);
    this.regions = workspace?.regions ?? new Regions(deps);
    this.rules = workspace?.rules ?? new Rules(deps, this.doctrine, this.find);
    this.scenarios = workspace?.scenarios ?? new Scenarios(deps);
    this.runs = workspace?.runs ?? new Runs(deps);
    this.holds = workspace?.holds ?? new Holds(deps);
    this.retention = workspace?.retention ?? new RetentionPolicy(deps);
    this.catalog = workspace?.catalog ?? new Catalog(deps);
    const indexes = new AssetIndexes(deps);
    this.assets = new Assets(deps, indexes, this.catalog, this.links);
    this.assignments = new Assignments(deps, indexes, this.assets);
    const { catalog, assets, assignments } = this;
    this.assetImport = new AssetImport({ deps, indexes, catalog, assets, assignments });
    this.presence = new Presence(indexes.shown, this.assets, {
      agreement: () => this.decision.agreement(),
      nowText: () => deps.ledger.nowText(),
    });
  }
}
