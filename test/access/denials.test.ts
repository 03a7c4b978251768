import t from 'tap';
import { type Denial, Denials } from '../../src/access/denials.ts';
import type { Actor } from '../../src/model/actor.ts';
import { Fault } from '../../src/model/fault.ts';
import { openRegistry, type RegistryRig } from '../support/registry/registry.ts';

const denial = (address: string, changes: Partial<Denial> = {}): Denial => ({
  by: { type: 'open', id: address, name: address, address } as const,
  workspaceId: null,
  text: 'GET /api/x was refused',
  fault: new Fault('unauthenticated', 'no'),
  route: 'GET /api/x',
  write: false,
  ...changes,
});

const person = (name: string, address: string): Actor => ({ type: 'user', id: name, name, address });

const rowsOf = ({ ledger }: RegistryRig) => [...ledger.audit.since(0)];

t.test('each address has its own row, and one that says how many more there were', async (t) => {
  const rig = openRegistry(t);
  let nowMs = 0;
  const denials = new Denials(rig.ledger, () => nowMs);
  for (let i = 0; i < 1_000; i++) denials.note(denial(i % 2 === 0 ? '10.0.0.1' : '10.0.0.2'));
  t.equal(rowsOf(rig).length, 2);
  nowMs = 60_000;
  denials.flush(false);
  t.same(
    rowsOf(rig)
      .slice(2)
      .map(({ after }) => (after as { count: number }).count),
    [499, 499],
  );
  denials.flush(true);
  t.equal(rowsOf(rig).length, 4, 'told once');
});

t.test('from however many addresses, the log grows by so many rows a minute, and none is uncounted', async (t) => {
  const rig = openRegistry(t);
  let nowMs = 0;
  const denials = new Denials(rig.ledger, () => nowMs);
  for (let i = 0; i < 500; i++) denials.note(denial(`10.0.${i >> 8}.${i & 255}`));
  t.equal(rowsOf(rig).length, 60);
  for (let minute = 1; minute < 12; minute++) {
    nowMs = minute * 60_000;
    const before = rowsOf(rig).length;
    denials.flush(false);
    t.ok(rowsOf(rig).length - before <= 60);
  }
  t.equal(rowsOf(rig).length, 500);
});

t.test('a fault that was noted where it arose is not noted again', async (t) => {
  const rig = openRegistry(t);
  const denials = new Denials(rig.ledger, () => 0);
  const one = denial('10.0.0.1');
  denials.note(one);
  denials.note(one);
  denials.flush(true);
  t.equal(rowsOf(rig).length, 1);
});

t.test('two at one address are told apart, each in his own workspace', async (t) => {
  const rig = openRegistry(t);
  const denials = new Denials(rig.ledger, () => 0);
  const vera = { by: person('vera', '10.0.0.1'), workspaceId: rig.workspaceId, route: 'GET /keys' };
  for (let i = 0; i < 3; i++) {
    denials.note(denial('10.0.0.1', { ...vera, fault: new Fault('forbidden', 'no') }));
    denials.note(denial('10.0.0.1', { ...vera, by: person('wim', '10.0.0.1'), fault: new Fault('forbidden', 'no') }));
    denials.note(denial('10.0.0.1', { ...vera, workspaceId: null, fault: new Fault('not_a_member', 'no') }));
    denials.note(denial('10.0.0.1'));
  }
  t.equal(rowsOf(rig).length, 4);
  denials.flush(true);
  const counts = rowsOf(rig)
    .slice(4)
    .map(({ workspace_id, actor, after }) => [workspace_id, actor.id, (after as { count?: number } | null)?.count]);
  t.same(counts, [
    [rig.workspaceId, 'vera', 2],
    [rig.workspaceId, 'wim', 2],
    [null, 'vera', 2],
    [null, '10.0.0.1', 2],
  ]);
});

t.test('a count says what it counted, in a list that does not grow', async (t) => {
  const rig = openRegistry(t);
  const denials = new Denials(rig.ledger, () => 0);
  for (let i = 0; i < 3; i++) denials.note(denial('10.0.0.1'));
  denials.note(denial('10.0.0.1', { fault: new Fault('read_only', 'no'), route: 'POST /zones' }));
  for (let i = 0; i < 100; i++) denials.note(denial('10.0.0.1', { route: `GET /api/${i}` }));
  denials.flush(true);
  const after = rowsOf(rig)[1]?.after as { count: number; refused: { count: number }[] } | undefined;
  const { count, refused } = after ?? { count: 0, refused: [] };
  t.equal(count, 103);
  t.match(refused.slice(0, 2), [
    { code: 'unauthenticated', route: 'GET /api/x', count: 2 },
    { code: 'read_only', route: 'POST /zones', count: 1 },
  ]);
  t.ok(refused.length <= 17);
  t.equal(
    refused.reduce((sum, { count }) => sum + count, 0),
    103,
  );
});

t.test('what somebody known was refused to change is a row at once, up to ten a minute, then counted', async (t) => {
  const rig = openRegistry(t);
  let nowMs = 0;
  const denials = new Denials(rig.ledger, () => nowMs);
  const by = person('vera', '10.0.0.1');
  const refuse = (i: number, write: boolean) =>
    denials.note(denial('10.0.0.1', { by, write, text: `refused ${i}`, fault: new Fault('read_only', 'no') }));
  for (let i = 0; i < 20; i++) refuse(i, false);
  t.equal(rowsOf(rig).length, 1);
  for (let i = 20; i < 50; i++) refuse(i, true);
  t.equal(rowsOf(rig).length, 11);
  t.equal(rowsOf(rig)[10]?.text, 'refused 29');
  nowMs = 60_000;
  denials.flush(false);
  t.match(rowsOf(rig)[11]?.after, { count: 39 });
  refuse(50, true);
  t.equal(rowsOf(rig)[12]?.text, 'refused 50');
});

t.test('strangers crowd out nobody who is known, and write 60 rows a minute, however many they are', async (t) => {
  const rig = openRegistry(t);
  const denials = new Denials(rig.ledger, () => 0);
  for (let i = 0; i < 2_000; i++) denials.note(denial(`10.0.${i >> 8}.${i & 255}`));
  const counted = rowsOf(rig).length;
  t.equal(counted, 60);
  const by = person('vera', '10.0.0.1');
  denials.note(denial('10.0.0.1', { by, text: 'vera was refused', fault: new Fault('forbidden', 'no') }));
  t.equal(rowsOf(rig).at(-1)?.actor.id === 'vera' || rowsOf(rig).at(-2)?.actor.id === 'vera', true);
  denials.flush(true);
  const strangers = rowsOf(rig).filter(({ actor }) => actor.type === 'open');
  const counts = strangers.map(({ after }) => (after as { count?: number }).count ?? 1);
  t.equal(
    counts.reduce((sum, count) => sum + count, 0),
    2_000,
    'none is uncounted',
  );
  t.equal(strangers.filter(({ text }) => /many addresses/.test(text)).length, 1);
});

t.test('a disk that takes nothing now loses no count', async (t) => {
  const rig = openRegistry(t);
  const denials = new Denials(rig.ledger, () => 0);
  const note = rig.ledger.note.bind(rig.ledger);
  rig.ledger.note = () => {
    throw new Fault('unavailable', 'the disk is full');
  };
  for (let i = 0; i < 5; i++) denials.note(denial('10.0.0.1'));
  denials.flush(true);
  rig.ledger.note = note;
  denials.flush(true);
  t.match(rowsOf(rig)[0]?.after, { count: 5 });
});
