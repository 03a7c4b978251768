import t from 'tap';
import { type Act, whyNot } from '../../src/console/state/can.ts';
import { linkStateOf, retryDelayMs } from '../../src/console/stream/watchdog.ts';

t.test('the picture is stale after 5 s without bytes, and there is no link after 15 s', async (t) => {
  t.equal(linkStateOf(null, 0, null).state, 'connecting');
  t.equal(linkStateOf(null, 0, 'refused').state, 'no_link');
  t.equal(linkStateOf(1_000, 5_999, null).state, 'up_to_date');
  t.equal(linkStateOf(1_000, 6_000, null).state, 'stale');
  t.equal(linkStateOf(1_000, 16_000, null).state, 'no_link');
});

t.test('attempts come between 0.4 s and 12.5 s apart', async (t) => {
  for (const attempt of [0, 1, 5, 1_000])
    for (const random of [0, 0.999]) {
      const delay = retryDelayMs(attempt, random);
      t.ok(delay >= 375 && delay <= 12_500, `${attempt}: ${delay} ms`);
    }
});

t.test('nothing can be approved or moved that is stale; stopping and seeing are never held back', async (t) => {
  const acts: readonly Act[] = ['safer', 'see', 'move', 'approve', 'write', 'own'];
  for (const link of ['connecting', 'stale', 'no_link'] as const) {
    const allowed = acts.filter((act) => whyNot(act, { link, role: 'owner', mode: 'live', isNamed: true }) === null);
    t.same(allowed, ['safer', 'see'], link);
  }
  t.same(
    acts.filter((act) => whyNot(act, { link: 'up_to_date', role: 'operator', mode: 'live', isNamed: true }) !== null),
    ['own'],
  );
  t.same(
    acts.filter((act) => whyNot(act, { link: 'up_to_date', role: 'viewer', mode: 'live', isNamed: true }) === null),
    [],
    'a viewer changes nothing',
  );
});

t.test('nobody moves a vehicle or approves a plan without a name for the log', async (t) => {
  const standing = { link: 'up_to_date', role: 'operator', mode: 'live', isNamed: false } as const;
  t.match(whyNot('approve', standing), /name/);
  t.match(whyNot('move', standing), /name/);
  t.equal(whyNot('safer', standing), null);
});
