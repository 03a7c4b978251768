import { Chart } from '../geo/flat/chart.ts';
import { systemActor } from '../model/actor.ts';
import type { Affiliator, Decision, Judged } from '../model/affiliation.ts';
import { type Connection, NON_FORCE } from '../model/asset.ts';
import { Fault } from '../model/fault.ts';
import type { Identity, Observation } from '../model/observation.ts';
import type { AssetRecord } from '../store/assets.ts';
import { type Agreement, decide, type Known } from './affiliation.ts';
import type { Assets } from './assets/assets.ts';
import type { Shelf, Telemetry } from './assets/shelf.ts';

/** Silent for longer than telemetry is fresh, an asset is stale; for longer than this, offline. */
const OFFLINE_MS = 30_000;

/** What may be an asset's key. A callsign is what a pilot types, a session's id is nobody's for long. */
const keyTypes: ReadonlySet<Identity['type']> = new Set(['serial', 'caa', 'utm', 'mac', 'icao24', 'mavlink']);

/** What is heard of the assets of one environment: where their own telemetry puts them, and which tracks claim to be them. */
export class Presence implements Affiliator {
  readonly #shelf: Shelf;
  readonly #assets: Assets;
  readonly #agreement: () => Agreement;

  readonly #withoutFixMs = new Map<string, number>();

  /** The asset that a link was issued for, null where for none. */
  issuedFor: (linkId: string) => string | null = () => null;

  /** `agreement` is asked for each time: it changes while the service runs. */
  constructor(shelf: Shelf, assets: Assets, agreement: () => Agreement) {
    this.#shelf = shelf;
    this.#assets = assets;
    this.#agreement = agreement;
  }

  get generation(): number {
    return this.#shelf.generation;
  }

  match(identities: readonly Pick<Identity, 'type' | 'value'>[]): readonly string[] {
    const keys = identities.filter(({ type }) => keyTypes.has(type));
    const found = keys.flatMap(({ value }) => this.#shelf.bearerOf(value)?.id ?? []);
    return found.length > 1 ? [...new Set(found)] : found;
  }

  moves(assetIds: readonly string[]): boolean {
    for (const id of assetIds) if (this.#shelf.telemetry.has(id)) return true;
    return false;
  }

  decide(track: Judged, assetIds: readonly string[], nowMs: number): Decision {
    const within = this.#agreement();
    const known = assetIds.flatMap((id) => {
      const asset = this.#shelf.asset(id);
      return asset ? [this.#knownOf(asset, within, nowMs)] : [];
    });
    return decide(track, known, nowMs, within);
  }

  /** An observation over a link that proves who speaks. Returns whether what tracks are held for may be another now. */
  heard(observation: Observation): boolean {
    const { latDeg, lonDeg } = observation;
    const asset = this.#speakerOf(observation);
    if (!asset || latDeg === null || lonDeg === null) return false;
    const isNews = this.#shelf.connectionOf(asset) !== 'online';
    this.#shelf.speak(asset.id, telemetryOf(observation, latDeg, lonDeg));
    this.#shelf.connections.set(asset.id, 'online');
    if (isNews) this.#assets.tell(asset.telemetryAt === null ? this.#noteFirst(asset) : asset);
    return isNews;
  }

  /** Once a second: who has fallen silent. */
  tick(nowMs: number): void {
    const { freshMs } = this.#agreement();
    // However long an owner calls it fresh.
    const offlineMs = Math.max(OFFLINE_MS, freshMs);
    for (const [id, { heardMs }] of this.#shelf.telemetry) {
      const silentMs = nowMs - heardMs;
      const connection: Connection = silentMs <= freshMs ? 'online' : silentMs <= offlineMs ? 'stale' : 'offline';
      if (this.#shelf.connections.get(id) === connection) continue;
      this.#shelf.connections.set(id, connection);
      const asset = this.#shelf.asset(id);
      if (asset) this.#assets.tell(asset);
    }
  }

  /** A vehicle of ours speaks over a link that proves it, and has no fix. */
  heardWithoutFix(assetId: string, nowMs: number): void {
    if (this.#shelf.telemetry.has(assetId)) this.#withoutFixMs.set(assetId, nowMs);
  }

  #knownOf(asset: AssetRecord, { freshMs }: Agreement, nowMs: number): Known {
    const { id, name, kind, telemetryAt } = asset;
    const heard = this.#shelf.telemetry.get(id);
    const isWithoutFix = nowMs - (this.#withoutFixMs.get(id) ?? Number.NEGATIVE_INFINITY) <= freshMs;
    return {
      id,
      name,
      force: kind !== NON_FORCE,
      assigned: this.#shelf.activeOf(id)?.affiliation ?? null,
      speaks: telemetryAt !== null || heard !== undefined,
      telemetry: heard
        ? { heardMs: heard.heardMs, at: (timeMs) => placeAt(heard, timeMs, freshMs), isWithoutFix }
        : null,
    };
  }

  /** By a key that it carries; on the link that was issued for it, by the system and component that its row names too. */
  #speakerOf({ identities, linkId }: Observation): AssetRecord | undefined {
    for (const { type, value } of identities) {
      if (!keyTypes.has(type)) continue;
      const bearer = this.#shelf.bearerOf(value);
      if (bearer) return bearer;
    }
    const said = identities.find(({ type }) => type === 'mavlink')?.value;
    const issuedFor = linkId === null ? null : this.issuedFor(linkId);
    return said === undefined || issuedFor === null ? undefined : this.#shelf.learnSpeaker(said, issuedFor);
  }

  /** Where the disk refuses, it is tried again with the next time it comes online. */
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
  const { receivedMs: heardMs, timeMs, speedMps, courseDeg } = observation;
  const course = ((courseDeg ?? 0) * Math.PI) / 180;
  const speed = courseDeg === null ? 0 : (speedMps ?? 0);
  return { heardMs, timeMs, latDeg, lonDeg, eastMps: speed * Math.sin(course), northMps: speed * Math.cos(course) };
}

/** Flown straight on from where it was heard, for as long as that word is fresh. */
function placeAt(heard: Telemetry, timeMs: number, freshMs: number): { latDeg: number; lonDeg: number } {
  const seconds = Math.min(Math.max(timeMs - heard.timeMs, -freshMs), freshMs) / 1000;
  const chart = new Chart(heard.latDeg, heard.lonDeg);
  const { lat, lon } = chart.placeOf([heard.eastMps * seconds, heard.northMps * seconds]);
  return { latDeg: lat, lonDeg: lon };
}
