import type { LatLon } from '../../geo/position.ts';
import { type Connection, NON_FORCE } from '../../model/asset.ts';
import type { Affiliation } from '../../model/assignment.ts';
import type { Provenance } from '../../model/track.ts';
import { type AssetRecord, type AssetRows, assetRows } from '../../store/assets.ts';
import { type AssignmentRecord, type AssignmentRows, assignmentRows } from '../../store/assignments.ts';
import type { Environment, Scope } from '../../store/workspaces.ts';
import type { RegistryDeps } from '../deps.ts';
import { provenanceOf } from '../provenance.ts';

const MOST_BEARERS = 1_000;

/**
 * Folds a key for comparison, because people type serials in either case. Only ASCII letters are folded, so ſ does not
 * become S.
 */
export function foldKey(key: string): string {
  return key.trim().replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Last telemetry of an asset over a link that proves its sender. Times are world time. */
export type Telemetry = LatLon & {
  receivedMs: number;
  timeMs: number;
  eastMps: number;
  northMps: number;
};

/**
 * Index of the assets and active assignments of one environment, for queries while tracks move. It contains only rows
 * that are already on the disk.
 */
export class AssetIndex {
  readonly scope: Scope;
  readonly provenance: Provenance;
  readonly #assets = new Map<string, AssetRecord>();
  readonly #byKey = new Map<string, string>();
  readonly #byCotUid = new Map<string, string>();
  readonly #aliases = new Map<string, Set<string>>();
  readonly #active = new Map<string, AssignmentRecord>();
  readonly telemetry = new Map<string, Telemetry>();
  readonly connections = new Map<string, Connection>();
  /**
   * Asset ids by telemetry key, as `learnSpeaker` learnt them. The rows of these assets name only system and component
   * ids.
   */
  readonly #speakers = new Map<string, string>();
  readonly #byComponent = new Map<string, Set<string>>();
  #sorted: readonly AssetRecord[] | null = null;
  #generation = 0;
  /** Cached results of `holderOf`, which is called for every message of a vehicle. */
  readonly #bearers = new Map<string, string | null>();
  #bearersAt = 0;

  constructor(
    scope: Scope,
    rows: { assets: AssetRows; assignments: AssignmentRows },
    provenance = provenanceOf(scope.environment),
  ) {
    this.scope = scope;
    this.provenance = provenance;
    for (const record of rows.assets.list(scope)) this.put(record);
    for (const { alias, assetId } of rows.assets.aliases(scope)) this.putAlias(alias, assetId);
    for (const record of rows.assignments.active(scope)) this.putAssignment(record);
  }

  /** Number that increases whenever affiliations may change for a reason other than an asset's position. */
  get generation(): number {
    return this.#generation;
  }

  asset(id: string): AssetRecord | undefined {
    return this.#assets.get(id);
  }

  get assetCount(): number {
    return this.#assets.size;
  }

  /** Returns all assets, sorted by name. */
  assets(): readonly AssetRecord[] {
    this.#sorted ??= [...this.#assets.values()].sort(byName);
    return this.#sorted;
  }

  /** Returns the asset whose serial or alias is this key, according to the rows on the disk. */
  carrierOf(key: string): AssetRecord | undefined {
    const id = this.#byKey.get(foldKey(key));
    return id === undefined ? undefined : this.#assets.get(id);
  }

  /**
   * Returns the asset that a key identifies. It is the asset with this serial or alias, or else the asset for which the
   * key was learnt.
   */
  holderOf(key: string): AssetRecord | undefined {
    if (this.#bearersAt !== this.#generation || this.#bearers.size >= MOST_BEARERS) {
      this.#bearers.clear();
      this.#bearersAt = this.#generation;
    }
    let id = this.#bearers.get(key);
    if (id === undefined) {
      const folded = foldKey(key);
      id = this.#byKey.get(folded) ?? this.#speakers.get(folded) ?? null;
      this.#bearers.set(key, id);
    }
    return id === null ? undefined : this.#assets.get(id);
  }

  /** Returns the asset with this uid in TAK. Uids are compared exactly, without folding. */
  holderOfCotUid(uid: string): AssetRecord | undefined {
    const id = this.#byCotUid.get(uid);
    return id === undefined ? undefined : this.#assets.get(id);
  }

  /** Returns the asset that physically carries this asset. */
  carrierOfAsset({ placement }: AssetRecord): AssetRecord | undefined {
    return placement?.carried_by === undefined ? undefined : this.#assets.get(placement.carried_by);
  }

  /**
   * Learns that a telemetry key belongs to an asset, if the asset's row names the same system and component ids. Call
   * it only for the asset for which the link was issued, because many autopilots keep the default system id 1. Returns
   * the asset if the key was learnt.
   */
  learnSpeaker(key: string, assetId: string): AssetRecord | undefined {
    const [component = ''] = /\d+:\d+$/.exec(key) ?? [];
    if (!this.#byComponent.get(component)?.has(assetId)) return undefined;
    this.#speakers.set(foldKey(key), assetId);
    this.#generation++;
    return this.#assets.get(assetId);
  }

  put(record: AssetRecord): void {
    this.#generation++;
    this.#sorted = null;
    const was = this.#assets.get(record.id);
    if (was?.serial && foldKey(was.serial) !== foldKey(record.serial ?? '')) this.#byKey.delete(foldKey(was.serial));
    this.#name(was, record);
    if (was?.spec.cot_uid != null) this.#byCotUid.delete(was.spec.cot_uid);
    if (record.spec.cot_uid != null) this.#byCotUid.set(record.spec.cot_uid, record.id);
    this.#assets.set(record.id, record);
    if (record.serial !== null) this.#byKey.set(foldKey(record.serial), record.id);
  }

  remove(id: string): void {
    const was = this.#assets.get(id);
    if (!was) return;
    this.#name(was, undefined);
    if (was.spec.cot_uid != null) this.#byCotUid.delete(was.spec.cot_uid);
    this.#assets.delete(id);
    this.#generation++;
    this.#sorted = null;
    for (const key of [was.serial ?? '', ...(this.#aliases.get(id) ?? [])]) this.#byKey.delete(foldKey(key));
    this.#aliases.delete(id);
    this.telemetry.delete(id);
    this.connections.delete(id);
  }

  #name(was: AssetRecord | undefined, is: AssetRecord | undefined): void {
    const [before, now] = [componentOf(was), componentOf(is)];
    if (before === now) return;
    // A component id may now belong to another asset or to none, so all learnt keys are dropped.
    this.#speakers.clear();
    if (was && before !== null) this.#byComponent.get(before)?.delete(was.id);
    if (!is || now === null) return;
    const named = this.#byComponent.get(now) ?? new Set();
    this.#byComponent.set(now, named.add(is.id));
  }

  putAlias(alias: string, assetId: string): void {
    this.#generation++;
    this.#byKey.set(foldKey(alias), assetId);
    const known = this.#aliases.get(assetId) ?? new Set();
    this.#aliases.set(assetId, known.add(alias));
  }

  /** Returns the ids of assets with an alias that begins with `beginning`. */
  namedLike(beginning: string): string[] {
    const carried = [...this.#aliases].filter(([, names]) => [...names].some((name) => name.startsWith(beginning)));
    return carried.map(([id]) => id);
  }

  activeOf(assetId: string): AssignmentRecord | undefined {
    return this.#active.get(assetId);
  }

  active(): Iterable<AssignmentRecord> {
    return this.#active.values();
  }

  speak(assetId: string, telemetry: Telemetry): void {
    if (!this.telemetry.has(assetId)) this.#generation++;
    this.telemetry.set(assetId, telemetry);
  }

  putAssignment(record: AssignmentRecord): void {
    this.#generation++;
    if (record.active) this.#active.set(record.asset_id, record);
    else if (this.#active.get(record.asset_id)?.id === record.id) this.#active.delete(record.asset_id);
  }

  /**
   * Returns the affiliation that the active assignment gives an asset; without an assignment, the default of the
   * asset's kind.
   */
  affiliationOf({ id, kind }: AssetRecord): Affiliation {
    return this.#active.get(id)?.affiliation ?? (kind === NON_FORCE ? 'unknown' : 'friend');
  }

  connectionOf({ id, telemetryAt }: AssetRecord): Connection {
    return this.connections.get(id) ?? (telemetryAt === null ? 'never' : 'offline');
  }
}

function byName(a: AssetRecord, b: AssetRecord): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function componentOf(record: AssetRecord | undefined): string | null {
  const mavlink = record?.spec.mavlink;
  return mavlink ? `${mavlink.sysid}:${mavlink.compid ?? 1}` : null;
}

/** Indexes of a workspace, one for each environment. An index is read when its environment is first used. */
export class AssetIndexes {
  readonly assetRows: AssetRows;
  readonly assignmentRows: AssignmentRows;
  readonly #workspaceId: string;
  readonly #environment: () => Environment;
  readonly #provenance: Provenance | undefined;
  readonly #byEnvironment = new Map<Environment, AssetIndex>();

  constructor({ state, workspaceId, environment, provenance }: RegistryDeps) {
    this.assetRows = assetRows(state);
    this.assignmentRows = assignmentRows(state);
    this.#workspaceId = workspaceId;
    this.#environment = environment;
    this.#provenance = provenance;
  }

  /** Index of the shown environment. */
  get shown(): AssetIndex {
    return this.of(this.#environment());
  }

  of(environment: Environment): AssetIndex {
    const known = this.#byEnvironment.get(environment);
    if (known) return known;
    const rows = { assets: this.assetRows, assignments: this.assignmentRows };
    const index = new AssetIndex({ workspaceId: this.#workspaceId, environment }, rows, this.#provenance);
    this.#byEnvironment.set(environment, index);
    return index;
  }
}
