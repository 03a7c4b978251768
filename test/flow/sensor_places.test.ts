import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';
import { heardOf, winding } from '../support/sky/broadcasts.ts';
import { DrivenSky, type Heard } from '../support/sky/driven_sky.ts';

onlyInFull(t);
takeTime(t, 180);
const beginMs = Date.parse('2026-05-01T10:20:00Z');
/** A receiver of an open link is proven after half a minute. */
const [FLOOD_S, UNTIL_S] = [35, 41];
const [ADDRESSES, PER_S] = [10_000, 20_000];
const origin = { lat: 47.05, lon: 8.3 };

/** A receiver that hands on one aircraft twice a second. */
function receiverOn(link: string, n: number): { sensor: string; serial: string; heard: Heard[] } {
  const serial = `1581F5FKD2294L00000${n}`;
  const path = winding(placeAt(origin, 90 * n, 2_000), 60, 8, UNTIL_S);
  const of = { mac: `60:60:1F:00:0A:0${n}`, serial, beginMs, path, untilS: UNTIL_S, everyS: 0.5, link };
  const heard = heardOf({ ...of, receiver: new MavlinkReceiver(n, 236) });
  return { sensor: `${link} ${n}/236`, serial, heard: heard.map((one) => ({ ...one, from: `10.0.0.${n}:14550` })) };
}

/** Datagrams of as many receivers as addresses, each with an aircraft of its own. */
function flood(): Heard[] {
  const hex = (byte: number): string => byte.toString(16).padStart(2, '0').toUpperCase();
  const frames = Array.from({ length: ADDRESSES }, (_, n) => {
    const mac = `66:66:66:01:${hex(n >> 8)}:${hex(n & 0xff)}`;
    const from = placeAt(origin, n % 360, 3_000 + n);
    const aircraft = new Aircraft({ mac, serial: `1581FFLD${String(n).padStart(8, '0')}`, from });
    const receiver = new MavlinkReceiver((n % 250) + 1, 20 + Math.floor(n / 250));
    const bytes = receiver.pack(aircraft, [aircraft.basicId(), aircraft.location(0, beginMs + FLOOD_S * 1_000)]);
    return { bytes, from: `10.1.${n >> 8}.${n & 0xff}:14550`, link: 'open' };
  });
  return Array.from({ length: (UNTIL_S - FLOOD_S) * PER_S }, (_, n) => ({
    ...(frames[n % ADDRESSES] as (typeof frames)[number]),
    atMs: beginMs + FLOOD_S * 1_000 + (n * 1_000) / PER_S,
  }));
}

t.test('20 000 datagrams a second from 10 000 addresses keep no proven receiver from being heard', async (t) => {
  const sky = await DrivenSky.open(t, beginMs, ['open', 'other']);
  const receivers = [receiverOn('open', 3), receiverOn('other', 4)];
  const deaf = new Set<string>();
  await sky.pass(beginMs + UNTIL_S * 1_000, [...receivers.flatMap(({ heard }) => heard), ...flood()], () => {
    if (sky.nowMs < beginMs + 5_000) return;
    const sensors = sky.worldServices.world.sensors.list(sky.nowMs);
    for (const { sensor, serial } of receivers) {
      const state = sensors.find(({ name }) => name === sensor)?.state;
      const track = sky.named(serial)[0]?.state;
      if (state !== 'operational' || track !== 'confirmed') deaf.add(`${sensor}: ${state}, its aircraft ${track}`);
    }
  });
  t.same([...deaf], [], 'both are heard throughout');
  const links = sky.worldServices.world.links.list().map((link) => link.document());
  const unplaced = Object.fromEntries(links.map(({ name, sources_unplaced: count }) => [name, count]));
  t.ok((unplaced.open ?? 0) > 10_000, `${unplaced.open} messages without a place are counted`);
  t.equal(unplaced.other, 0);
  t.ok(Number.isNaN(sky.alertedMs('sensor_silent')), 'and nobody is called silent');
  const count = sky.worldServices.world.sensors.list(sky.nowMs).length;
  t.ok(count <= 40, `${count} rows of sensors`);
});
