import { Chart } from '../geo/flat/chart.ts';
import type { LatLon } from '../geo/position.ts';
import { systemActor } from '../model/actor.ts';
import type { Affiliator, Decision, Judged, Matched } from '../model/affiliation.ts';
import { type Connection, NON_FORCE } from '../model/asset.ts';
import { Fault } from '../model/fault.ts';
import type { Identity, Observation } from '../model/observation.ts';
import type { AssetRecord } from '../store/assets.ts';
import { type Agreement, decide, type Known } from './affiliation.ts';
import type { AssetIndex, Telemetry } from './assets/asset_index.ts';
import type { Assets } from './assets/assets.ts';
import { isOver } from './assignments.ts';

/**
 * Time without telemetry after which an asset is offline, ms. Until then it is `stale` if its telemetry is no longer
 * fresh.
 */
const OFFLINE_MS = 30_000;

/**
 * Types of identities that may be an asset's key. Callsigns are not, because pilots choose them freely; session ids are
 * not, because they are short-lived.
 */
const keyTypes: ReadonlySet<Identity['type']> = new Set(['serial', 'caa', 'utm', 'mac', 'icao24', 'mavlink']);

export type PresenceDeps = {
  /** Limits of agreement with telemetry. Called each time, because they may change while the service runs. */
  agreement(): Agreement;
  /** Current UTC, in the form of rows. */
  nowText(): string;
};

/** Telemetry of the assets of one environment, and decisions about tracks that claim to be these assets. */
export class Presence implements Affiliator {
  readonly #index: AssetIndex;
  readonly #assets: Assets;
  readonly #deps: PresenceDeps;
  readonly #withoutFixMs = new Map<string, number>();

  constructor(index: AssetIndex, assets: Assets, deps: PresenceDeps) {
    this.#index = index;
    this.#assets = assets;
    this.#deps = deps;
  }

  get generation(): number {
    return this.#index.generation;
  }

  match(identities: readonly Matched[]): readonly string[] {
    const found = identities.flatMap((identity) => this.#matchOf(identity)?.id ?? []);
    return found.length > 1 ? [...new Set(found)] : found;
  }

  /**
   * Returns the asset that an identity means. Anybody can send the uid of an asset, so a uid counts only from a sender
   * that its link proves.
   */
  #matchOf({ type, value, isProven }: Matched): AssetRecord | undefined {
    if (type === 'external') return isProven === true ? this.#index.holderOfCotUid(value) : undefined;
    return keyTypes.has(type) ? this.#index.holderOf(value) : undefined;
  }

