import type { Test } from 'tap';
import { type Played, playScenario } from '../../../src/cli/sim/play.ts';
import type { ScenarioSpec } from '../../../src/model/scenario.ts';
import { builtinDeps, builtinText } from '../../../src/sim/scenarios/builtins.ts';
import { scenarioOf } from '../../../src/sim/scenarios/read.ts';
import { isFull } from '../basics/size.ts';

const quiet = { out: () => {}, err: () => {}, isTty: false };
/** The whole of these is played twice, with --full of each; of the others the beginning is. */
const playedTwice = new Set(['patrol_tasking', 'swarm']);
/** Of another seed so much is played: everything differs by then. */
const OTHER_S = 15;

export function builtinSpec(key: string): ScenarioSpec {
  return scenarioOf(builtinText(key), builtinDeps);
}

/** The beginning of a scenario, with nothing asked of it. */
export function beginningOf(scenario: ScenarioSpec, durationS: number): ScenarioSpec {
  const orders = scenario.orders.filter(({ at_s }) => at_s < durationS);
  return { ...scenario, duration_s: durationS, orders, expect: [] };
}

/** Plays it through the whole of the program, as fast as the box can. */
export function play(scenario: ScenarioSpec, seed = scenario.seed): Promise<Played> {
  return playScenario({ scenario, seed, rate: 'max' }, quiet);
}

/** Of a run what must be the same wherever and however often it is played. */
export function partsOf({ logHash, metrics, expect, simulatedS }: Played): object {
  return { logHash, metrics, expect, simulatedS };
}

/** A built-in scenario brings about what it says, and the same each time. */
export async function provesItself(t: Test, key: string): Promise<void> {
  const scenario = builtinSpec(key);
  const played = await play(scenario);
  for (const { text, met } of played.expect) t.ok(met, text);
  t.equal(played.simulatedS, scenario.duration_s);
  if (isFull || playedTwice.has(key))
    t.strictSame(partsOf(await play(scenario)), partsOf(played), 'played again it is the same');
  await differsBySeed(t, scenario);
}

export async function differsBySeed(t: Test, scenario: ScenarioSpec): Promise<void> {
  const beginning = beginningOf(scenario, OTHER_S);
  const one = await play(beginning);
  t.equal((await play(beginning)).logHash, one.logHash);
  t.not((await play(beginning, scenario.seed + 1)).logHash, one.logHash, 'by another seed it is another');
}
