import type {
  CoreMaker,
  JudgedCard,
  ScenarioSensor,
  StepOutput,
  TrackingCore,
} from '../../../src/cli/track/core_port.ts';
import type { ObservationBatch } from '../../../src/model/observation_row.ts';
import { COLUMN, ROW_WIDTH } from '../../../src/model/track_row.ts';

export type Told = Partial<Record<keyof typeof COLUMN, number>>;

/** A core that notes what it is given and answers what a test wrote for that time, in seconds. */
export class FakeCore implements TrackingCore {
  sensors: readonly ScenarioSensor[] = [];
  readonly steps: { atS: number; batch: ObservationBatch }[] = [];
  readonly #answers: (atS: number) => Partial<StepOutput>;

  constructor(answers: (atS: number) => Partial<StepOutput> = () => ({})) {
    this.#answers = answers;
  }

  setSensors(sensors: readonly ScenarioSensor[]): void {
    this.sensors = sensors;
  }

  step(batch: ObservationBatch, nowMs: number): StepOutput {
    const atS = nowMs / 1000;
    this.steps.push({ atS, batch });
    return { rows: rows(), cards: [], removed: [], assigned: new Uint32Array(), ...this.#answers(atS) };
  }
}

export function makerOf(core: TrackingCore, settingNames: readonly string[] = []): CoreMaker {
  return { settingNames, make: () => core };
}

export function rows(...told: Told[]): Float64Array {
  const packed = new Float64Array(told.length * ROW_WIDTH).fill(Number.NaN);
  told.forEach((row, i) => {
    for (const [name, value] of Object.entries(row))
      packed[i * ROW_WIDTH + COLUMN[name as keyof typeof COLUMN]] = value;
  });
  return packed;
}

export function card(number: number, rest: Partial<JudgedCard> = {}): JudgedCard {
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
    flags: [],
    firstSeenMs: 0,
    ...rest,
  };
}
