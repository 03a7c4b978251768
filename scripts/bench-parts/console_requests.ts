import { fork } from 'node:child_process';
import { get, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumFlags, executablePath } from '../../test/console/support/chromium.ts';

const script = fileURLToPath(import.meta.url);

/** A request of a page, with its time after the first one, ms. */
export type Asked = { atMs: number; path: string; method: string; headers: Record<string, string> };

/** Records what the console asks of a daemon while a person starts a watch, selects a track and looks through the tabs. */
export async function recordConsole(url: string, seconds: number): Promise<Asked[]> {
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  try {
    const page = await browser.newPage({ viewport: { width: 1_366, height: 768 } });
    const asked: Asked[] = [];
    const began = performance.now();
    page.on('request', (one) => {
      const { pathname, search } = new URL(one.url());
      const headers = { ...one.headers(), 'accept-encoding': 'gzip, deflate, br' };
      asked.push({ atMs: performance.now() - began, path: pathname + search, method: one.method(), headers });
    });
    await page.goto(`${url}/console/`);
    await page.getByRole('button', { name: 'Start watch' }).click();
    await page.locator('.row.threat').first().click();
    for (const tab of ['Fleet', 'Zones', 'Health', 'Track']) {
      await page.getByRole('tab', { name: tab }).click();
      await wait(1_000);
    }
    await wait(Math.max(0, seconds * 1_000 - (performance.now() - began)));
    return asked.filter(({ method }) => method === 'GET');
  } finally {
    await browser.close();
  }
}

/** Clients that ask the same at the same times, in a process of their own; what they are answered is read and dropped. */
export async function startConsoles(url: string, count: number, asked: readonly Asked[]): Promise<() => void> {
  const child = fork(script, [url, String(count)]);
  const ready = new Promise((resolve) => child.once('message', resolve));
  child.send(asked);
  await ready;
  return () => void child.kill();
}

function replay(url: string, asked: readonly Asked[]): void {
  for (const { atMs, path, headers, method } of asked)
    setTimeout(() => {
      request(url + path, { method, headers, agent: false }, (response) => response.resume()).end();
    }, atMs);
}

if (process.argv[1] === script && process.send) {
  const [, , url = '', count = '0'] = process.argv;
  process.once('message', (asked: readonly Asked[]) => {
    for (let i = 0; i < Number(count); i++) {
      // Without what was recorded they are plain readers of the stream.
      if (asked.length === 0) get(`${url}/api/stream`, { agent: false }, (response) => response.resume());
      else replay(url, asked);
    }
    process.send?.('ready');
  });
}
