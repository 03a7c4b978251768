import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { ask, startRig } from '../support/http/server.ts';
import { needs } from '../support/links/line_feeding.ts';

onlyInFull(t);
takeTime(t, 180);

const chromium = '/usr/bin/chromium';
const require = createRequire(import.meta.url);

type Operation = { operationId: string; summary: string; description?: string; tags: string[]; 'x-role': string };
type Drawn = { html: string; log: string };

/** What a browser draws of a page once its scripts are done, and what it complains of. */
async function draw(url: string, profile: string, heightPx = 900): Promise<Drawn> {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
  const ask = [
    '--enable-logging=stderr',
    '--virtual-time-budget=60000',
    `--user-data-dir=${profile}`,
    `--window-size=1280,${heightPx}`,
    '--dump-dom',
  ];
  const browser = spawn(chromium, [...flags, ...ask, url]);
  const [html, log] = await Promise.all([text(browser.stdout), text(browser.stderr)]);
  return {
    html,
    log: log
      .split('\n')
      .filter((line) => line.includes('CONSOLE'))
      .join('\n'),
  };
}

const plain = (html: string): string =>
  html
    .replace(/<wbr>|\u200b/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');

t.test('the page brings nothing inline and asks for nothing from elsewhere', async (t) => {
  const rig = await startRig(t);
  const page = await ask(`${rig.url}/docs`);
  t.notMatch(page.text, /<script(?![^>]*src=)|<style|style=|\son\w+=|https?:/);
  for (const [path, type] of [
    ['/docs/docs.js', /^text\/javascript/],
    ['/docs/swagger-ui-bundle.js', /^text\/javascript/],
    ['/docs/swagger-ui.css', /^text\/css/],
  ] as const) {
    const asset = await ask(rig.url + path);
    t.equal(asset.status, 200);
    t.match(asset.headers.get('content-type'), type);
    t.ok(page.text.includes(path));
    const name = path.slice('/docs/'.length);
    if (name === 'docs.js') t.notMatch(asset.text, /https?:|innerHTML|eval\(|document\.write/);
    else t.equal(asset.text, readFileSync(require.resolve(`swagger-ui-dist/${name}`), 'utf8'), 'as it was published');
  }
  const { text: settings } = await ask(`${rig.url}/docs/docs.js`);
  t.match(settings, /supportedSubmitMethods: \[\],/, 'no request is sent from the page');
  t.match(settings, /validatorUrl: null,/, 'no validator outside is told of the document');
});

t.test('a browser draws every operation under the policy of the service', needs(chromium), async (t) => {
  const rig = await startRig(t);
  const document = JSON.parse((await ask(`${rig.url}/api/openapi.json`)).text);
  // What lies outside the window is drawn when it is scrolled to: the window is as high as all operations.
  const { html, log } = await draw(`${rig.url}/docs`, t.testdir(), 24_000);
  const drawn = plain(html);
  for (const [path, { servers: _own, ...methods }] of Object.entries<Record<string, Operation>>(document.paths))
    for (const [method, { operationId, summary, tags }] of Object.entries(methods)) {
      t.ok(drawn.includes(`operations-${tags[0]}-${operationId}`), `${method} ${path}`);
      t.ok(drawn.includes(path) && drawn.includes(summary), operationId);
    }
  const [first = ''] = Object.keys(document.components.schemas);
  t.ok(drawn.includes(`model-${first}`), 'schemas follow');
  t.notMatch(html, /class="[^"]*(authorize|try-out)/, 'there is nothing to send a request with');
  t.notMatch(log, /Content Security Policy|Refused to/, log);
});

t.test('an address opens its entry', needs(chromium), async (t) => {
  const rig = await startRig(t);
  const { html } = await draw(`${rig.url}/docs#/tracks/get_tracks`, t.testdir());
  t.match(html, /id="operations-tracks-get_tracks"[^>]*/);
  t.match(html, /class="opblock opblock-get is-open" id="operations-tracks-get_tracks"/);
  t.match(html, /x-role/);
});

t.test('a document that is refused leaves a sentence on the page', needs(chromium), async (t) => {
  const rig = await startRig(t, { access: { trustedNetworks: ['10.0.0.0/8'] } });
  const { html } = await draw(`${rig.url}/docs`, t.testdir());
  t.match(html, /Failed to load API definition/);
  t.match(html, /401|unauthori[sz]ed/i);
});
