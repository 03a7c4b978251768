import t from 'tap';
import { inTurn } from '../../../src/cli/serve/rule_trial.ts';

t.test('dry runs are made one at a time, few wait, and one that fails holds nobody up', async (t) => {
  const trials = inTurn();
  const ends: (() => void)[] = [];
  let now = 0;
  let most = 0;
  const trial = async (): Promise<number> => {
    most = Math.max(most, ++now);
    await new Promise<void>((resolve) => ends.push(resolve));
    now--;
    if (ends.length === 1) throw new Error('the disk is gone');
    return ends.length;
  };
  const all = [trials(trial), trials(trial), trials(trial), trials(trial)];
  await t.rejects(trials(trial), { code: 'rate_limited', message: /try again/ });
  const settled = Promise.allSettled(all);
  for (let i = 0; i < all.length; i++) {
    while (ends.length <= i) await new Promise(setImmediate);
    ends[i]?.();
  }
  t.same(
    (await settled).map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
  t.equal(most, 1);
  const after = trials(trial);
  while (ends.length < 5) await new Promise(setImmediate);
  ends[4]?.();
  t.equal(await after, 5, 'there is room again');
});
