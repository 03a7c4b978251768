import { setTimeout as pause } from 'node:timers/promises';
import { playScenario } from '../../src/cli/sim/play.ts';
import type { ScenarioSpec } from '../../src/model/scenario.ts';
import { builtinDeps, builtinText } from '../../src/sim/scenarios/builtins.ts';
import { scenarioOf } from '../../src/sim/scenarios/read.ts';
import { median, type Row } from './row.ts';

const SCENARIO = 'busy_airport';
const RUNS = 3;
/** At real time: what comes in the first seconds is compiled and begun, and then it is measured so often for so long. */
const SETTLES_S = 15;
const WINDOWS = 3;
const WINDOW_S = 10;

const silent = { out: () => {}, err: () => {}, isTty: false };

/** What a whole run costs without a server: as fast as it goes, and at the pace of the clock in all its threads. */
export async function benchSimRun(): Promise<Row[]> {
  const scenario = scenarioOf(builtinText(SCENARIO), builtinDeps);
  const name = `${SCENARIO}, ${scenario.actors.length} aircraft, ${scenario.sensors.length} sensors`;
  const times: number[] = [];
  const cpuMs: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage();
    const { simulatedS, tookS } = await playScenario({ scenario, seed: scenario.seed, rate: 'max' }, silent);
    const { user, system } = process.cpuUsage(before);
    times.push(simulatedS / tookS);
    cpuMs.push((user + system) / 1_000 / simulatedS);
  }
  return [
    { name: `${name}, at most`, value: median(times), unit: 'times real time', target: { atLeast: 20 } },
    // Of all threads: what a busy box makes longer is the wait and not this.
    { name: `${name}, at most`, value: median(cpuMs), unit: 'ms of CPU a simulated second' },
    { name: `${name}, at 1`, value: await shareOfCore(scenario), unit: '% of a core', target: { below: 8 } },
  ];
}

async function shareOfCore(scenario: ScenarioSpec): Promise<number> {
  const duration_s = SETTLES_S + (WINDOWS + 1) * WINDOW_S;
  const played = playScenario({ scenario: { ...scenario, duration_s }, seed: scenario.seed, rate: 1 }, silent);
  await pause(SETTLES_S * 1_000);
  const shares: number[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    const [before, begunMs] = [process.cpuUsage(), performance.now()];
    await pause(WINDOW_S * 1_000);
    const { user, system } = process.cpuUsage(before);
    shares.push((user + system) / 10 / (performance.now() - begunMs));
  }
  await played;
  return median(shares);
}
