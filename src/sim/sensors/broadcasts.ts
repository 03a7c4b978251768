import type { Payload } from '../../edge/wire/mavlink/write.ts';
import type { ScenarioActor } from '../../model/scenario.ts';
import { normaliseDeg } from '../../model/units.ts';
import { ABSENT, FLYING } from '../aircraft/flight/air.ts';
import { Chance, seedFor } from '../kernel/chance.ts';
import { lies } from '../kernel/spans.ts';
import type { Member } from '../population/member.ts';
import { type AdsbSpec, adsbVoice } from '../wire/adsb.ts';
import { HEIGHT_FACTOR, type RemoteIdSpec, type Reported, remoteIdVoice, SPEED_SIGMA_MPS } from '../wire/remote_id.ts';
import type { Receiver } from './receiver.ts';
import type { Sky } from './sky.ts';

const DEGREES = 180 / Math.PI;
/** Time for which a drone continues to broadcast after landing, s, so that receivers learn of the landing. */
const AFTER_LANDING_S = 5;
const HONEST = { east_m: 0, north_m: 0, up_m: 0 };

/** Transmitter of one member. `speak` sends the next broadcast. */
export type Broadcast = { member: Member; periodS: number; speak(sky: Sky): void };

export function remoteIdBroadcast(
  member: Member,
  actor: ScenarioActor,
  spec: RemoteIdSpec,
  sky: Sky,
  receivers: readonly Receiver<Payload>[],
): Broadcast {
  const pilot = { ...sky.site.geodeticOf(spec.pilot ?? actor.start), isLive: spec.pilot !== undefined };
  const { serial, ...others } = spec;
  const own = isFirst(member, actor) ? spec : others;
  const voice = remoteIdVoice(own, member.type, pilot, new Chance(seedFor(member.seed, 'remote_id')));
  const gnss = new Chance(seedFor(member.seed, 'gnss'));
  let count = 0;
  return {
    member,
    periodS: spec.period_s,
    speak(sky) {
      const broadcast = count++;
      const atMs = receivers[0]?.station.utcMs(sky.atS);
      if (!isTransmitting(member, sky) || lies(sky.atS, spec.off) || atMs === undefined) return;
      const messages = voice(claimOf(member, spec, gnss, sky), atMs);
      for (const receiver of receivers) receiver.receive(member, messages, spec.loss, broadcast, sky);
    },
  };
}

export function adsbBroadcast(
  member: Member,
  actor: ScenarioActor,
  spec: AdsbSpec,
  receivers: readonly Receiver<Uint8Array>[],
): Broadcast {
  const { icao24, callsign, ...others } = spec;
  const voice = adsbVoice(isFirst(member, actor) ? spec : others, new Chance(seedFor(member.seed, 'adsb')));
  const { body } = member;
  let count = 0;
  return {
    member,
    periodS: spec.period_s,
    speak(sky) {
      const broadcast = count++;
      if (receivers.length === 0 || !isTransmitting(member, sky)) return;
      const place = sky.site.placeOf(sky.eastM(body), sky.northM(body), sky.heightM(body));
      const { courseDeg, speedMps } = motionOf(body, sky, place.latDeg, place.lonDeg);
      const climbMps = sky.air.climbMps[body] as number;
      const lines = voice(place, courseDeg, speedMps, climbMps, sky.air.isFlying(body));
      const bytes = Buffer.from(lines, 'latin1');
      for (const receiver of receivers) receiver.receive(member, [bytes], 0, broadcast, sky);
    },
  };
}

/** True for the first member of an actor. Only this member has the identity that the scenario gives to the actor. */
function isFirst(member: Member, actor: ScenarioActor): boolean {
  return member.id === actor.id || member.id === `${actor.id}-1`;
}

function isTransmitting(member: Member, sky: Sky): boolean {
  const state = sky.air.state[member.body];
  if (state === ABSENT || lies(sky.atS, member.hidden)) return false;
  return state === FLYING || sky.atS - (sky.air.landedS[member.body] as number) < AFTER_LANDING_S;
}

/**
 * Returns the state that a member claims: the fix of its own navigation, shifted by the scenario's false offset from
 * `lies.from_s` on.
 */
function claimOf({ body }: Member, { sigma_m, lies: lie }: RemoteIdSpec, gnss: Chance, sky: Sky): Reported {
  const shift = lie && sky.atS >= lie.from_s ? lie : HONEST;
  const off = (sigma: number): number => sigma * gnss.normal();
  const heightM = sky.heightM(body) + shift.up_m + off(sigma_m * HEIGHT_FACTOR);
  const place = sky.site.placeOf(
    sky.eastM(body) + shift.east_m + off(sigma_m),
    sky.northM(body) + shift.north_m + off(sigma_m),
    heightM,
  );
  const { courseDeg, speedMps } = motionOf(body, sky, place.latDeg, place.lonDeg);
  return {
    place,
    // Equal to the height above ground: the vehicle took off from the ground of the site, which is level.
    heightM,
    courseDeg,
    speedMps: Math.abs(speedMps + off(SPEED_SIGMA_MPS)),
    climbMps: (sky.air.climbMps[body] as number) + off(SPEED_SIGMA_MPS),
    airborne: sky.air.isFlying(body),
  };
}

/** Returns course and speed over the ground, in the local axes at a place. */
function motionOf(body: number, sky: Sky, latDeg: number, lonDeg: number): { courseDeg: number; speedMps: number } {
  const [east, north] = [sky.air.eastMps[body] as number, sky.air.northMps[body] as number];
  const course = Math.atan2(east, north) - sky.site.northAt(latDeg, lonDeg);
  return { courseDeg: normaliseDeg(course * DEGREES), speedMps: Math.sqrt(east * east + north * north) };
}
