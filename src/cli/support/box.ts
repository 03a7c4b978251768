import { spawnSync } from 'node:child_process';
import { readFileSync, statfsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, cpus, freemem, loadavg, release, totalmem, type, uptime } from 'node:os';
import Database from 'better-sqlite3';
import { program } from '../../host/program.ts';
import { sentenceOf } from '../../model/fault.ts';

const MEGABYTE = 1e6;

/** Returns the versions of the program, its libraries and the system. */
export function versions(): object {
  return {
    dunlin: program.version,
    build: program.build,
    node: process.versions.node,
    napi: process.versions.napi,
    openssl: process.versions.openssl,
    addon: addonState(),
    sqlite: sqliteVersion(),
    os: osName(),
    kernel: `${type()} ${release()}`,
    architecture: arch(),
  };
}

/** Returns uptime, load, memory and disk space of the box, and the state of the systemd unit, at this moment. */
export function resources(dataDir: string | null): object {
  return {
    uptime_s: Math.round(uptime()),
    cpus: cpus().length,
    load: loadavg().map((load) => Math.round(load * 100) / 100),
    memory_mb: { total: Math.round(totalmem() / MEGABYTE), free: Math.round(freemem() / MEGABYTE) },
    disk_mb: dataDir === null ? null : diskOf(dataDir),
    service: serviceState(),
  };
}

function addonState(): string {
  try {
    const require = createRequire(import.meta.url);
    require('#native');
    const { size, mtime } = statSync(require.resolve('#native'));
    return `loads, ${size} bytes of ${mtime.toISOString()}`;
  } catch (thrown) {
    return `does not load: ${sentenceOf(thrown).split('\n')[0]}`;
  }
}

function sqliteVersion(): string {
  try {
    const db = new Database(':memory:');
    const found = String(db.prepare('SELECT sqlite_version()').pluck().get());
    db.close();
    return found;
  } catch (thrown) {
    return `does not load: ${sentenceOf(thrown).split('\n')[0]}`;
  }
}

function osName(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

function diskOf(dataDir: string): object | null {
  try {
    const { bsize, blocks, bavail } = statfsSync(dataDir);
    return { total: Math.round((blocks * bsize) / MEGABYTE), free: Math.round((bavail * bsize) / MEGABYTE) };
  } catch {
    return null;
  }
}

/** Returns the state of the systemd unit, without its environment; null without such a unit. */
function serviceState(): Record<string, string> | null {
  const asked =
    'LoadState,ActiveState,SubState,Result,NRestarts,ExecMainStatus,ActiveEnterTimestamp,MemoryCurrent,MemoryPeak';
  const run = spawnSync('systemctl', ['show', 'dunlin.service', `--property=${asked}`], {
    encoding: 'utf8',
    timeout: 3_000,
  });
  if (run.status !== 0 || run.stdout.trim() === '') return null;
  return Object.fromEntries(
    run.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
}
