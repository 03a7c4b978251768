import t from 'tap';
import { systemActor } from '../../src/model/actor.ts';
import { verifyChain } from '../../src/store/audit_chain.ts';
import { readWitness } from '../../src/store/audit_seal.ts';
import { auditBench } from '../support/daemon/audit.ts';
import { askJson, sendRaw, startRig } from '../support/http/server.ts';

t.test('half a character is no text: it is refused wherever it stands', async (t) => {
  const { port } = await startRig(t);
  for (const body of [
    '{"name":"B\\ud800","spec":{}}',
    '{"name":"B","spec":{"\\udc00":1}}',
    '{"name":"B","spec":{"x":["\\ud800"]}}',
  ]) {
    const head = `POST /api/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    t.match(await sendRaw(port, head + body), /400 Bad Request[\s\S]*half of a surrogate pair/);
  }
});

t.test('a name is one line that can be seen, a key is of plain characters', async (t) => {
  const { url } = await startRig(t);
  for (const name of ['a\nb', 'a\u0000b', 'a\u200bb', '\u202eabc', '\ufeff']) {
    const answer = await askJson(`${url}/api/assets`, 'POST', { name, spec: {} });
    t.match(answer.body, { ok: false, code: 'invalid_input' }, JSON.stringify(name));
  }
  for (const name of ['Żuraw 3', '巡逻机', 'Drone 👨‍👩‍👧'.replaceAll('\u200d', ''), 'a b'])
    t.equal((await askJson(`${url}/api/assets`, 'POST', { name, spec: {} })).status, 200, name);
  for (const serial of ['\u200b', '1581\u017f', 'ßn1', '\u0000'])
    t.equal((await askJson(`${url}/api/assignments/confirm`, 'POST', { serial, affiliation: 'friend' })).status, 400);
});

t.test('whatever text a deed is told in, the chain verifies', async (t) => {
  const bench = auditBench(t);
  for (const text of ['plain', 'half \ud800 a pair', 'nul \u0000 inside', 'ſß \u200b'])
    bench.ledger.note({
      kind: 'box.restored',
      text,
      by: systemActor,
      workspaceId: null,
      reason: text,
      after: { text },
    });
  t.equal(verifyChain(bench.state.db, bench.key, readWitness(bench.state.db, bench.folder)).broken, null);
  t.equal(bench.ledger.audit.since(0).length, 4);
});
