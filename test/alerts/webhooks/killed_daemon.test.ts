import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Delivery, MadeWebhook, Webhook } from '../../../src/model/webhook.ts';
import { folderOf } from '../../support/basics/folder.ts';
import { onlyInFull, takeTime, until } from '../../support/basics/patience.ts';
import { spawnDaemon } from '../../support/daemon/daemon_process.ts';
import { firstOwner } from '../../support/daemon/signed_in.ts';
import { endpoint, isSigned } from './rig.ts';

onlyInFull(t);
takeTime(t, 120);

t.test('without a key nothing that needs a secret is made, and the sentence says which is missing', async (t) => {
  const daemon = await spawnDaemon(t);
  const anna = await firstOwner(t, daemon);
  const answer = await anna.ask('POST', '/v1/webhooks', { name: 'a', url: 'http://x.example' });
  t.equal(answer.status, 503);
  t.match(answer.body, { code: 'not_configured', error: /DUNLIN_SECRET_KEY_FILE/ });
  t.same(await anna.get('GET', '/v1/webhooks'), []);
});

t.test('what is due when the daemon is killed is delivered after it started again, with the same id', async (t) => {
  const dataDir = folderOf(t);
  const keyFile = join(dataDir, 'seal.key');
  writeFileSync(keyFile, '7c'.repeat(32));
  const env = { DUNLIN_SECRET_KEY_FILE: keyFile };
  let status = 503;
  const { url, got } = await endpoint(t, (res) => void res.writeHead(status).end());
  const first = await spawnDaemon(t, { dataDir: join(dataDir, 'data'), env });
  const anna = await firstOwner(t, first);
  const { id, secret } = await anna.get<MadeWebhook>('POST', '/v1/webhooks', { name: 'a', url, events: ['log'] });
  const isHold = ({ text }: { text: string }): boolean => JSON.parse(text).body.kind === 'hold.created';
  const waiting = async (): Promise<number> => (await anna.get<Webhook>('GET', `/v1/webhooks/${id}`)).waiting;
  await until(async () => got.length > 0, 'that its own secret was sealed is tried');
  const before = await waiting();
  await anna.get('POST', '/v1/holds', { since: '2025-06-01T10:00:00Z', reason: 'a case' });
  await until(async () => (await waiting()) > before, 'the hold is due too');
  const tried = got.map(({ headers }) => headers['dunlin-delivery']);
  await first.end('SIGKILL');
  status = 200;
  const second = await spawnDaemon(t, { dataDir: join(dataDir, 'data'), env });
  const again = anna.at(second.url);
  const held = await until(async () => got.filter((one) => isHold(one)).at(-1), 'it arrives');
  t.ok(isSigned(held, secret ?? ''));
  const done = await until(async () => {
    const rows = await again.get<Delivery[]>('GET', `/v1/webhooks/${id}/deliveries`);
    return rows.some(({ status }) => status === 'done') && rows;
  }, 'that is written down');
  t.ok(done.some((row) => tried.includes(row.id) && row.status === 'done'));
  t.match(await again.get<Webhook>('GET', `/v1/webhooks/${id}`), { has_secret: true });
  const self = await again.get<MadeWebhook>('POST', '/v1/webhooks', { name: 'self', url: `${second.url}/api/health` });
  t.match(await again.get('POST', `/v1/webhooks/${self.id}/test`), {
    status: 'given_up',
    error: /this service itself/,
  });
});
