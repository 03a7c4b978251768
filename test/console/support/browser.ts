import { createServer, connect as dial, type Socket } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import root, { type Test } from 'tap';
import { chromiumFlags, executablePath } from './chromium.ts';

export { noBrowser } from './chromium.ts';

/** A starved machine may take so long for what takes a moment. */
const PATIENCE_MS = 60_000;

let browser: Promise<Browser> | null = null;

/** The browser of all files in this process, which ends with it (`scripts/test_batch.ts`). */
function theBrowser(): Promise<Browser> {
  if (browser === null) {
    const launched = chromium.launch({ executablePath, args: chromiumFlags });
    const teardown: typeof root.teardown = root.context.teardown ?? root.teardown.bind(root);
    teardown(async () => (await launched).close());
    browser = launched;
  }
  return browser;
}

type PageOptions = {
  width?: number;
  height?: number;
  reducedMotion?: 'reduce';
  /** The page's timers can be stopped and wound on by `page.clock`; those of its worker go on. */
  hasOwnClock?: boolean;
  /** Runs in the page before its own code. */
  script?: string;
};

/** A page with storage of its own. Errors of the console, violations of the policy and requests to other hosts fail the test. */
export async function openPage(t: Test, url: string, options: PageOptions = {}): Promise<Page> {
  const { width = 1_366, height = 768, reducedMotion = null, hasOwnClock = false, script } = options;
  const context: BrowserContext = await (await theBrowser()).newContext({ viewport: { width, height }, reducedMotion });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  if (hasOwnClock) await page.clock.install();
  if (script !== undefined) await page.addInitScript(script);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A refused request is an answer that the page shows; the browser writes it down all the same.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && origin !== new URL(url).origin) complaints.push(`a request to ${request.url()}`);
  });
  t.teardown(async () => {
    await context.close();
    if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('\n')}`);
  });
  await page.goto(`${url}/console/`);
  return page;
}

type CableState = { sockets: Set<Socket>; isHeld: boolean };

/** A way to a daemon that a test can hold up without closing it, as a network that loses everything. */
export class Cable {
  readonly url: string;
  readonly #state: CableState;

  private constructor(url: string, state: CableState) {
    this.url = url;
    this.#state = state;
  }

  static async to(t: Test, target: string): Promise<Cable> {
    const { hostname, port } = new URL(target);
    const state: CableState = { sockets: new Set(), isHeld: false };
    const { sockets } = state;
    const server = createServer((client) => {
      const box = dial(Number(port), hostname);
      for (const socket of [client, box]) {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.once('close', () => sockets.delete(socket));
      }
      client.once('close', () => box.destroy());
      box.once('close', () => client.destroy());
      if (state.isHeld) return;
      client.pipe(box);
      box.pipe(client);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the cable has no port');
    return new Cable(`http://127.0.0.1:${address.port}`, state);
  }

  /** Holds every byte, of open and of new connections, until it is released. */
  hold(): void {
    this.#state.isHeld = true;
    for (const socket of this.#state.sockets) socket.unpipe().pause();
  }

  /** New connections work again; those that were held are cut. */
  release(): void {
    this.#state.isHeld = false;
    for (const socket of this.#state.sockets) socket.destroy();
  }
}
