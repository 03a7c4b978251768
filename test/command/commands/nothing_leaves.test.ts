import fc from 'fast-check';
import t, { type Test } from 'tap';
import { knownMessage } from '../../../src/edge/wire/mavlink/known.ts';
import type { Payload } from '../../../src/edge/wire/mavlink/write.ts';
import type { Vehicle } from '../../../src/fleet/vehicle.ts';
import { systemActor } from '../../../src/model/actor.ts';
import type { AssetCommand } from '../../../src/model/command.ts';
import { Fault } from '../../../src/model/fault.ts';
import { zoneSpecSchema } from '../../../src/model/zone.ts';
import { positionAt } from '../../support/basics/place.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { square, track } from '../../support/fleet/airspace.ts';
import { receiveCopter } from '../../support/fleet/received_copter.ts';
import { openFleet } from '../../support/fleet/registry_fleet.ts';
import { openRegistry } from '../../support/registry/registry.ts';

/** The copter of `receiveCopter` stands here, 45 m up. */
const HERE = { latDeg: 52.1, lonDeg: 4.2 };
const SET_INTERVAL = 511;
const REQUEST_MESSAGE = 512;
const USER = { type: 'user', id: 'usr_a', name: 'anna', address: null } as const;
const OPEN = { type: 'open', id: 'open', name: '10.0.0.7', address: '10.0.0.7' } as const;
const KEY = { type: 'key', id: 'key_a', name: 'feed', address: null } as const;

const RUNS = sized(600);

/** Mostly as it should be: of ten conditions one or two stand in the way, each as often as any other. */
const mostly = <T>(usual: T, ...else_: readonly T[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...else_) });

/** What a generated world is like, and what is asked in it. */
const worlds = fc.record({
  adopted: mostly(true, false),
  discovery: mostly(true, false),
  policy: mostly('allow', 'deny'),
  control: mostly('on', 'off'),
  surface: mostly<'allow' | 'observe_only' | 'deny'>('allow', 'observe_only', 'deny'),
  by: fc.constantFrom('user', 'user', 'open', 'open with words', 'key', 'commanding key'),
  /** How old its last word is, s. */
  silentS: mostly(0, 2, 4, 6, 40),
  /** Whether it is where the verb makes sense: in the air, or for a take-off on the ground. */
  fits: mostly(true, false),
  energyPct: mostly<number | null>(80, null, 20, 26),
  mode: mostly(4, 17, 5),
  rival: mostly(false, true),
  /** Whether it flies in the mode in which our last order left it. */
  ours: fc.boolean(),
  /** A stranger so far north of it, m, on the way. */
  strangerM: fc.constantFrom(null, null, 60, 150, 5_000),
  fenceM: mostly<number | null>(null, 100, 5_000),
  expiresInS: mostly(10, -5),
  verb: fc.constantFrom('goto', 'hold', 'return_home', 'land', 'set_speed', 'takeoff', 'shadow', 'explode', 'look_at'),
  /** The place that it is sent to, m north. */
  goesM: fc.constantFrom(40, 300),
});
type World = typeof worlds extends fc.Arbitrary<infer W> ? W : never;

/** Nothing stands in the way. */
const free: Omit<World, 'verb'> = {
  ...{ adopted: true, discovery: true, policy: 'allow', control: 'on', silentS: 0, fits: true },
  ...{ energyPct: 80, mode: 4, rival: false, ours: true, strangerM: 150, fenceM: null, expiresInS: 10 },
  surface: 'allow',
  by: 'user',
  goesM: 40,
};
const sendable = ['goto', 'hold', 'return_home', 'land', 'set_speed', 'takeoff', 'shadow'] as const;

const fliesIn = ({ verb, fits }: World): boolean => (verb !== 'takeoff') === fits;

const movements = new Set(['goto', 'land', 'set_speed', 'takeoff', 'shadow']);

