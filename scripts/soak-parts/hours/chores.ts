import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Key, User } from '../../../src/model/access.ts';
import type { Recording } from '../../../src/model/recording.ts';
import type { Zone } from '../../../src/model/zone.ts';
import { mainScript } from '../../../test/support/daemon/program.ts';
import type { Box } from './box.ts';
import type { Client } from './client.ts';
import { placeOf } from './expected.ts';
import { between, type Work } from './work.ts';

const KEPT_RECORDINGS = 3;
const STEP_HOURS = 6;
/** Number of steps of the clock in a run: 144 hours. Retention of one day is steady before the run has warmed up. */
const STEPS = 24;

/** What owners and the box itself do in the course of days. */
export function startChores(work: Work, box: Box, owner: Client, hours: number): void {
  stepClock(work, box, owner, (hours * 3_600_000) / (STEPS + 1));
  record(work, owner);
  backUp(work, box);
  changeRegistry(work, owner);
  changeAccess(work, owner);
}

function stepClock(work: Work, { shift }: Box, owner: Client, everyMs: number): void {
  work.again('clock', async () => {
    await work.pause(everyMs);
    if (work.isOver) return;
    shift.forward(STEP_HOURS);
    await work.pause(3_000);
    // More than a day of steps without a person's confirmation would stop the retention.
    if (!work.isOver) await owner.ask('POST', 'retention/confirm-clock');
  });
}

function record(work: Work, owner: Client): void {
  const random = work.random();
  work.again('recording', async () => {
    // The ring is small, so that segments go while it records.
    const made = await owner.ask<Recording>('POST', 'recordings', { max_bytes: 1_048_576 });
    await work.pause(between(random, 60_000, 240_000));
    if (made === null) return;
    await owner.ask('POST', `recordings/${made.id}/stop`, {});
    if (work.isOver) return;
    await owner.fetch(`/api/recordings/${made.id}/file`);
    const ended = ((await owner.ask<Recording[]>('GET', 'recordings')) ?? [])
      .filter(({ state }) => state !== 'recording')
      .sort((a, b) => a.started_at.localeCompare(b.started_at));
    for (const { id } of ended.slice(0, Math.max(0, ended.length - KEPT_RECORDINGS)))
      await owner.ask('DELETE', `recordings/${id}`);
    await work.pause(between(random, 5_000, 40_000));
  });
}

/** `dunlin backup` beside the daemon. */
function backUp(work: Work, { out, dataDir, shift }: Box): void {
  const random = work.random();
  const target = join(out, 'backups');
  mkdirSync(target, { recursive: true });
  work.again('backup', async () => {
    await work.pause(between(random, 60_000, 240_000));
    if (work.isOver) return;
    const child = spawn(process.execPath, [mainScript, 'backup', target, '--data', dataDir, '--keep', '2'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...shift.env },
    });
    let err = '';
    child.stderr.on('data', (text) => {
      err += text;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) work.failures.note(`dunlin backup ended with ${code}`, err);
  });
}

function changeRegistry(work: Work, owner: Client): void {
  const random = work.random();
  work.again('registry', async () => {
    await work.pause(between(random, 4_000, 15_000));
    if (work.isOver) return;
    const [lon, lat] = [between(random, 8.4, 8.6), between(random, 47.3, 47.5)];
    const geometry = { type: 'Point', coordinates: [lon, lat], radius_m: between(random, 50, 400) };
    const zone = await owner.ask<Zone>('POST', 'zones', { name: `zone ${random()}`, kind: 'warning', geometry });
    const sensor = await owner.ask<{ id: string }>('POST', 'sensors', {
      name: `sensor ${random()}`,
      modality: 'acoustic',
    });
    const asset = await owner.ask<{ id: string }>(
      'POST',
      'assets',
      {
        name: `asset ${random()}`,
        spec: { remote_id_serial: `1581F${String(Math.floor(random() * 400)).padStart(15, '0')}` },
      },
      [409],
    );
    if (asset !== null)
      await owner.ask('POST', 'assignments', { asset_id: asset.id, affiliation: 'neutral', operator: 'soak' });
    await work.pause(between(random, 4_000, 15_000));
    if (zone !== null) {
      await owner.ask('POST', `zones/${zone.id}`, { ceiling_m: 120 });
      await owner.ask('DELETE', `zones/${zone.id}`);
    }
    if (sensor !== null) await owner.ask('DELETE', `sensors/${sensor.id}`);
    if (asset !== null) await owner.ask('DELETE', `assets/${asset.id}`);
  });
}

function changeAccess(work: Work, owner: Client): void {
  const random = work.random();
  work.again('access', async () => {
    await work.pause(between(random, 20_000, 60_000));
    if (work.isOver) return;
    const key = await owner.ask<Key>('POST', 'keys', { name: 'soak', role: 'viewer' });
    const username = `guest ${Math.floor(random() * 1e9)}`;
    const user = await owner.ask<User>('POST', 'users', {
      username,
      role: 'viewer',
      password: 'a long enough password',
    });
    await work.pause(between(random, 5_000, 20_000));
    if (key !== null) await owner.ask('DELETE', `keys/${key.id}`);
    if (user !== null) await owner.ask('DELETE', `users/${user.id}`);
  });
}

/** Zones and a rule that make alerts of what flies past. */
export async function declareSite(owner: Client, webhooks: readonly string[]): Promise<void> {
  const { lat, lon } = placeOf(0, 0);
  const area = (radius_m: number) => ({ type: 'Point', coordinates: [lon, lat], radius_m });
  await owner.ask('POST', 'zones', { name: 'works', kind: 'protected', geometry: area(300) });
  await owner.ask('POST', 'zones', {
    name: 'surroundings',
    kind: 'warning',
    geometry: area(1_200),
    alarm: { on: ['enter', 'exit', 'dwell'], level: 'notice', dwell_s: 30 },
  });
  await owner.ask('POST', 'rules', {
    name: 'fast near the works',
    when: {
      all: [
        { field: 'track.nearest_m', op: 'lt', value: 600 },
        { field: 'track.speed_mps', op: 'gt', value: 12 },
      ],
    },
    for_s: 2,
    cooldown_s: 60,
    // biome-ignore lint/suspicious/noThenProperty: the interface calls it so, and a list is no function
    then: [{ do: 'alert' }, { do: 'notify' }],
    severity: 'warning',
    message: '{track.label} flies at {track.speed_mps} m/s.',
  });
  await owner.ask('PUT', 'discovery', { enabled: true });
  await owner.ask('POST', 'retention/confirm-clock');
  for (const [n, url] of webhooks.entries())
    await owner.ask('POST', 'webhooks', { name: `webhook ${n}`, url, events: ['alert', 'alert_update', 'log'] });
}
