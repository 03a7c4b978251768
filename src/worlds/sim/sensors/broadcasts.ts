import type { ScenarioActor } from '../../../model/scenario.ts';
import { normaliseDeg } from '../../../model/units.ts';
import { Chance, seedFor } from '../chance.ts';
import { ABSENT, FLYING } from '../flight/air.ts';
import type { Member } from '../member.ts';
import { lies } from '../spans.ts';
import { AdsbVoice } from '../wire/adsb.ts';
import { HEIGHT_FACTOR, RemoteIdVoice, SPEED_SIGMA_MPS, type Told } from '../wire/remote_id.ts';
import type { AdsbReceiver, RemoteIdReceiver } from './receivers.ts';
import type { Sky } from './sky.ts';

const DEGREES = 180 / Math.PI;
/** A drone goes on broadcasting for a moment when it has landed: what hears it learns that it did. */
const AFTER_LANDING_S = 5;

/** Course and speed over the ground in the local axes at a place. */
function motionOf(body: number, sky: Sky, latDeg: number, lonDeg: number): { courseDeg: number; speedMps: number } {
  const [east, north] = [sky.air.eastMps[body] as number, sky.air.northMps[body] as number];
  const course = Math.atan2(east, north) - sky.site.northAt(latDeg, lonDeg);
  return { courseDeg: normaliseDeg(course * DEGREES), speedMps: Math.sqrt(east * east + north * north) };
}

/** What one member broadcasts of itself, at its own times. */
export class RemoteIdBroadcast {
  readonly member: Member;
  readonly voice: RemoteIdVoice;
  readonly periodS: number;
  readonly #receivers: readonly RemoteIdReceiver[];
  readonly #chance: Chance;
  #count = 0;

  constructor(member: Member, actor: ScenarioActor, sky: Sky, receivers: readonly RemoteIdReceiver[]) {
    const spec = actor.remote_id;
    if (!spec) throw new TypeError(`${actor.id} broadcasts no Remote ID`);
    const chance = new Chance(seedFor(member.seed, 'remote_id'));
    const pilot = sky.site.geodeticOf(spec.pilot ?? actor.start);
    // Of many with one description, the first has the serial that it names.
    const { serial, ...others } = spec;
    const own = member.id === actor.id || member.id === `${actor.id}-1` ? spec : others;
    this.member = member;
    this.periodS = spec.period_s;
    this.voice = new RemoteIdVoice(own, member.type, { ...pilot, isLive: spec.pilot !== undefined }, chance);
    this.#receivers = receivers;
    this.#chance = new Chance(seedFor(member.seed, 'gnss'));
  }

  speak(sky: Sky): void {
    const broadcast = this.#count++;
    const { spec } = this.voice;
    if (!isHeard(this.member, sky) || lies(sky.atS, spec.off)) return;
    const atMs = this.#receivers[0]?.station.utcMs(sky.atS);
    if (atMs === undefined) return;
    const said = this.voice.speak(this.#told(sky), atMs);
    for (const receiver of this.#receivers) receiver.hear(this.member, said, spec.loss, broadcast, sky);
  }

  /** Where its navigation says it is, and beyond that where it claims to be. */
  #told(sky: Sky): Told {
    const { body, startHeightM } = this.member;
    const { sigma_m, lies: lie } = this.voice.spec;
    const said = lie && sky.atS >= lie.from_s ? lie : HONEST;
    const off = (sigma: number): number => sigma * this.#chance.normal();
    const heightM = sky.heightM(body) + said.up_m + off(sigma_m * HEIGHT_FACTOR);
    const place = sky.site.placeOf(
      sky.eastM(body) + said.east_m + off(sigma_m),
      sky.northM(body) + said.north_m + off(sigma_m),
      heightM,
    );
    const { courseDeg, speedMps } = motionOf(body, sky, place.latDeg, place.lonDeg);
    return {
      place,
      heightM: heightM - startHeightM,
      courseDeg,
      speedMps: Math.abs(speedMps + off(SPEED_SIGMA_MPS)),
      climbMps: (sky.air.climbMps[body] as number) + off(SPEED_SIGMA_MPS),
      airborne: sky.air.isFlying(body),
    };
  }
}

const HONEST = { east_m: 0, north_m: 0, up_m: 0 };

function isHeard(member: Member, sky: Sky): boolean {
  const state = sky.air.state[member.body];
  if (state === ABSENT || sky.stage.isHidden(member, sky.atS)) return false;
  return state === FLYING || sky.atS - (sky.air.landedS[member.body] as number) < AFTER_LANDING_S;
}

export class AdsbBroadcast {
  readonly member: Member;
  readonly periodS: number;
  readonly #voice: AdsbVoice;
  readonly #receivers: readonly AdsbReceiver[];
  #count = 0;

  constructor(member: Member, actor: ScenarioActor, receivers: readonly AdsbReceiver[]) {
    if (!actor.adsb) throw new TypeError(`${actor.id} has no transponder`);
    const { icao24, callsign, ...others } = actor.adsb;
    const own = member.id === actor.id || member.id === `${actor.id}-1` ? actor.adsb : others;
    this.member = member;
    this.periodS = actor.adsb.period_s;
    this.#voice = new AdsbVoice(own, new Chance(seedFor(member.seed, 'adsb')));
    this.#receivers = receivers;
  }

  speak(sky: Sky): void {
    const broadcast = this.#count++;
    const { body } = this.member;
    if (this.#receivers.length === 0 || !isHeard(this.member, sky)) return;
    const place = sky.site.placeOf(sky.eastM(body), sky.northM(body), sky.heightM(body));
    const { courseDeg, speedMps } = motionOf(body, sky, place.latDeg, place.lonDeg);
    const climbMps = sky.air.climbMps[body] as number;
    const lines = this.#voice.speak(place, courseDeg, speedMps, climbMps, sky.air.isFlying(body));
    const bytes = Buffer.from(lines, 'latin1');
    for (const receiver of this.#receivers) receiver.hear(this.member, bytes, broadcast, sky);
  }
}
