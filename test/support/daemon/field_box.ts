import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { folderOf } from '../basics/folder.ts';
import type { Owner } from '../basics/owner.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { type DaemonProcess, type SpawnOptions, spawnDaemon } from './daemon_process.ts';

/** A folder with a configuration and a data folder in it: a box that daemons can be started on one after the other. */
export type FieldBox = {
  folder: string;
  config: string;
  dataDir: string;
  /** A daemon in the process of the test. */
  start(options?: { args?: string[] }): Promise<Daemon>;
  /** A daemon in a process of its own. */
  spawn(options?: Omit<SpawnOptions, 'dataDir'>): Promise<DaemonProcess>;
};

/** The sensor and the link that most tests need: rows on UDP, told by a sensor that the file declares. */
export const radarConfig = `
sensors:
  - {name: mast, modality: radar, placement: {lat: 47.4, lon: 8.5, alt_hae_m: 450}}
links:
  - {name: rows, transport: udp, address: 127.0.0.1:0, protocol: obs_json}
`;

export function fieldBox(t: Owner, configText: string): FieldBox {
  const folder = folderOf(t);
  const config = join(folder, 'dunlin.yaml');
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  writeFileSync(config, configText);
  return {
    folder,
    config,
    dataDir,
    start: ({ args = [] } = {}) => startDaemon(t as Test, { dataDir, args: ['--config', config, ...args] }),
    spawn: (options = {}) =>
      spawnDaemon(t as Test, { dataDir, ...options, args: ['--config', config, ...(options.args ?? [])] }),
  };
}

/** All rows of a paged list, oldest first. */
export async function allRows<T>(daemon: Daemon, path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | null = null; ; ) {
    const query = `${path.includes('?') ? '&' : '?'}limit=1000${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const { status, headers, body } = await daemon.request(`${path}${query}`);
    if (!body.ok) throw new Error(`GET ${path}: ${status} ${body.error}`);
    rows.push(...(body.data as T[]));
    cursor = headers.get('x-next-cursor');
    if (cursor === null) return rows;
  }
}

/** A page that is text and no envelope. */
export async function textOf(daemon: Daemon, path: string): Promise<string> {
  return (await fetch(daemon.url + path)).text();
}