  moves(assetIds: readonly string[]): boolean {
    for (const id of assetIds) if (this.#index.telemetry.has(id)) return true;
    return false;
  }

  decide(track: Judged, assetIds: readonly string[], nowMs: number): Decision {
    const within = this.#deps.agreement();
    const known = assetIds.flatMap((id) => {
      const asset = this.#index.asset(id);
      return asset ? [this.#knownOf(asset, within, nowMs)] : [];
    });
    return decide(track, known, nowMs, within);
  }

  /**
   * Processes an observation that arrived over a link which proves its sender. `issuedFor` is the asset for which the
   * link was issued; null if none. Returns true if affiliations of tracks may have changed.
   */
  received(observation: Observation, issuedFor: string | null = null): boolean {
    const { latDeg, lonDeg } = observation;
    const asset = this.#speakerOf(observation, issuedFor);
    if (!asset || latDeg === null || lonDeg === null) return false;
    const isNews = this.#index.connectionOf(asset) !== 'online';
    this.#index.speak(asset.id, telemetryOf(observation, latDeg, lonDeg));
    this.#index.connections.set(asset.id, 'online');
    if (isNews) this.#assets.publish(asset.telemetryAt === null ? this.#noteFirst(asset) : asset);
    return isNews;
  }

  /** Updates the connections of silent assets. Call it once a second. */
  tick(nowMs: number): void {
    const { freshMs } = this.#deps.agreement();
    // If an owner sets a longer time for fresh telemetry, an asset is offline only after that time.
    const offlineMs = Math.max(OFFLINE_MS, freshMs);
    for (const [id, { receivedMs }] of this.#index.telemetry) {
      const silentMs = nowMs - receivedMs;
      const connection: Connection = silentMs <= freshMs ? 'online' : silentMs <= offlineMs ? 'stale' : 'offline';
      if (this.#index.connections.get(id) === connection) continue;
      this.#index.connections.set(id, connection);
      const asset = this.#index.asset(id);
      if (asset) this.#assets.publish(asset);
    }
  }

  /**
   * Records that a vehicle without a position fix was received over a link that proves its sender. Has no effect before
   * the vehicle's first telemetry with a position.
   */
  receivedWithoutFix(assetId: string, nowMs: number): void {
    if (this.#index.telemetry.has(assetId)) this.#withoutFixMs.set(assetId, nowMs);
  }

  #knownOf(asset: AssetRecord, { freshMs }: Agreement, nowMs: number): Known {
    const { id, name, kind, telemetryAt } = asset;
    const latest = this.#index.telemetry.get(id);
    const isWithoutFix = nowMs - (this.#withoutFixMs.get(id) ?? Number.NEGATIVE_INFINITY) <= freshMs;
    return {
      id,
      name,
      force: kind !== NON_FORCE,
      assigned: this.#assignedOf(id),
      speaks: telemetryAt !== null || latest !== undefined,
      telemetry: latest
        ? { receivedMs: latest.receivedMs, at: (timeMs) => placeAt(latest, timeMs, freshMs), isWithoutFix }
        : null,
    };
  }

  /** Affiliation by assignment. An expired one does not count, even while the disk refuses to store its end. */
  #assignedOf(assetId: string): Known['assigned'] {
    const assignment = this.#index.activeOf(assetId);
    if (!assignment || (assignment.expires_at !== null && isOver(assignment, this.#deps.nowText()))) return null;
    return assignment.affiliation;
  }

  /**
   * Returns the asset that sent an observation. It is found by its key. On a link issued for an asset, system and
   * component ids identify this asset too.
   */
  #speakerOf({ identities }: Observation, issuedFor: string | null): AssetRecord | undefined {
    for (const { type, value } of identities) {
      if (!keyTypes.has(type)) continue;
      const holder = this.#index.holderOf(value);
      if (holder) return holder;
    }
    const said = identities.find(({ type }) => type === 'mavlink')?.value;
    return said === undefined || issuedFor === null ? undefined : this.#index.learnSpeaker(said, issuedFor);
  }

  /**
   * Records the first telemetry of an asset. If the disk refuses, the next attempt follows when the asset comes online
   * again.
   */
  #noteFirst(asset: AssetRecord): AssetRecord {
    try {
      return this.#assets.noteTelemetry(asset, systemActor);
    } catch (thrown) {
      if (thrown instanceof Fault) return asset;
      throw thrown;
    }
  }
}

function telemetryOf(observation: Observation, latDeg: number, lonDeg: number): Telemetry {
  const { receivedMs, timeMs, speedMps, courseDeg } = observation;
  const course = ((courseDeg ?? 0) * Math.PI) / 180;
  const speed = courseDeg === null ? 0 : (speedMps ?? 0);
  return {
    receivedMs,
    timeMs,
    latDeg,
    lonDeg,
    eastMps: speed * Math.sin(course),
    northMps: speed * Math.cos(course),
  };
}

/**
 * Extrapolates the last telemetry along a straight line to `timeMs`, by at most the time for which telemetry is fresh.
 */
function placeAt(telemetry: Telemetry, timeMs: number, freshMs: number): LatLon {
  const seconds = Math.min(Math.max(timeMs - telemetry.timeMs, -freshMs), freshMs) / 1000;
  const chart = new Chart(telemetry);
  return chart.placeOf([telemetry.eastMps * seconds, telemetry.northMps * seconds]);
}
