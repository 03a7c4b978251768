import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename, extname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Alert } from '../../src/model/alert.ts';
import type { BaseMap } from '../../src/model/base_map.ts';
import { defaultPolicy } from '../../src/model/decision_defaults.ts';
import { siteTile } from '../../test/console/support/site_map.ts';
import type { Recording } from './console_recording.ts';

// This script is build/scripts/bench-parts/console_replay.js.
const built = new URL('../../console/', import.meta.url);
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};
const baseMap: BaseMap = {
  ...{ id: 'site', file: 'site.pmtiles', name: 'Site', format: 'pmtiles', kind: 'vector', tile_type: 'mvt' },
  ...{ min_zoom: 8, max_zoom: 15, bounds: [7, 46, 9, 48], attribution: null, bytes: 1, state: 'ready', error: null },
  version: '1',
};

/**
 * A box without a core: it serves the console, a base map and a recorded stream at its own pace, round and round. Each round
 * begins with the recorded snapshot.
 */
export class ReplayServer {
  readonly url: string;
  readonly #server: Server;
  readonly #state: { stream: ServerResponse | null };

  private constructor(url: string, server: Server, state: { stream: ServerResponse | null }) {
    this.url = url;
    this.#server = server;
    this.#state = state;
  }

  static async start(recording: Recording): Promise<ReplayServer> {
    const state: { stream: ServerResponse | null } = { stream: null };
    const server = createServer((request, response) => {
      if (!request.url?.startsWith('/api/stream')) return void answer(request, response);
      state.stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      void replay(recording, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the replay has no port');
    return new ReplayServer(`http://127.0.0.1:${address.port}`, server, state);
  }

  /** Sends a critical alert, or what ends it. Returns the time at which its bytes left, ms since 1970. */
  alert(id: string = randomUUID(), isOver = false): { id: string; atMs: number } {
    const at = new Date().toISOString();
    const body: Alert = {
      ...{ id, rule_id: 'zone_entry', rule_version: 1, severity: 'critical', state: 'active', steps: [] },
      ...{ subject: { type: 'site', id: 'bench', label: 'bench' }, text: 'An aircraft is in Depot.', track_ids: [] },
      ...{ zone_id: null, count: 1, raised_at: at, updated_at: at, escalated_at: null, acknowledged: null },
      ...{ cleared_at: null, cleared_reason: null, settled_at: isOver ? at : null },
    };
    const kind = isOver ? 'alert_update' : 'alert';
    const atMs = performance.timeOrigin + performance.now();
    this.#state.stream?.write(`event: ${kind}\ndata: ${JSON.stringify({ seq: 1, at, kind, body })}\n\n`);
    return { id, atMs };
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function replay({ pieces, lengthMs }: Recording, response: ServerResponse): Promise<void> {
  for (let beganMs = performance.now(); !response.destroyed; beganMs += lengthMs)
    // An event that was cut off at the end of the recording is completed by nothing: a blank line ends it.
    for (const { atMs, bytes } of [...pieces, { atMs: lengthMs, bytes: Buffer.from('\n\n') }]) {
      const waitMs = beganMs + atMs - performance.now();
      if (waitMs > 0) await wait(waitMs);
      if (response.destroyed) return;
      response.write(bytes);
    }
}

async function answer({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(url, 'http://box');
  const data = (value: unknown): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, data: value }));
  };
  if (pathname.startsWith('/console/')) {
    const name = basename(pathname === '/console/' ? 'index.html' : pathname);
    response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain', 'content-encoding': 'gzip' });
    response.end(await readFile(new URL(`${name}.gz`, built)));
  } else if (pathname === '/api/maps') data([baseMap]);
  else if (pathname.startsWith('/api/maps/')) response.writeHead(200, { 'content-encoding': 'gzip' }).end(siteTile());
  else if (pathname === '/api/me') data({ user: null, workspaces: [] });
  else if (pathname === '/api/decision-config') data(defaultPolicy);
  else data([]);
}
