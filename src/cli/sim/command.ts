import { readFileSync } from 'node:fs';
import { Fault } from '../../model/fault.ts';
import type { ScenarioSpec } from '../../model/scenario.ts';
import { reasonOf } from '../../store/failures.ts';
import {
  builtinRim,
  builtinScenario,
  builtinScenarios,
  builtinText,
  scenarioFiles,
} from '../../worlds/sim/scenarios/builtins.ts';
import { scenarioOf } from '../../worlds/sim/scenarios/read.ts';
import { exits, type Io } from '../io.ts';
import { readSimFlags } from './flags.ts';
import { playScenario } from './play.ts';
import { jsonLine, reportLines } from './report.ts';

/** Plays a scenario without a server. */
export async function simCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = readSimFlags(argv, io);
  if (typeof flags === 'number') return flags;
  if (flags.act === 'list') {
    for (const key of scenarioFiles()) io.out(`${key.padEnd(24)}${builtinScenario(key)?.name ?? 'cannot be read'}`);
    return exits.done;
  }
  try {
    const scenario = scenarioNamed(flags.scenario);
    const seed = flags.seed ?? scenario.seed;
    const played = await playScenario({ scenario, seed, rate: flags.rate }, io);
    if (flags.json) io.out(jsonLine({ scenario: scenario.name, seed, ...played }));
    else for (const line of reportLines({ scenario: scenario.name, seed, ...played })) io.out(line);
    return played.expect.every(({ met }) => met) ? exits.done : exits.failed;
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    io.err(`dunlin sim: ${thrown.message}`);
    return thrown.code === 'not_found' ? exits.wrongUse : exits.failed;
  }
}

function scenarioNamed(name: string): ScenarioSpec {
  if (scenarioFiles().includes(name)) return scenarioOf(builtinText(name), builtinRim);
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch (thrown) {
    const known = builtinScenarios().length > 0 ? `; the built-in scenarios are ${scenarioFiles().join(', ')}` : '';
    throw new Fault('not_found', `${name} cannot be read: ${reasonOf(thrown)}${known}`);
  }
  return scenarioOf(text, builtinRim);
}
