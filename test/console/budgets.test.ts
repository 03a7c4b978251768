import { readdirSync, readFileSync, statSync } from 'node:fs';
import t from 'tap';
import type { Track } from '../../src/model/track.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { must } from '../support/daemon/alerts.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { flySwarm } from '../support/daemon/swarm.ts';
import { noBrowser, openPage } from './support/browser.ts';

takeTime(t, 180);

const KB = 1_000;
const folder = new URL('../../console/', import.meta.url);
const names = readdirSync(folder).filter((name) => /\.(js|css|json|html)$/.test(name));

/** Bytes of a built file as it is sent. */
const sent = (name: string): number => statSync(new URL(`${name}.gz`, folder)).size;
/** The one file whose name begins so. */
function built(name: string): string {
  const [found, ...more] = names.filter((one) => one.startsWith(`${name}-`));
  if (found === undefined || more.length > 0)
    throw new Error(`${found === undefined ? 'no' : 'more than one'} ${name}`);
  return found;
}
/** A script with all that it loads before it runs; what it imports later is not among it. */
function withImports(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  const text = readFileSync(new URL(name, folder), 'utf8');
  for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) withImports(imported, known);
  return known;
}
const sum = (files: Iterable<string>): number => [...files].reduce((bytes, name) => bytes + sent(name), 0);

t.test('what the console sends stays small', async (t) => {
  const shell = withImports(built('main'));
  const budgets: [what: string, bytes: number, kB: number][] = [
    ['shell', sum(shell), 110],
    ['style', sent(built('console')), 25],
    ['map', sent(built('tiles')), 300],
    ['worker of the map', sent(built('maplibre-gl-worker')), 151],
    ['plot', sent(built('plot')), 40],
    ['editor of areas', sent(built('area_editor')), 10],
    ['outline', sent(built('outline')), 170],
    ['symbols', sent(built('symbols')), 3],
  ];
  for (const [what, bytes, kB] of budgets) t.ok(bytes <= kB * KB, `${what}: ${bytes} bytes, at most ${kB} kB`);
  const later = ['tiles', 'plot', 'area_editor'].filter((name) => shell.has(built(name)));
  t.same(later, [], 'the shell waits for neither map nor plot nor editor');
  const first = [...names].filter((name) => !/^(outline|plot|area_editor)-/.test(name));
  t.ok(sum(first) <= 600 * KB, `first view without the outline: ${sum(first)} bytes`);
});

/** Counts the drawings of each canvas of the map with the time of their frame. Each drawing begins with one clearing. */
const spy = `
  window.drawings = { areas: [], tracks: [] };
  const clear = CanvasRenderingContext2D.prototype.clearRect;
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    const canvases = [...document.querySelectorAll('.map > canvas')];
    const name = ['areas', 'tracks'][canvases.indexOf(this.canvas)];
    if (name) window.drawings[name].push(document.timeline.currentTime);
    return clear.apply(this, box);
  };
`;

t.test('500 moving tracks', { skip: noBrowser }, async (t) => {
  const daemon = await startDaemon(t, {
    args: ['--link', 'name=net,transport=udp,address=127.0.0.1:0,protocol=obs_json'],
  });
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  // Most of them are in it: both lists are as long as they get.
  const geometry = { type: 'Point', coordinates: [8.55, 47.44], radius_m: 5_000 };
  await must(daemon, '/api/zones', { name: 'Depot', kind: 'protected', geometry, alarm: { level: 'critical' } });
  flySwarm(t, await daemon.port('net'), { count: 500, hz: 1, sensor: 'mast' });
  await until(
    async () => (await daemon.get<Track[]>('/api/tracks?limit=1000')).length === 500,
    'all are tracked',
    60_000,
  );
  const page = await openPage(t, daemon.url, { script: spy });
  await page.locator('.counts', { hasText: /^500 tracks/ }).waitFor();
  // The order of the rows changes with each tick: a pointer would wait for the first one to stand still.
  await page.locator('.row.threat').first().dispatchEvent('click');
  await page.locator('article.track').waitFor();

  const drawings = async (): Promise<{ areas: number[]; tracks: number[] }> =>
    JSON.parse(String(await page.evaluate('JSON.stringify(drawings)')));
  await t.test('they are drawn four times a second at most while the camera stands', async (t) => {
    // The lists fill and the panel opens first: each change of the map's size moves the camera, which draws both canvases.
    await until(async () => {
      const { areas, tracks } = await drawings();
      const [since = Number.NaN] = tracks.slice(-5);
      return areas.filter((atMs) => atMs >= since).length <= 2;
    }, 'the camera stands');
    const before = await drawings();
    const { areas, tracks } = await until(async () => {
      const now = await drawings();
      return now.tracks.length >= before.tracks.length + 12 && now;
    }, 'they were drawn twelve times');
    const fresh = tracks.slice(before.tracks.length);
    const gaps = fresh.slice(1).map((atMs, index) => atMs - (fresh[index] as number));
    // The time of a drawing is read a moment after the time of its frame.
    t.ok(Math.min(...gaps) >= 240, `${gaps.map(Math.round).join(', ')} ms apart`);
    const areasCount = areas.length - before.areas.length;
    t.ok(areasCount <= fresh.length / 2, `areas drawn ${areasCount} times, tracks ${fresh.length} times`);
  });

  await t.test('the page has at most 4 000 nodes, with the map, the table and the log', async (t) => {
    const count = `(() => {
      const walk = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
      let nodes = 0;
      while (walk.nextNode()) nodes++;
      return nodes;
    })()`;
    const nodes = async (what: string): Promise<void> => {
      const found = Number(await page.evaluate(count));
      t.ok(found <= 4_000, `${found} nodes with ${what}, ${await page.locator('.row.alert').count()} alerts`);
    };
    await page.locator('.row.threat').nth(99).waitFor();
    await nodes('the map');
    // Threats without a row were never in view, however far the list is scrolled.
    await page.evaluate("document.querySelector('.panel.threats').scrollTo(0, 1e6)");
    await page.locator('.panel.threats .unshown button', { hasText: /New: T-\d+ \w+ and \d+ more/ }).waitFor();
    await page.getByRole('button', { name: 'Log' }).click();
    await page.locator('.log .row').nth(59).waitFor();
    await nodes('the map and the log');
    await page.getByRole('button', { name: 'Tracks table' }).click();
    await page.locator('section.tracks tbody tr').nth(39).waitFor();
    await nodes('the table and the log');
    await page.getByRole('button', { name: 'Log' }).click();
    await page.locator('section.tracks tbody tr').nth(59).waitFor();
    await nodes('the table');
  });

  await t.test('each track has its row on a page of the table', async (t) => {
    await page.getByRole('button', { name: 'Number', exact: true }).click();
    const seen = new Set<string>();
    for (let first = 1; first <= 500; first += 60) {
      await page.locator('.pages', { hasText: `${first} to ${Math.min(500, first + 59)} of 500` }).waitFor();
      for (const number of await page.locator('section.tracks tbody button').allTextContents()) seen.add(number);
      if (first + 60 <= 500) await page.getByRole('button', { name: 'Next' }).click();
    }
    t.equal(seen.size, 500);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.locator('.pages', { hasText: '421 to 480 of 500' }).waitFor();
  });
});
