import { cpus, loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { chromiumFlags, executablePath, noBrowser } from '../../test/console/support/chromium.ts';
import { alertsToTones, batches, framesPerS, framesWhilePanning, heapMb, nodes, probe } from './console_page.ts';
import { recordStream } from './console_recording.ts';
import { ReplayServer } from './console_replay.ts';
import { median, quantile, type Row } from './row.ts';

const RECORDED_S = 15;
const SETTLE_MS = 8_000;
const WIDTH = 1_366;
const HEIGHT = 768;
const GROWTH_MB = 2;
const GROWTH_MIN = 10;

type Budget = { tracks: number; still: number; panning?: number; isWhole: boolean };
/** The budgets of the console hold at 500 tracks; of twice as many only that they can be watched. */
const budgets: readonly Budget[] = [
  { tracks: 500, still: 50, panning: 15, isWhole: true },
  { tracks: 1_000, still: 40, isWhole: false },
];

/**
 * The console with the recorded stream of a daemon, whose own work is over by then. Chromium draws with the processor alone,
 * the base map in economy. `minutes`: how long its heap is watched, 0 for not at all.
 */
export async function benchConsole(minutes: number): Promise<Row[]> {
  if (noBrowser !== false) {
    console.log(`\nconsole\n${noBrowser}`);
    return [];
  }
  const [load = 0] = loadavg();
  if (load > cpus().length)
    console.log(
      `\nThe machine is busy (load average ${load.toFixed(1)} on ${cpus().length} cores): the figures are worse than on an idle one.`,
    );
  const rows: Row[] = [];
  for (const budget of budgets) rows.push(...(await measure(budget, budget.isWhole ? minutes : 0)));
  return rows;
}

async function measure({ tracks, still, panning, isWhole }: Budget, minutes: number): Promise<Row[]> {
  const server = await ReplayServer.start(await recordStream(tracks, RECORDED_S));
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  try {
    const context = await browser.newContext({ viewport: { width: WIDTH, height: HEIGHT } });
    const page = await context.newPage();
    await page.addInitScript(probe);
    await page.goto(`${server.url}/console/`);
    await page.locator('.counts', { hasText: `${tracks} tracks` }).waitFor();
    await page.locator('.map-base canvas').waitFor();
    await page.getByRole('button', { name: 'Start watch' }).click();
    await page.locator('.row.threat').first().click();
    await wait(SETTLE_MS);
    const devtools = await context.newCDPSession(page);
    const name = `${tracks} tracks`;
    const whole = (target: Row['target']): Pick<Row, 'target'> => (isWhole && target ? { target } : {});
    await batches(page);
    const fpsStill = await framesPerS(page);
    const taken = await batches(page);
    const fpsPanning = await framesWhilePanning(page);
    const tones = await alertsToTones(page, server);
    const heap = await heapMb(devtools);
    const rows: Row[] = [
      { name: `${name}: frames, camera still`, value: fpsStill, unit: 'fps', target: { atLeast: still } },
      {
        ...{ name: `${name}: frames while panning, economy map`, value: fpsPanning, unit: 'fps' },
        ...(panning === undefined ? {} : { target: { atLeast: panning } }),
      },
      { name: `${name}: batch, median`, value: median(taken), unit: 'ms' },
      { name: `${name}: batch, p95`, value: quantile(taken, 0.95), unit: 'ms', ...whole({ atMost: 15 }) },
      { name: `${name}: alert to tone, median`, value: median(tones), unit: 'ms', ...whole({ atMost: 150 }) },
      { name: `${name}: heap after a collection`, value: heap, unit: 'MB', ...whole({ atMost: 40 }) },
      { name: `${name}: nodes of the page`, value: await nodes(page), unit: 'nodes', target: { atMost: 4_000 } },
    ];
    if (minutes > 0) {
      await wait(minutes * 60_000);
      const growth = ((await heapMb(devtools)) - heap) * (GROWTH_MIN / minutes);
      const what = `${name}: growth of the heap in ${GROWTH_MIN} min, of ${minutes} min`;
      rows.push({ name: what, value: growth, unit: 'MB', target: { atMost: GROWTH_MB } });
    }
    return rows;
  } finally {
    await browser.close();
    server.stop();
  }
}
