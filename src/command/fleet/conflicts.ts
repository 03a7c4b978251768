import type { FleetAsset, FleetRim } from './rim.ts';
import type { Vehicle } from './vehicle.ts';

type Contested = { asset: FleetAsset; text: string };

/** Rows of the log of one asset come so often at most: the other address chooses when it speaks. */
const NOTE_EVERY_MS = 60_000;
const MOST_NOTED = 1_000;

/** Vehicles of ours that another one, or a forger, says to be: an alert for as long as it lasts, and a row of the log. */
export class Conflicts {
  readonly #rim: Pick<FleetRim, 'conflict' | 'note' | 'nowMs'>;
  readonly #now = new Map<Vehicle, Contested>();
  readonly #notedMs = new Map<string, number>();

  constructor(rim: Pick<FleetRim, 'conflict' | 'note' | 'nowMs'>) {
    this.#rim = rim;
  }

  /** What holds of a vehicle now; null where nothing contradicts it. */
  look(vehicle: Vehicle, now: Contested | null): void {
    const before = this.#now.get(vehicle);
    if (before && before.asset.id !== now?.asset.id) this.#rim.conflict(before.asset, null);
    if (now === null) {
      this.#now.delete(vehicle);
      return;
    }
    const isSame = before?.asset.id === now.asset.id;
    if (isSame && before.text === now.text) return;
    this.#now.set(vehicle, now);
    this.#rim.conflict(now.asset, now.text);
    if (!isSame) this.#note(now);
  }

  #note({ asset, text }: Contested): void {
    const nowMs = this.#rim.nowMs();
    if (nowMs - (this.#notedMs.get(asset.id) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
    if (this.#notedMs.size >= MOST_NOTED) this.#notedMs.clear();
    this.#notedMs.set(asset.id, nowMs);
    const subject = { type: 'asset', id: asset.id, label: asset.name };
    this.#rim.note('fleet.id_conflict', 'warning', `${asset.name}: ${text}`, subject);
  }
}
