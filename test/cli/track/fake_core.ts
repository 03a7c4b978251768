import type { CoreMaker, TrackingCore } from '../../../src/cli/track/core_maker.ts';
import type { SensorValue } from '../../../src/core/tracking/settings.ts';
import type { ObservationBatch } from '../../../src/model/observation_row.ts';
import { TRACK } from '../../../src/model/rows/layouts.ts';
import { type CoreOutput, ROW_WIDTH, type TrackCard } from '../../../src/model/track_row.ts';

export type Told = Partial<Record<keyof typeof TRACK, number>>;

/** A core that notes what it is given and answers what a test wrote for that time, in seconds. */
export class FakeCore implements TrackingCore {
  sensors: readonly SensorValue[] = [];
  readonly steps: { atS: number; batch: ObservationBatch }[] = [];
  /** In so many of the steps that come, something is told in the next. */
  behindFor = 0;
  readonly #answers: (atS: number) => Partial<CoreOutput>;

  constructor(answers: (atS: number) => Partial<CoreOutput> = () => ({})) {
    this.#answers = answers;
  }

  setSensors(sensors: readonly SensorValue[]): void {
    this.sensors = sensors;
  }

  get rowsWait(): boolean {
    return this.behindFor > 0;
  }

  step(batch: ObservationBatch, nowMs: number): CoreOutput {
    if (this.steps.length > 0 && this.steps.at(-1)?.atS === nowMs / 1000) this.behindFor--;
    const atS = nowMs / 1000;
    this.steps.push({ atS, batch });
    const none = {
      nowMs,
      rows: rows(),
      cards: [],
      received: new Float64Array(),
      removed: [],
      assigned: new Float64Array(),
      dueMs: nowMs,
      assessment: { threats: [], cleared: [], groups: [], zoneEvents: [], firings: [], counts: [], nearest: [] },
      offsets: [],
    };
    return { ...none, ...this.#answers(atS) };
  }
}

export function makerOf(core: TrackingCore, settingNames: readonly string[] = []): CoreMaker {
  return { settingNames, make: () => core };
}

export function rows(...told: Told[]): Float64Array {
  const packed = new Float64Array(told.length * ROW_WIDTH).fill(Number.NaN);
  told.forEach((row, i) => {
    for (const [name, value] of Object.entries(row)) packed[i * ROW_WIDTH + TRACK[name as keyof typeof TRACK]] = value;
  });
  return packed;
}

export function card(number: number, rest: Partial<TrackCard> = {}): TrackCard {
  return {
    id: String(number),
    number,
    identities: [],
    classification: [],
    cooperative: 'non_coop_only',
    operator: null,
    takeoff: null,
    status: null,
    contributors: [],
    claims: [],
    lineage: [],
    flags: [],
    integrity: { verdict: 'unchecked', score: 0.5, reasons: [] },
    firstSeenMs: 0,
    ...rest,
  };
}
