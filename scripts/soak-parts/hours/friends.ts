import { Fleet } from '../../../test/support/vehicles/fleet.ts';
import type { Client } from './client.ts';
import { SITE } from './expected.ts';
import { between, type Work } from './work.ts';

const HZ = 2;
const NORTH_DEG = 0.03;

type FleetRow = { key: string; asset_id: string | null };

/** Own vehicles with telemetry over MAVLink. They are assets of the box; all land now and then, and start again. */
export function flyFriends(work: Work, owner: Client, port: number, vehicles: number): void {
  const random = work.random();
  work.again('friends', async () => {
    const at = { lat: SITE.lat + NORTH_DEG, lon: SITE.lon };
    const fleet = new Fleet({ groundStation: { host: '127.0.0.1', port }, vehicles, hz: HZ, at });
    await fleet.start();
    await work.pause(10_000);
    await adopt(work, owner);
    await work.pause(between(random, 300_000, 700_000));
    fleet.stop();
    await work.pause(between(random, 20_000, 90_000));
  });
}

async function adopt(work: Work, owner: Client): Promise<void> {
  for (const { key, asset_id } of (await owner.ask<FleetRow[]>('GET', 'fleet?limit=1000')) ?? []) {
    if (asset_id !== null || work.isOver) continue;
    const made = await owner.ask<{ id: string }>('POST', 'assets', { name: `vehicle ${key}`, spec: {} });
    if (made !== null) await owner.ask('POST', `assets/${made.id}/bind`, { key }, [404, 409]);
  }
}