/** By the rules as people read them, written without the code that keeps them: whether anything may reach the vehicle. */
function mayLeave(world: World): boolean {
  const { verb, by } = world;
  const moves = movements.has(verb);
  if (world.control === 'off' || !world.adopted || !world.discovery || world.policy === 'deny') return false;
  // While another address says to be the vehicle, the believed one may still be brought to rest.
  if (world.rival && verb !== 'hold' && verb !== 'return_home' && verb !== 'land') return false;
  if (world.expiresInS < 0 || verb === 'explode' || verb === 'look_at') return false;
  // Callers who are no more than trusted to look may only hold what flies under our own order.
  const holdsOurs = verb === 'hold' && world.ours && fliesIn(world);
  if (by === 'key' && !holdsOurs) return false;
  if (by.startsWith('open') && world.surface === 'deny') return false;
  if (by.startsWith('open') && world.surface === 'observe_only' && !(holdsOurs && by === 'open with words'))
    return false;
  if (by === 'open' && moves) return false;
  if (world.silentS > 5) return false;
  const flies = fliesIn(world);
  if (verb === 'return_home') return flies;
  // A hold replaces no pilot's mode.
  if (verb === 'hold') return flies && (world.mode !== 5 || world.ours);
  if (world.silentS > 3 || flies === (verb === 'takeoff')) return false;
  if (verb === 'takeoff') return world.energyPct !== 20 && world.energyPct !== 26;
  if (verb !== 'land' && world.energyPct === 20) return false;
  // One more than its reserve brings it down from where it is, and nowhere else and home again.
  if (world.energyPct === 26 && (verb === 'goto' || verb === 'shadow')) return false;
  if (flies && world.mode === 5 && !world.ours) return false;
  // In BRAKE it takes no speed.
  if (verb === 'set_speed' && world.mode !== 4) return false;
  if (verb === 'shadow') return world.strangerM !== null;
  if (verb !== 'goto') return true;
  const isNear = (m: number | null, keptM: number): boolean => m !== null && m - keptM <= world.goesM;
  return !isNear(world.strangerM, 100) && !isNear(world.fenceM, 0);
}

t.test('no command leaves that the rules do not let, in any generated world', async (t) => {
  const went = new Map<string, number>();
  const asked = fc.asyncProperty(worlds, async (world) => {
    const sent = await sentIn(t, world);
    const isLet = mayLeave(world);
    if (sent.length > 0) went.set(world.verb, (went.get(world.verb) ?? 0) + 1);
    if (sent.length > 0 && !isLet) throw new Error(`sent ${sent.map((id) => knownMessage(id)?.name)}, and must not`);
    const mustGo = isLet && ['hold', 'return_home', 'land', 'set_speed'].includes(world.verb);
    if (mustGo && sent.length === 0) throw new Error('it was let, and nothing was sent');
  });
  const examples = sendable.map((verb): [World] => [{ ...free, verb }]);
  await fc.assert(asked, { seed: seedOf(t), numRuns: RUNS, examples });
  for (const verb of sendable) {
    t.ok(went.get(verb), `${verb} was sent in ${went.get(verb) ?? 0} of ${RUNS} worlds`);
  }
});

/** What of commands was handed to the link: requests for telemetry are none. */
async function sentIn(t: Test, world: World): Promise<number[]> {
  const rig = sharedRegistry(t);
  const sent: number[] = [];
  let nowMs = 1_000_000;
  const { side, fleet, tracks } = openFleet(rig, {
    nowMs: () => nowMs,
    transmit: async (_link, payload) => {
      if (isCommand(payload)) sent.push(payload.msgid);
    },
    link: () => ({
      ...{ signing: 'none', provesSender: true },
      policy: { discover: 'list', command: world.policy === 'allow' ? 'allow' : 'deny', reason: null },
    }),
    control: { enabled: world.control === 'on', openSurface: world.surface },
  });
  const { registry } = rig;
  if (registry.discovery.enabled !== world.discovery) registry.discovery.set(world.discovery, systemActor);
  const { id } = registry.assets.create({ name: 'Heron', spec: {} }, systemActor);
  const vehicle = receiveCopter(fleet, nowMs);
  shape(vehicle, world, nowMs);
  if (world.adopted) registry.assets.bind(id, { key: 'received copter' }, systemActor);
  if (world.rival) hearRival(fleet, vehicle, nowMs);
  if (world.strangerM !== null) tracks.push(stranger(world.strangerM, fleet.nowMs()));
  const zoneId = fence(rig, world.fenceM);
  side.airspace.zonesChanged();
  nowMs += world.silentS * 1_000;
  try {
    const command = side.service.command(id, bodyOf(world, tracks[0]?.id), askOf(world));
    // What goes on is ended, so that nothing of one world is left in the next.
    await Promise.race([command, new Promise((resolve) => setImmediate(() => setImmediate(resolve)))]);
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
  } finally {
    side.stop();
    if (zoneId) registry.zones.remove(zoneId, systemActor);
    registry.assets.remove(id, systemActor);
  }
  return sent;
}

