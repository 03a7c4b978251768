import { createHash } from 'node:crypto';
import t from 'tap';
import { ask, startRig } from '../support/http/server.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const asking = (accept: string) => ({ headers: { accept } });

t.test('a browser gets a page that says what this is, whether it is well, and where to go', async (t) => {
  const rig = await startRig(t);
  const { status, headers, text } = await ask(`${rig.url}/`, asking(browser));
  t.equal(status, 200);
  t.match(headers.get('content-type'), /^text\/html/);
  t.match(headers.get('vary'), /Accept/);
  t.match(text, /counter-UAS .* command and control/);
  t.match(text, /All parts that its main job needs are up/);
  for (const path of ['/console/', '/docs', '/api/health', '/api/openapi.json']) t.ok(text.includes(`href="${path}"`));
  rig.service.state.health = { healthy: false, parts: [] };
  t.match((await ask(`${rig.url}/`, asking(browser))).text, /is down/);
});

t.test('the page runs nothing and takes nothing from elsewhere', async (t) => {
  const rig = await startRig(t);
  const { headers, text } = await ask(`${rig.url}/`, asking(browser));
  const policy = headers.get('content-security-policy') ?? '';
  t.match(policy, /^default-src 'none'; style-src 'sha256-/);
  t.notMatch(policy, /unsafe|script|self/);
  t.notMatch(text, /<script|\son\w+=|style="|https?:/);
  const style = /<style>([^<]*)<\/style>/.exec(text)?.[1] ?? '';
  t.ok(policy.includes(createHash('sha256').update(style).digest('base64')), 'the style is the one that is allowed');
});

t.test('anything else gets the banner', async (t) => {
  const rig = await startRig(t);
  for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/json', 'text/plain, */*', '']) {
    const { body } = await ask(`${rig.url}/`, asking(accept));
    t.match(body, { ok: true, data: { name: 'dunlin', interface_version: '0.1.0', healthy: true } }, accept);
  }
});
