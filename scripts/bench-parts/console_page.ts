import { setTimeout as wait } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { ReplayServer } from './console_replay.ts';
import { median } from './row.ts';

/**
 * Measures in the page: the time that each batch takes, with the rendering that its task ends with, and when a tone begins.
 * Sound is on from a press on, the base map is drawn at half its resolution.
 */
export const probe = `
  localStorage.setItem('dunlin.settings', JSON.stringify({ economyMap: 'on' }));
  window.bench = { batches: [], tonesMs: [] };
  const listen = Worker.prototype.addEventListener;
  Worker.prototype.addEventListener = function (type, handler) {
    listen.call(this, type, (event) => {
      const began = performance.now();
      handler(event);
      if (event.data.type === 'batch') queueMicrotask(() => bench.batches.push(performance.now() - began));
    });
  };
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    bench.tonesMs.push(performance.timeOrigin + performance.now());
    return make.call(this);
  };
`;

const WINDOW_MS = 2_000;
const WINDOWS = 5;

/** Frames a second, the median of some windows. */
export async function framesPerS(page: Page): Promise<number> {
  const rates: number[] = [];
  for (let i = 0; i < WINDOWS; i++)
    rates.push(
      Number(
        await page.evaluate(`new Promise((done) => {
          const began = performance.now();
          let frames = 0;
          const count = () => {
            frames++;
            const s = (performance.now() - began) / 1000;
            if (s < ${WINDOW_MS / 1_000}) requestAnimationFrame(count);
            else done(frames / s);
          };
          requestAnimationFrame(count);
        })`),
      ),
    );
  return median(rates);
}

/** The same while a hand drags the map to and fro. */
export async function framesWhilePanning(page: Page): Promise<number> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.map').boundingBox()) ?? {};
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  await page.mouse.move(middleX, middleY);
  await page.mouse.down();
  const hand = { isOver: false };
  const dragged = (async () => {
    for (let step = 0; !hand.isOver; step++)
      await page.mouse.move(middleX + 120 * Math.sin(step / 20), middleY + 80 * Math.cos(step / 20));
  })();
  const rate = await framesPerS(page);
  hand.isOver = true;
  await dragged;
  await page.mouse.up();
  return rate;
}

/** Durations of the batches since the last question, ms. */
export async function batches(page: Page): Promise<number[]> {
  return JSON.parse(String(await page.evaluate('JSON.stringify(bench.batches.splice(0))'))) as number[];
}

/** Heap of the page's scripts after a collection, MB. */
export async function heapMb(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6;
}

export const nodes = async (page: Page): Promise<number> =>
  Number(
    await page.evaluate(`(() => {
      const walk = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
      let count = 0;
      while (walk.nextNode()) count++;
      return count;
    })()`),
  );

const ALERTS = 9;
const ALERT_WITHIN_MS = 10_000;

/** Times from the bytes of an alert to its tone, ms; an alert that made no tone is NaN. */
export async function alertsToTones(page: Page, server: ReplayServer): Promise<number[]> {
  const delays: number[] = [];
  for (let i = 0; i < ALERTS; i++) {
    const { id, atMs } = server.alert();
    const toneMs = await toneAfter(page, atMs);
    delays.push(toneMs - atMs);
    // Otherwise it sounds again every 8 s.
    server.alert(id, true);
    await wait(500);
  }
  return delays;
}

async function toneAfter(page: Page, atMs: number): Promise<number> {
  for (const until = performance.now() + ALERT_WITHIN_MS; performance.now() < until; await wait(20)) {
    const found = await page.evaluate(`bench.tonesMs.find((ms) => ms > ${atMs}) ?? null`);
    if (typeof found === 'number') return found;
  }
  return Number.NaN;
}