function isCommand({ msgid, payload }: Payload): boolean {
  if (msgid !== 75 && msgid !== 76) return msgid !== 0;
  const command = payload.readUInt16LE(28);
  return command !== SET_INTERVAL && command !== REQUEST_MESSAGE;
}

function shape(vehicle: Vehicle, world: World, atMs: number): void {
  const flies = fliesIn(world);
  vehicle.heartbeat = {
    value: { ...vehicle.heartbeat.value, baseMode: flies ? 217 : 89, customMode: flies ? world.mode : 4 },
    atMs,
  };
  if (flies && world.ours) vehicle.custody.own = world.mode;
  vehicle.landed = { value: flies ? 'in_air' : 'on_ground', atMs };
  vehicle.energyPct = world.energyPct === null ? null : { value: world.energyPct, atMs };
}

/** Another address on its link says that it is the same system. */
function hearRival(
  fleet: ReturnType<typeof openFleet>['fleet'],
  { heartbeat, endpoints }: Vehicle,
  atMs: number,
): void {
  const linkId = endpoints.all()[0]?.linkId ?? '';
  fleet.take(linkId, heartbeat.value, '10.0.0.9:14550', atMs);
}

function stranger(northM: number, atMs: number) {
  const at = new Date(Date.now() - performance.now() + atMs).toISOString();
  return track({ ...positionAt(HERE, 0, northM), altHaeM: 92 }, { last_seen_at: at, updated_at: at });
}

function fence({ registry }: ReturnType<typeof openRegistry>, northM: number | null): string | null {
  if (northM === null) return null;
  const geometry = { type: 'Polygon', coordinates: [square(positionAt(HERE, 0, northM + 20), 20)] };
  const spec = zoneSpecSchema.parse({ name: `fence ${Math.random()}`, kind: 'keep_out', geometry });
  return registry.zones.create(spec, systemActor).id;
}

function bodyOf(world: World, trackId = '00000000-0000-4000-8000-00000000000a'): AssetCommand {
  const words = world.by === 'open with words' ? { operator: 'anna', reason: 'a test' } : {};
  const expires = new Date(
    Date.now() - performance.now() + 1_000_000 + world.silentS * 1_000 + world.expiresInS * 1_000,
  );
  return { verb: world.verb, ...paramsOf(world, trackId), ...words, expires_at: expires.toISOString() };
}

function paramsOf({ verb, goesM }: World, trackId: string): Pick<AssetCommand, 'params'> {
  const { latDeg: lat, lonDeg: lon } = positionAt(HERE, 0, goesM);
  if (verb === 'goto') return { params: { kind: 'point', lat, lon, height_takeoff_m: 45 } };
  if (verb === 'set_speed') return { params: { kind: 'value', speed_mps: 5 } };
  if (verb === 'takeoff') return { params: { kind: 'value', height_m: 20 } };
  if (verb === 'shadow') return { params: { kind: 'track', track_id: trackId } };
  return {};
}

function askOf({ by }: World) {
  const actor = by === 'user' ? USER : by.startsWith('open') ? OPEN : KEY;
  const key = actor === KEY ? { mayCommand: by === 'commanding key' } : null;
  return { by: actor, key, operator: null, why: null, engagementId: null };
}

const registries = new WeakMap<Test, ReturnType<typeof openRegistry>>();

/** One database for all worlds of a test. */
function sharedRegistry(t: Test): ReturnType<typeof openRegistry> {
  const rig = registries.get(t) ?? openRegistry(t);
  registries.set(t, rig);
  return rig;
}
