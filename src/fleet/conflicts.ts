import type { FleetAsset, FleetDeps } from './deps.ts';
import type { Vehicle } from './vehicle.ts';

type Contested = { asset: FleetAsset; text: string };

/**
 * Least interval between log rows about one asset, ms. Without it, the conflicting sender would decide how fast the log
 * grows.
 */
const NOTE_EVERY_MS = 60_000;
const MOST_NOTED = 1_000;

/**
 * Identity conflicts of adopted vehicles. Each raises an alert that lasts as long as the conflict. The log gets at most
 * one row per asset and minute.
 */
export class Conflicts {
  readonly #deps: Pick<FleetDeps, 'conflict' | 'note' | 'nowMs'>;
  readonly #now = new Map<Vehicle, Contested>();
  readonly #notedMs = new Map<string, number>();

  constructor(deps: Pick<FleetDeps, 'conflict' | 'note' | 'nowMs'>) {
    this.#deps = deps;
  }

  /** Updates the conflict of a vehicle; `now` is null if there is none. */
  evaluate(vehicle: Vehicle, now: Contested | null): void {
    const before = this.#now.get(vehicle);
    if (before && before.asset.id !== now?.asset.id) this.#deps.conflict(before.asset, null);
    if (now === null) {
      this.#now.delete(vehicle);
      return;
    }
    const isSame = before?.asset.id === now.asset.id;
    if (isSame && before.text === now.text) return;
    this.#now.set(vehicle, now);
    this.#deps.conflict(now.asset, now.text);
    if (!isSame) this.#note(now);
  }

  #note({ asset, text }: Contested): void {
    const nowMs = this.#deps.nowMs();
    if (nowMs - (this.#notedMs.get(asset.id) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
    if (this.#notedMs.size >= MOST_NOTED) this.#notedMs.clear();
    this.#notedMs.set(asset.id, nowMs);
    const subject = { type: 'asset', id: asset.id, label: asset.name };
    this.#deps.note('fleet.id_conflict', 'warning', `${asset.name}: ${text}`, subject);
  }
}
