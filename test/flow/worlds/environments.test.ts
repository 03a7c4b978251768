import { createSocket, type Socket } from 'node:dgram';
import t, { type Test } from 'tap';
import { MavlinkEncoder } from '../../../src/edge/wire/mavlink/encode.ts';
import { writeGlobalPosition, writeHeartbeat } from '../../../src/edge/wire/mavlink/write.ts';
import type { Asset } from '../../../src/model/asset.ts';
import type { Command } from '../../../src/model/command.ts';
import type { StopAll } from '../../../src/model/engagement.ts';
import type { Picture } from '../../../src/model/picture.ts';
import type { Rule } from '../../../src/model/rule.ts';
import type { Sensor } from '../../../src/model/sensor.ts';
import type { Zone } from '../../../src/model/zone.ts';
import { onlyInFull, takeTime, until } from '../../support/basics/patience.ts';
import { must } from '../../support/daemon/alerts.ts';
import { type Daemon, startDaemon } from '../../support/daemon/daemon.ts';
import {
  guard,
  LIVE_SITE,
  play,
  receiver,
  SIM_SITE,
  scenarioIn,
  show,
  simulatedVehicle,
  visitor,
} from '../../support/daemon/shown_worlds.ts';
import { trackOf } from '../../support/daemon/watch.ts';
import { Drones, hovering } from '../../support/sky/drones.ts';

onlyInFull(t);
takeTime(t, 180);
const SHARED = '1581F5FKD229400000S1';
const may = { operator: 'anna', reason: 'a drill' };
const SYSID = 42;

/** A vehicle at the other end of a real link, which keeps what it is sent. */
class Spy {
  readonly heard: Buffer[] = [];
  readonly #socket: Socket = createSocket('udp4');
  readonly #encoder = new MavlinkEncoder({ sysid: SYSID, compid: 1 });

  constructor(t: Test, port: number) {
    this.#socket.on('message', (bytes) => void this.heard.push(bytes));
    const timer = setInterval(() => this.#say(port), 250);
    t.teardown(() => {
      clearInterval(timer);
      this.#socket.close();
    });
  }

  #say(port: number): void {
    const mode = { type: 2, autopilot: 3, baseMode: 209, customMode: 4, systemStatus: 4, mavlinkVersion: 3 };
    const still = { vNorthMps: 0, vEastMps: 0, vDownMps: 0, headingDeg: 0, altMslM: 500, relativeAltM: 60 };
    const place = { timeBootMs: 1, latDeg: LIVE_SITE.lat, lonDeg: LIVE_SITE.lon };
    for (const payload of [writeHeartbeat(mode), writeGlobalPosition({ ...place, ...still })])
      this.#socket.send(this.#encoder.encode(payload), port, '127.0.0.1');
  }

  /** What it was told to do: the numbers of messages, and of commands in them, beyond a heartbeat and questions. */
  orders(): string[] {
    return this.heard.flatMap((datagram) => {
      const id = datagram.readUIntLE(7, 3);
      const payload = Buffer.alloc(64);
      datagram.copy(payload, 0, 10, 10 + (datagram[1] ?? 0));
      const command = payload.readUInt16LE(28);
      const asks = id === 0 || (id === 76 && [511, 512].includes(command));
      return asks ? [] : [`message ${id}, command ${command}`];
    });
  }
}

const order = (daemon: Daemon, whom: string, body: object) =>
  daemon.post(`/api/assets/${encodeURIComponent(whom)}/command`, { ...may, ...body });

const commandEnds = (daemon: Daemon, id: string): Promise<Command> =>
  until(async () => {
    const command = await daemon.get<Command>(`/api/commands/${id}`);
    return ['done', 'failed', 'rejected', 'timed_out', 'expired'].includes(command.state) && command;
  }, 'the command ends');

