import t from 'tap';
import { defaultCost, Passwords } from '../../src/access/passwords.ts';

const cheap = { n: 16, r: 1, p: 1 };

t.test('only the password itself is right', async (t) => {
  const passwords = new Passwords(cheap);
  const stored = await passwords.hash('correct horse battery');
  t.notMatch(stored, /horse/);
  t.ok(await passwords.isRight('correct horse battery', stored));
  for (const wrong of ['', 'correct horse batterx', 'correct horse battery ', 'Correct horse battery', stored]) {
    t.notOk(await passwords.isRight(wrong, stored));
  }
  t.notOk(await passwords.isRight('correct horse battery', null), 'nobody has none');
  t.not(await passwords.hash('correct horse battery'), stored, 'salted');
});

t.test('an accent typed on another system is the same accent', async (t) => {
  const passwords = new Passwords(cheap);
  t.ok(await passwords.isRight('cafe\u0301 in the morning', await passwords.hash('caf\u00e9 in the morning')));
});

t.test('a hash says what it cost, and serves when the cost has risen', async (t) => {
  const stored = await new Passwords(cheap).hash('correct horse battery');
  t.match(stored, /^scrypt\$16\$1\$1\$/);
  t.ok(await new Passwords({ n: 64, r: 2, p: 2 }).isRight('correct horse battery', stored));
  await t.rejects(new Passwords(cheap).isRight('x', 'plain text'), { code: 'internal' });
});

t.test('what a guess costs is what is advised, and the loop turns meanwhile', async (t) => {
  const { n, r, p } = defaultCost;
  t.ok(n * r * p >= 2 ** 17 * 8 * 0.75);
  const passwords = new Passwords();
  let turns = 0;
  const turning = setInterval(() => turns++, 1);
  await passwords.hash('correct horse battery');
  clearInterval(turning);
  t.ok(turns > 5, `${turns} turns`);
});

t.test('more than so many at once are told to come again, and those before them are served', async (t) => {
  const passwords = new Passwords({ n: 2 ** 12, r: 8, p: 1 });
  const asked = await Promise.allSettled(Array.from({ length: 40 }, () => passwords.hash('correct horse battery')));
  const refused = asked.filter(({ status }) => status === 'rejected');
  t.equal(refused.length, 40 - 18);
  for (const one of refused) t.match((one as PromiseRejectedResult).reason, { code: 'rate_limited', retryAfterS: 5 });
  t.ok(await passwords.hash('and on it goes'));
});
