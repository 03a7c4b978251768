import t from 'tap';
import type { Membership } from '../../../src/model/access.ts';
import { Ledger } from '../../../src/store/ledger.ts';
import { LogCounter } from '../../../src/store/log_counter.ts';
import { byHand, person, sending, sessionOf } from '../../support/http/person.ts';
import { ask, startRig } from '../../support/http/server.ts';
import { accessOf, openRegistry } from '../../support/registry/registry.ts';

t.test('who makes a workspace is its owner, and it works at once', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const made = await ask(`${rig.url}/v1/workspaces`, sending('POST', sessionOf(anna), { name: 'north' }));
  t.equal(made.status, 200, made.text);
  const { id } = made.body.data as Membership;
  t.match(made.body.data, { id: /^wsp_/, name: 'north', role: 'owner' });
  const listed = await ask(`${rig.url}/v1/workspaces`, { headers: sessionOf(anna) });
  t.match(listed.body.data, [{ name: 'default' }, { id, name: 'north', role: 'owner' }]);
  const headers = { ...sessionOf(anna), 'x-workspace-id': id };
  t.equal((await ask(`${rig.url}/v1/tracks`, { headers })).status, 200);
  t.equal((await ask(`${rig.url}/v1/users`, { headers })).status, 200);
  const again = await ask(`${rig.url}/v1/workspaces`, sending('POST', sessionOf(anna), { name: 'north' }));
  t.match(again.body, { code: 'conflict', error: /north/ });
});

t.test('who is in it and who is not', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const ben = await person(rig, 'ben', 'operator');
  const made = await ask(`${rig.url}/v1/workspaces`, sending('POST', sessionOf(anna), { name: 'north' }));
  const { id } = made.body.data as Membership;
  const headers = { ...sessionOf(ben), 'x-workspace-id': id };
  t.match((await ask(`${rig.url}/v1/tracks`, { headers })).body, { code: 'not_a_member' });
  t.match((await ask(`${rig.url}/v1/workspaces`, sending('POST', sessionOf(ben), { name: 'south' }))).body, {
    code: 'forbidden',
  });
  t.match((await ask(`${rig.url}/api/workspaces`, sending('POST', {}, { name: 'south' }))).body, {
    code: 'unauthenticated',
    error: /sign(?:ed)? in/,
  });
});

t.test('the first workspace stays the first, whatever the clock said when another was made', async (t) => {
  const rig = openRegistry(t);
  const ledger = new Ledger(rig.state, new LogCounter(0), () => 0);
  const { workspaces } = accessOf({ ...rig, ledger });
  for (const name of ['north', 'a', 'z']) workspaces.create(name, byHand);
  t.same(
    workspaces.list().map(({ name }) => name),
    ['default', 'north', 'a', 'z'],
  );
});

t.test('no two workspaces have names that look alike', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const make = (name: string) => ask(`${rig.url}/v1/workspaces`, sending('POST', sessionOf(anna), { name }));
  t.equal((await make('North gate')).status, 200);
  for (const name of ['north gate', 'NORTH GATE', 'Ｎorth gate', ' North gate ', 'Default']) {
    t.match(
      (await make(name)).body,
      { code: 'conflict', error: /already a workspace called (North gate|default)/ },
      name,
    );
  }
  for (const name of ['North\u200bgate', 'North gate\u2060', 'a\u0000', 'a\u202eb', '\u3164', 'a\u00ad']) {
    const { body } = await make(name);
    t.match(body, { code: 'invalid_input', error: /'name' must be one line of visible characters/ }, escape(name));
  }
});

t.test('a box takes sixteen', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const make = (n: number) => ask(`${rig.url}/v1/workspaces`, sending('POST', sessionOf(anna), { name: `w${n}` }));
  for (let n = 2; n <= 16; n++) t.equal((await make(n)).status, 200);
  t.match((await make(17)).body, { code: 'conflict', error: /16 workspaces/ });
});

t.test('one that cannot begin to work is taken back, and the sentence says why', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  rig.workspaces.open = () => Promise.reject(new Error('the disk is full'));
  const { status, body } = await ask(`${rig.url}/v1/workspaces`, sending('POST', sessionOf(anna), { name: 'north' }));
  t.equal(status, 503);
  t.match(body, { code: 'unavailable', error: /north.*the disk is full/ });
  t.equal(rig.access.workspaces.list().length, 1);
});
