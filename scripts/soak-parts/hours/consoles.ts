import type { Alert } from '../../../src/model/alert.ts';
import type { Picture } from '../../../src/model/picture.ts';
import type { Track } from '../../../src/model/track.ts';
import { Client } from './client.ts';
import type { Shift } from './shift.ts';
import { between, oneOf, type Work } from './work.ts';

/** What was there a moment ago may be gone, or someone else was faster. */
const RACES = [404, 409];

export type Account = { username: string; password: string };

export type Desk = { url: string; accounts: readonly Account[]; shift: Shift };

/**
 * Operator consoles that connect, watch, act and leave. Every second one has a person who signs in; the others use the open
 * surface. Each has an address of its own, as tablets have.
 */
export function openConsoles(work: Work, desk: Desk, count: number): void {
  for (let n = 0; n < count; n++) {
    const random = work.random();
    const client = new Client(desk.url, `127.0.0.${20 + n}`, work.failures);
    work.again('console', async () => {
      await work.pause(between(random, 1_000, 30_000));
      if (!work.isOver) await visit(work, client, random, n % 2 === 1 ? (desk.accounts[n >> 1] ?? null) : null, desk);
    });
    work.atEnd(() => client.leave());
  }
}

/** One visit: what the console asks for at its start, its stream, and what its person does meanwhile. */
async function visit(work: Work, client: Client, random: () => number, account: Account | null, desk: Desk) {
  await client.fetch('/console/');
  if (account !== null) await client.signIn(account.username, account.password);
  for (const path of ['me', 'decision-config', 'maps', 'zones', 'sensors']) await client.ask('GET', path);
  // A box that receives none of its sensors is not healthy, and says so by this status.
  await client.ask('GET', 'health', undefined, [503]);
  await client.ask<Picture>('GET', 'picture?world=live');
  let isOpen = true;
  await client.watch(() => {
    isOpen = false;
    // A session that the shifted clock ended takes its streams with it.
    const isExpected = work.isOver || (account !== null && desk.shift.isRecent());
    if (!isExpected) work.failures.note('the stream of a console ended', account?.username ?? 'open');
  });
  const untilMs = performance.now() + between(random, 60_000, 360_000);
  while (!work.isOver && isOpen && performance.now() < untilMs) {
    await act(client, random);
    await work.pause(between(random, 3_000, 9_000));
  }
  client.leave();
  if (account !== null && !work.isOver && random() < 0.7) await client.signOut();
}

async function act(client: Client, random: () => number): Promise<void> {
  // People see to every alert sooner or later.
  for (const alert of (await client.ask<Alert[]>('GET', 'alerts?state=active&limit=20')) ?? [])
    if (random() < 0.6) await client.ask('POST', `alerts/${alert.id}/acknowledge`, {}, RACES);
  const cleared = (await client.ask<Alert[]>('GET', 'alerts?state=cleared&limit=20')) ?? [];
  for (const { id } of cleared.filter(({ acknowledged }) => acknowledged === null))
    if (random() < 0.6) await client.ask('POST', `alerts/${id}/acknowledge`, {}, RACES);
  const tracks = (await client.ask<Track[]>('GET', 'tracks?limit=200')) ?? [];
  const track = oneOf(random, tracks);
  if (track !== undefined) await about(client, random, track);
}

/** What a person does about the track that is selected. */
async function about(client: Client, random: () => number, { id }: Track): Promise<void> {
  await client.ask('GET', `tracks/${id}/history?step_s=1&limit=1000`, undefined, RACES);
  const choice = random();
  if (choice < 0.15) await client.ask('POST', `threats/${id}/acknowledge`, {}, RACES);
  else if (choice < 0.25) await client.ask('POST', `threats/${id}/dismiss`, { reason: 'soak', until: null }, RACES);
  else if (choice < 0.3)
    await client.ask('POST', `tracks/${id}/affiliation`, { affiliation: 'neutral', reason: 'soak' }, RACES);
  else if (choice < 0.33) await client.ask('POST', `tracks/${id}/drop`, { reason: 'soak' }, RACES);
  else if (choice < 0.45) await client.ask('GET', 'events?limit=200');
  else if (choice < 0.52) await client.ask('GET', 'sightings?limit=100');
  else if (choice < 0.58) await client.ask('GET', `detections?limit=200&track_id=${id}`);
  else if (choice < 0.6) await client.ask('GET', 'tracks?limit=1000');
}
