import { get, type IncomingMessage } from 'node:http';
import t from 'tap';
import { ask, startRig } from '../support/http/server.ts';

const hashed = /(?:src|href)="([\w.-]+-[A-Z0-9]{8}\.(?:js|css))"/g;

t.test('the console is served with its files, and nothing else of the disk', async (t) => {
  const rig = await startRig(t);
  const page = await ask(`${rig.url}/console/`);
  t.equal(page.status, 200);
  t.match(page.headers.get('content-type'), /^text\/html/);
  t.equal(page.headers.get('cache-control'), 'no-cache', 'the page is asked for again each time');
  t.match(page.headers.get('content-security-policy'), /default-src 'self'/);
  t.notMatch(
    page.text,
    /<script(?![^>]*src=)|<style|style=|\son\w+=|https?:/,
    'nothing inline, nothing from elsewhere',
  );
  const names = [...page.text.matchAll(hashed)].map(([, name]) => name);
  t.equal(names.length, 2);
  for (const name of names) {
    const file = await ask(`${rig.url}/console/${name}`);
    t.equal(file.status, 200);
    t.match(file.headers.get('cache-control'), /immutable/);
  }
  for (const path of ['nothing.js', 'index.html.gz', '..%2fpackage.json', '%2e%2e/%2e%2e/package.json'])
    t.equal((await ask(`${rig.url}/console/${path}`)).status, 404, path);
});

t.test(
  'a browser that has the page is told that nothing changed, and gets it compressed where it can read that',
  async (t) => {
    const rig = await startRig(t);
    const page = await fetch(`${rig.url}/console/`, { headers: { 'accept-encoding': 'br' } });
    t.equal(page.headers.get('content-encoding'), 'br');
    t.match(await page.text(), /<!doctype html>/);
    const plain = await fetch(`${rig.url}/console/`, { headers: { 'accept-encoding': 'identity' } });
    t.equal(plain.headers.get('content-encoding'), null);
    await plain.text();
    const etag = page.headers.get('etag') ?? '';
    // fetch adds `Cache-Control: no-cache` to a conditional request, which browsers do not.
    const again = await new Promise<IncomingMessage>((resolve) => {
      get(`${rig.url}/console/`, { headers: { 'if-none-match': etag } }, resolve);
    });
    again.resume();
    t.equal(again.statusCode, 304);
  },
);
