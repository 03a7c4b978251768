import t from 'tap';
import { playScenario } from '../../src/cli/sim/play.ts';
import { inItsThread, inTheWorlds } from '../../src/core/thread/place.ts';
import { builtinDeps, builtinText } from '../../src/sim/scenarios/builtins.ts';
import { scenarioOf } from '../../src/sim/scenarios/read.ts';
import { onlyInFull } from '../support/basics/patience.ts';

onlyInFull(t);

const silent = { out: () => {}, err: () => {}, isTty: false };

t.test('a core in the thread of its world finds what one in its own thread does', async (t) => {
  const scenario = { ...scenarioOf(builtinText('spoofed_remote_id'), builtinDeps), duration_s: 40 };
  const play = async (corePlace: typeof inItsThread): Promise<string> =>
    (await playScenario({ scenario, seed: 5, rate: 'max', corePlace }, silent)).logHash;
  t.equal(await play(inTheWorlds), await play(inItsThread));
});