t.test('assets, commands and names are of their environment, and nothing simulated reaches a real link', async (t) => {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const own = await must<Asset>(daemon, '/api/assets', {
    name: 'Heron',
    spec: { remote_id_serial: SHARED, mavlink: { sysid: SYSID } },
  });
  await must(daemon, '/api/discovery', { enabled: true }, 'PUT');
  const link = { name: 'own', transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink', command: 'allow' };
  await must(daemon, '/api/links', { ...link, issued_for: own.id, sources_allow: ['127.0.0.1'] });
  const spy = new Spy(t, await daemon.port('own'));
  new Drones(t, daemon).fly(SHARED, hovering(LIVE_SITE));
  await until(async () => (await daemon.get<Asset>(`/api/assets/${own.id}`)).connection === 'online', 'ours is heard');
  await until(async () => spy.heard.length > 3, 'the spy is spoken to');

  // The same serial, the same system id, the same name.
  const scenario = await scenarioIn(daemon, {
    actors: [simulatedVehicle({ mavlink: { sysid: SYSID } }), visitor(SHARED)],
    sensors: [receiver],
  });
  await play(daemon, scenario, { rate: 4 });
  t.equal((await daemon.request(`/api/assets/${own.id}`)).status, 404, 'an asset of the live world is not here');
  t.equal((await order(daemon, own.id, { verb: 'hold' })).status, 404);
  const assets = await daemon.get<Asset[]>('/api/assets');
  t.match(assets, [{ name: 'Heron', environment: 'sim', provenance: 'simulated', spec: { tags: ['twin'] } }]);
  const [heron] = assets as [Asset];
  const known = await trackOf(daemon, SHARED, ({ state }) => state === 'confirmed');
  t.match(known, { affiliation: 'unknown', asset_id: null }, 'whose serial it is in the live world counts for nothing');
  const mine = await must<Asset>(daemon, '/api/assets', { name: 'mine', spec: { remote_id_serial: SHARED } });
  t.match(mine, { environment: 'sim' }, 'the serial of a live asset is free here');

  await until(async () => {
    const { fleet } = await daemon.get<Picture>('/api/picture');
    return fleet.some(({ asset_id, position }) => asset_id === heron.id && position !== null);
  }, 'the simulated vehicle is in the fleet');
  const held = await order(daemon, heron.id, { verb: 'hold' });
  t.equal(held.status, 200, held.body.error ?? '');
  t.match(await commandEnds(daemon, (held.body.data as Command).command_id), { state: 'done', asset_id: heron.id });
  const to = { lat: SIM_SITE.lat + 0.0005, lon: SIM_SITE.lon, height_takeoff_m: 50 };
  const gone = await order(daemon, 'twin:heron', { verb: 'goto', params: { kind: 'point', ...to } });
  t.equal(gone.status, 200, gone.body.error ?? '');
  t.match(await commandEnds(daemon, (gone.body.data as Command).command_id), { state: 'done', asset_id: heron.id });
  t.match(await order(daemon, 'twin:nobody', { verb: 'hold' }), { status: 404 });
  t.same(spy.orders(), [], 'a real link of the same system id carried nothing of it');

  const stopped = await must<StopAll>(daemon, '/api/engagement/stop_all', { ...may });
  t.same(
    stopped.platforms.map(({ asset_id }) => asset_id).sort(),
    [own.id, heron.id].sort(),
    'who stops everything stops what really flies too',
  );
  await show(daemon, 'live');
  for (const id of [heron.id, mine.id]) {
    t.equal((await daemon.request(`/api/assets/${id}`)).status, 404, 'what is simulated is not in the live world');
    t.equal((await order(daemon, id, { verb: 'hold' })).status, 404);
  }
  t.equal((await order(daemon, 'twin:heron', { verb: 'hold' })).status, 404);
  t.match(await daemon.get(`/api/assets/${own.id}`), { name: 'Heron', environment: 'live' });
  t.match(await daemon.request(`/api/commands/${(gone.body.data as Command).command_id}`), { status: 404 });
  const holds = 'message 76, command 176';
  t.same(new Set(spy.orders()), new Set([holds]), 'since then it was told to hold, and nothing else');

  await show(daemon, 'sim');
  await must(daemon, '/api/sim/stop', {});
  t.match(await daemon.get('/api/sim'), { mode: 'sim', run: 'completed' }, 'it stays to be looked at');
  await show(daemon, 'live');
  await show(daemon, 'sim');
  t.match(await daemon.get('/api/sim'), { mode: 'sim', run: 'idle' });
  t.same(
    (await daemon.get<Asset[]>('/api/assets')).map(({ name }) => name),
    ['mine'],
    'simulated vehicles end with their run',
  );
});

t.test('zones, rules and policy are of the workspace, sensors of their environment', async (t) => {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'fence', modality: 'radar' });
  const scenario = await scenarioIn(daemon, { actors: [visitor(SHARED)], sensors: [receiver] });
  await play(daemon, scenario);
  const zone = await guard(daemon, { name: 'made while it was played' });
  const rule = await must<Rule>(daemon, '/api/rules', {
    name: 'made too',
    when: { all: [{ field: 'track.speed_mps', op: 'gt', value: 15 }] },
    for_s: 1,
    // biome-ignore lint/suspicious/noThenProperty: the interface calls it so, and a list is no function
    then: [{ do: 'alert' }],
    severity: 'notice',
    message: 'fast',
  });
  const policy = await daemon.get<{ version: number }>('/api/decision-config');
  const zoneIds = async (query = ''): Promise<string[]> =>
    (await daemon.get<Picture>(`/api/picture${query}`)).zones.map(({ id }) => id);
  t.same(await zoneIds(), [zone.id]);
  t.same(await zoneIds('?world=live'), [zone.id]);
  const sensors = async (path: string): Promise<string[]> => {
    const found = await daemon.get<Sensor[] | Picture>(path);
    return (Array.isArray(found) ? found : found.sensors).map(({ name }) => name).sort();
  };
  t.same(await sensors('/api/sensors'), ['mast'], 'the sensors of the scenario, and none of the live world');
  t.same(await sensors('/api/picture'), ['mast']);
  await must(daemon, '/api/sensors', { name: 'by hand', modality: 'camera' });
  t.same(await sensors('/api/sensors'), ['by hand', 'mast']);
  t.same(await sensors('/api/picture?world=live'), ['fence']);

  await show(daemon, 'live');
  t.same(await sensors('/api/sensors'), ['fence']);
  t.same(
    (await daemon.get<Zone[]>('/api/zones')).map(({ id }) => id),
    [zone.id],
  );
  t.ok((await daemon.get<Rule[]>('/api/rules')).some(({ id }) => id === rule.id));
  t.match(await daemon.get('/api/decision-config'), { version: policy.version });
  t.equal((await daemon.request(`/api/zones/${zone.id}`, { method: 'DELETE' })).status, 200);
  await show(daemon, 'sim');
  t.same(await zoneIds(), [], 'what is taken away in the live world is gone here');
});
