import t from 'tap';
import { byHand, PASSWORD } from '../support/http/person.ts';
import { accessOf, openRegistry, type RegistryRig } from '../support/registry/registry.ts';

const minute = 60_000;

function clocked(rig: RegistryRig) {
  const clock = { mono: 0, utc: Date.UTC(2025, 5, 1) };
  const open = () => accessOf(rig, { nowMs: () => clock.mono, utcMs: () => clock.utc });
  const pass = (ms: number): void => {
    clock.mono += ms;
    clock.utc += ms;
  };
  return { clock, open, pass };
}

async function userOf(rig: RegistryRig): Promise<string> {
  const spec = { username: 'anna', password: PASSWORD, role: 'viewer' } as const;
  return (await accessOf(rig).users.add(rig.workspaceId, spec, byHand)).id;
}

t.test('a session holds half an hour from its beginning, however much it is used', async (t) => {
  const rig = openRegistry(t);
  const userId = await userOf(rig);
  const { open, pass } = clocked(rig);
  const { sessions } = open();
  const { token } = sessions.open(userId);
  for (let i = 0; i < 29; i++) {
    pass(minute);
    t.match(sessions.find(token), { userId, name: 'anna' });
  }
  pass(minute);
  t.equal(sessions.find(token), null);
});

t.test('it outlives a restart, and ends when it was to end', async (t) => {
  const rig = openRegistry(t);
  const userId = await userOf(rig);
  const { open, pass } = clocked(rig);
  const { token } = open().sessions.open(userId);
  pass(20 * minute);
  const { sessions } = open();
  t.ok(sessions.find(token));
  pass(10 * minute);
  t.equal(sessions.find(token), null);
});

t.test('a wall clock that is set neither ends it nor prolongs it, nor brings an ended one back', async (t) => {
  const rig = openRegistry(t);
  const userId = await userOf(rig);
  const { clock, open, pass } = clocked(rig);
  const { sessions } = open();
  const { token } = sessions.open(userId);
  clock.utc += 3_650 * 24 * 60 * minute;
  t.ok(sessions.find(token));
  clock.utc = 0;
  pass(30 * minute);
  t.equal(sessions.find(token), null);
  sessions.open(userId);
  t.equal(sessions.find(token), null);
  t.equal(open().sessions.find(token), null, 'after a restart too');
});

t.test('a session lives no longer because the clock was set back while the service was down', async (t) => {
  const rig = openRegistry(t);
  const userId = await userOf(rig);
  const { clock, open, pass } = clocked(rig);
  const { token } = open().sessions.open(userId);
  pass(25 * minute);
  clock.utc -= 24 * 60 * minute;
  t.ok(open().sessions.find(token), 'it has five minutes left');
  pass(5 * minute);
  const { sessions } = open();
  t.equal(sessions.find(token), null);
  sessions.open(userId);
  const kept = rig.state.db.prepare('SELECT count(*) FROM sessions').pluck().get();
  t.equal(kept, 1, 'and is forgotten when somebody signs in next');
});

t.test('a session ends with the boot that it began in, since its clock does', async (t) => {
  const rig = openRegistry(t);
  const userId = await userOf(rig);
  const at = (bootId: string, mono: number) =>
    accessOf(rig, { nowMs: () => mono, utcMs: () => Date.UTC(2025, 5, 1), bootId }).sessions;
  const { token } = at('one', 50_000).open(userId);
  t.equal(at('two', 50_001).find(token), null);
  t.equal(at('one', 49_000).find(token), null, 'a clock that went back is none to go by');
  t.match(at('one', 50_001).find(token), { userId });
});

t.test('a user has so many sessions, and the oldest goes', async (t) => {
  const rig = openRegistry(t);
  const userId = await userOf(rig);
  const { open, pass } = clocked(rig);
  const { sessions } = open();
  const tokens = Array.from({ length: 70 }, () => {
    pass(10);
    return sessions.open(userId).token;
  });
  t.same(
    tokens.map((token) => sessions.find(token) !== null),
    tokens.map((_, i) => i >= 6),
  );
});
