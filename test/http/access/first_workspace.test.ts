import t from 'tap';
import { byHand, keyOf, person, sending, sessionOf, workspace } from '../../support/http/person.ts';
import { ask, startRig } from '../../support/http/server.ts';

t.test('the discovery switch of the box is turned by owners of its first workspace alone', async (t) => {
  const rig = await startRig(t);
  const other = await workspace(rig, 'other');
  const anna = await person(rig, 'anna', 'owner');
  const vera = await person(rig, 'vera', 'owner', other);
  const turn = (headers: Record<string, string>) =>
    ask(`${rig.url}/v1/discovery`, sending('PUT', headers, { enabled: true }));
  t.match((await turn(vera.headers)).body, { code: 'forbidden', error: /an owner of its first workspace/ });
  t.equal(rig.registry.registry.discovery.view().enabled, false);
  t.equal((await ask(`${rig.url}/v1/discovery`, { headers: vera.headers })).status, 200, 'read by all');
  await person(rig, 'vera', 'operator');
  t.equal((await turn(vera.headers)).status, 403, 'nor by who merely works there');
  t.equal((await turn(anna.headers)).status, 200);
  const rows = [...rig.registry.ledger.audit.since(0)].filter(({ kind }) => kind === 'discovery.changed');
  t.match(rows, [{ workspace_id: null, actor: { name: 'anna' }, after: { enabled: true } }]);
  t.equal(rows.length, 1);
});

t.test('the metrics are of the first workspace, and for those who are of it', async (t) => {
  const rig = await startRig(t);
  const other = await workspace(rig, 'other');
  const vera = await person(rig, 'vera', 'owner', other);
  const key = rig.access.keys.add(other, { name: 'scraper', role: 'viewer' }, { ...byHand, role: 'owner' });
  const read = async (headers: Record<string, string>) => (await ask(`${rig.url}/metrics`, { headers })).status;
  t.equal(await read({}), 200, 'the open surface acts in the first');
  t.equal(await read({ 'x-api-key': keyOf(rig, 'viewer').secret }), 200);
  t.equal(await read(sessionOf(await person(rig, 'anna', 'viewer'))), 200);
  t.equal(await read({ 'x-api-key': key.secret }), 403);
  t.equal(await read(vera.headers), 403);
  t.match((await ask(`${rig.url}/metrics`, { headers: sessionOf(vera) })).body, {
    code: 'forbidden',
    error: /a member of its first workspace/,
  });
});
