import t from 'tap';
import { Denials } from '../../src/access/denials.ts';
import { Fault } from '../../src/model/fault.ts';
import { openRegistry, type RegistryRig } from '../support/registry.ts';

const denial = (address: string, text = 'GET /api/x was refused') => ({
  by: { type: 'open', id: address, name: address, address } as const,
  workspaceId: null,
  text,
  fault: new Fault('unauthenticated', 'no'),
});

const rowsOf = ({ ledger }: RegistryRig) => [...ledger.audit.all()];

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
      .map(({ after }) => JSON.parse(String(after)).count),
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
