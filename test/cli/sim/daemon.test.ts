import t from 'tap';
import type { Run } from '../../../src/model/run.ts';
import type { Scenario } from '../../../src/model/scenario.ts';
import { onlyInFull, takeTime, until } from '../../support/basics/patience.ts';
import type { Daemon } from '../../support/daemon/daemon.ts';
import { spawnDaemon } from '../../support/daemon/daemon_process.ts';
import { put } from '../../support/daemon/flights.ts';
import { beginningOf, builtinSpec, play } from '../../support/sim/played.ts';

onlyInFull(t);
takeTime(t, 180);

/** Plays it in the daemon, and answers the run once it has ended. */
async function playedIn(daemon: Daemon, scenario_id: string, rate: number): Promise<Run> {
  const begun = await daemon.post('/api/sim/start', { scenario_id, rate });
  if (!begun.body.ok) throw new Error(begun.body.error);
  const { run_id } = begun.body.data as { run_id: string };
  const isOver = ({ state }: Run): boolean => state === 'completed' || state === 'failed';
  return until(
    async () => {
      const run = await daemon.get<Run>(`/api/simulation/runs/${run_id}`);
      return isOver(run) && run;
    },
    'the run is over',
    60_000,
  );
}

t.test('what is played in a daemon is what is played without one', async (t) => {
  const { name: _name, ...spec } = beginningOf(builtinSpec('patrol_tasking'), 60);
  const scenario = { name: 'The beginning of a patrol', ...spec };
  const alone = await play(scenario);

  const daemon = await spawnDaemon(t);
  const { body } = await daemon.post('/api/scenarios', scenario);
  t.equal(body.error, undefined);
  const { id } = body.data as Scenario;
  const first = await playedIn(daemon, id, 20);
  t.equal(first.state, 'completed');
  t.equal(first.simulated_s, 60);
  t.equal(first.log_hash, alone.logHash);
  t.same(first.metrics, alone.metrics);
  t.equal((await playedIn(daemon, id, 10)).log_hash, alone.logHash, 'at another pace, and for the second time');

  const policy = await daemon.get<object>('/api/decision-config');
  t.ok((await daemon.request('/api/decision-config', put(policy))).body.ok);
  const rule = '/api/rules/zone_approach';
  for (const enabled of [false, true]) t.ok((await daemon.post(rule, { enabled })).body.ok);
  const later = await playedIn(daemon, id, 20);
  t.not(later.policy_version, first.policy_version);
  t.equal(later.log_hash, alone.logHash, 'a policy that was saved as it was is the same policy');
});
