import t from 'tap';
import { parseRaw, sendRaw, startRig } from '../support/http/server.ts';

const climbs = [
  '..',
  '..%2f',
  '%2e%2e',
  '%2e%2e%2f',
  '..%5c',
  '..\\',
  '%252e%252e%252f',
  '..;',
  '.%00.',
  '%c0%ae%c0%ae',
  '....//',
];
const targets = ['etc/passwd', 'package.json', 'docs.js', 'metrics', 'api/users'];

t.test('no way of writing a path leads out of what is served', async (t) => {
  const { port } = await startRig(t, { access: { trustedNetworks: [] } });
  for (const base of ['/docs/', '/docs/docs.js/', '/', '/api/', '/api/docs/', '//', '/./docs/']) {
    for (const climb of climbs) {
      for (const target of targets) {
        const path = `${base}${climb}/${climb}/${target}`.replaceAll('//', base === '//' ? '//' : '/');
        const text = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
        const { status, head, body } = parseRaw(text);
        // Below a mount a stranger learns nothing at all.
        t.ok([400, 401, 404].includes(status), `${path}: ${status}`);
        t.match(body, { ok: false }, path);
        t.notMatch(text, /root:|"name": "dunlin"/);
        t.notMatch(head, /\r\n(?!HTTP|[\w-]+: )/);
      }
    }
  }
});

t.test('what stands in a path is never a header of the answer', async (t) => {
  const { port } = await startRig(t);
  for (const path of [
    '/docs%0d%0aX-Injected:%20yes',
    '/api/tracks/%0d%0aX-Injected:%20yes',
    '/api/%E2%98%8D%0aX-Injected:%20yes',
  ]) {
    const text = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const { status, head } = parseRaw(text);
    t.equal(status, 404, path);
    t.notMatch(head, /^X-Injected/im);
  }
});

t.test('the pages are served under their own names alone, with their own types', async (t) => {
  const { port } = await startRig(t);
  for (const [path, type] of [
    ['/docs', 'text/html'],
    ['/docs/docs.js', 'text/javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript'],
  ]) {
    const { status, head } = parseRaw(
      await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    );
    t.equal(status, 200);
    t.match(head.toLowerCase(), `content-type: ${type}`);
    t.match(head.toLowerCase(), 'x-content-type-options: nosniff');
  }
  for (const path of ['/docs/', '/Docs', '/docs/docs.js/', '/docs/DOCS.JS', '/docs//docs.js']) {
    t.equal(
      parseRaw(await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).status,
      404,
      path,
    );
  }
});
