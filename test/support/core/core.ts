import { Core } from '../../../src/core/core.ts';
import { Packer } from '../../../src/core/thread/pack.ts';
import type { TrackingSettings } from '../../../src/core/tracking/settings.ts';
import type { Observation } from '../../../src/model/observation.ts';
import { receiveInto } from '../../../src/model/received_row.ts';
import { OBSERVED, TRACK } from '../../../src/model/rows/layouts.ts';
import {
  type CoreOutput,
  ROW_WIDTH,
  stateCodes,
  type TrackCard,
  type TrackRemoval,
} from '../../../src/model/track_row.ts';

export const settings: TrackingSettings = {
  confirmHits: 2,
  confirmWindowS: 10,
  coastS: 5,
  lostS: 15,
  closeS: 60,
  maxTracks: 50,
};

/** A core that takes observations as feeds make them: it packs them, and adds each sensor with its first observation. */
export class PackedCore {
  readonly core: Core;
  readonly #sensors = new Map<string, number>();
  readonly #packer = new Packer((id) => this.#sensors.get(id) ?? -1);
  #sequence = 0;

  constructor(more: Partial<TrackingSettings> = {}) {
    this.core = new Core({ ...settings, ...more }, new Uint8Array(8).fill(7), 0);
  }

  step(observations: readonly Observation[], nowMs: number): CoreOutput {
    const rows = new Float64Array(observations.length * OBSERVED.width);
    observations.forEach((observation, i) => {
      this.#know(observation);
      this.#packer.pack(observation, this.#sequence++, rows, i * OBSERVED.width);
    });
    return this.core.step({ rows, dossiers: this.#packer.takeDossiers() }, nowMs);
  }

  #know({ sensorId: id, identities }: Observation): void {
    if (this.#sensors.has(id)) return;
    const index = this.#sensors.size;
    this.#sensors.set(id, index);
    const fused = identities.some(({ type }) => type === 'external');
    this.core.setSensors([{ index, id, cooperative: identities.length > 0, fused, placement: null, seeing: null }]);
  }
}

/** A core and its published state: the last row and card of each living track. */
export class CoreWitness {
  readonly core: Core;
  readonly #packed: PackedCore;
  readonly rows = new Map<number, Float64Array>();
  readonly cards = new Map<number, TrackCard>();
  readonly removed: TrackRemoval[] = [];

  constructor(more: Partial<TrackingSettings> = {}) {
    this.#packed = new PackedCore(more);
    this.core = this.#packed.core;
  }

  step(nowMs: number, ...observations: Observation[]): CoreOutput {
    const output = this.#packed.step(observations, nowMs);
    for (const card of output.cards) this.cards.set(card.number, card);
    receiveInto(output.received, (number) => this.cards.get(number));
    for (let at = 0; at < output.rows.length; at += ROW_WIDTH) {
      const row = output.rows.slice(at, at + ROW_WIDTH);
      this.rows.set(row[TRACK.number] ?? 0, row);
    }
    for (const removal of output.removed) {
      this.rows.delete(removal.number);
      this.cards.delete(removal.number);
      this.removed.push(removal);
    }
    return output;
  }

  numbers(): number[] {
    return [...this.cards.keys()];
  }

  state(number: number): string | undefined {
    return stateCodes[this.rows.get(number)?.[TRACK.state] ?? -1];
  }

  column(number: number, column: keyof typeof TRACK): number {
    return this.rows.get(number)?.[TRACK[column]] ?? Number.NaN;
  }
}
