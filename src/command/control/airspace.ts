import { haeOfMsl } from '../../geo/geoid.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Refusal, VehicleType } from '../../model/fleet.ts';
import type { PlatformPerformance } from '../../model/performance.ts';
import type { Track } from '../../model/track.ts';
import type { Zone } from '../../model/zone.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import { isMovement } from '../fleet/verbs.ts';
import { moveRefusal } from '../safety/check.ts';
import { type Course, courseOf } from '../safety/course.ts';
import { type Fence, fencesOf, type Heights, holding } from '../safety/fence.ts';
import { wayOf } from '../safety/move.ts';
import { nearbyOf } from '../safety/nearby.ts';
import type { OwnPlatform } from '../safety/own_traffic.ts';
import { energyRefusal } from '../safety/way_home.ts';
import { ownState } from '../tasks/fly.ts';
import type { FlyPlace, Way } from './rim.ts';

export type AirspaceRim = {
  fleet: Fleet;
  nowMs(): number;
  utcMs(worldMs: number): number;
  policy(): DecisionPolicy;
  tracks(): readonly Track[];
  zones(): readonly Zone[];
  performance(assetId: string): PlatformPerformance;
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
};

/** What a vehicle flies where nobody says how fast it is. */
const usualMps: Partial<Record<VehicleType, number>> = { fixed_wing: 18, vtol: 18 };
const USUAL_MPS = 10;
/** Tracks are laid out anew no more often: several vehicles are checked within one second. */
const COURSES_FOR_MS = 200;

/** What is in the air and around it now, for movements of ours to be held against. */
export class Airspace {
  readonly #rim: AirspaceRim;
  readonly #heights: Heights;
  #fences: readonly Fence[] | null = null;
  #courses: { of: readonly Course[]; atMs: number } = { of: [], atMs: Number.NEGATIVE_INFINITY };

  constructor(rim: AirspaceRim) {
    this.#rim = rim;
    this.#heights = { groundAltHaeM: (latDeg, lonDeg) => rim.groundAltHaeM(latDeg, lonDeg), haeOfMsl };
  }

  /** Zones, or what says how high the ground is, are others now. */
  zonesChanged(): void {
    this.#fences = null;
  }

  /** Why a vehicle must not take a way, null where nothing stands against it; `sent` are those that go first. */
  refusal(vehicle: Vehicle, assetId: string, way: Way, sent?: ReadonlyMap<Vehicle, Way>): Refusal | null {
    return this.blocked(vehicle, assetId, way, sent) ?? this.#lowEnergy(vehicle, assetId, way);
  }

  /** The same but for its energy, which no way round anything saves: what steering asks of several ways. */
  blocked(vehicle: Vehicle, assetId: string, way: Way, sent: ReadonlyMap<Vehicle, Way> = new Map()): Refusal | null {
    const { policy, performance } = this.#rim;
    const figures = performance(assetId);
    const from = this.#beginning(vehicle, way);
    const asked = { from, to: way.to, speedMps: way.speedMps ?? this.speedOf(vehicle, figures), verb: way.verb };
    return moveRefusal(asked, {
      fences: this.#holding(),
      courses: this.courses().filter((course) => !isOwnWord(course, vehicle)),
      platforms: this.#platforms(vehicle, sent),
      policy: policy(),
      assetId,
      reach: { performance: figures, home: homeOf(vehicle), box: homeOf(vehicle), heights: this.#heights },
      ...(way.standoffM === undefined ? {} : { standoffM: way.standoffM }),
    });
  }

  /** What lies near a way that may be flown, in sentences for whoever approves it. */
  risks(vehicle: Vehicle, assetId: string, way: Way): string[] {
    const from = this.#beginning(vehicle, way);
    if (!from) return [];
    const { name } = this.#rim.fleet.standing(vehicle);
    const speedMps = way.speedMps ?? this.speedOf(vehicle, this.#rim.performance(assetId));
    const others = this.courses().filter(({ track }) => track.asset_id === null || track.asset_id !== assetId);
    return nearbyOf(name, wayOf({ from, to: way.to }), speedMps, { fences: this.#holding(), courses: others });
  }

  #lowEnergy(vehicle: Vehicle, assetId: string, { verb, from, to, speedMps }: Way): Refusal | null {
    const [own, home] = [this.#place(vehicle), homeOf(vehicle)];
    if (own === null || home === null || !isMovement(verb) || verb === 'land') return null;
    return energyRefusal(
      { own, from: from ?? null, to, home, speedMps },
      {
        performance: this.#rim.performance(assetId),
        vehicleType: vehicle.type,
        energyPct: vehicle.energyPct?.value ?? null,
        enduranceS: null,
        reservePct: this.#rim.policy().engagement.reserve_pct,
      },
    );
  }

  #beginning(vehicle: Vehicle, { from }: Way): FlyPlace | null {
    return from ?? this.#place(vehicle);
  }

  #place(vehicle: Vehicle): FlyPlace | null {
    const own = ownState(vehicle, this.#rim.nowMs());
    return own && { lat: own.lat, lon: own.lon, altHaeM: own.altHaeM };
  }

  #holding(): readonly Fence[] {
    this.#fences ??= fencesOf(this.#rim.zones(), this.#heights);
    return holding(this.#fences, this.#rim.utcMs(this.#rim.nowMs()));
  }

  /** How fast it flies where a command does not say, and may. */
  speedOf(vehicle: Vehicle, figures: PlatformPerformance): number {
    const usual = figures.cruise_speed_mps ?? figures.max_speed_mps ?? usualMps[vehicle.type] ?? USUAL_MPS;
    return Math.min(usual, this.#rim.policy().limits.max_speed_mps);
  }

  courses(): readonly Course[] {
    const nowMs = this.#rim.nowMs();
    if (nowMs - this.#courses.atMs < COURSES_FOR_MS) return this.#courses.of;
    const utcMs = this.#rim.utcMs(nowMs);
    this.#courses = { of: this.#rim.tracks().flatMap((track) => courseOf(track, utcMs) ?? []), atMs: nowMs };
    return this.#courses.of;
  }

  #platforms(mover: Vehicle, sent: ReadonlyMap<Vehicle, Way>): OwnPlatform[] {
    const { fleet, nowMs } = this.#rim;
    return fleet.vehicles().flatMap((vehicle): OwnPlatform[] => {
      const own = vehicle === mover || !fleet.assetOf(vehicle) ? null : ownState(vehicle, nowMs());
      if (own === null) return [];
      const sentTo = sent.get(vehicle) ?? vehicle.sentTo;
      return [
        {
          name: fleet.standing(vehicle).name,
          position: { lat: own.lat, lon: own.lon, altHaeM: own.altHaeM },
          velocity: { eastMps: own.eastMps, northMps: own.northMps, climbMps: own.upMps },
          goesTo: sentTo && { to: sentTo.to, speedMps: sentTo.speedMps ?? this.speedOf(vehicle, {}) },
          onGround: !vehicle.isFlying && !sent.has(vehicle),
        },
      ];
    });
  }
}

/** Where it took off; what stands on the ground and has not said so takes off from there. */
function homeOf(vehicle: Vehicle): { lat: number; lon: number; altHaeM: number } | null {
  const { home, position } = vehicle;
  if (home) return { lat: home.latDeg, lon: home.lonDeg, altHaeM: haeOfMsl(home.altMslM, home.latDeg, home.lonDeg) };
  if (!position || vehicle.landedState !== 'on_ground') return null;
  const { latDeg, lonDeg, altMslM } = position.value;
  if (latDeg === null || lonDeg === null) return null;
  return { lat: latDeg, lon: lonDeg, altHaeM: haeOfMsl(altMslM, latDeg, lonDeg) };
}

/**
 * A track that is made of the vehicle's own telemetry is the vehicle, also on a link that proves nobody and so makes no friend.
 * Its serial does not count: whoever carries that on the air could come as near as he liked.
 */
function isOwnWord({ track }: Course, { endpoints, sysid, compid }: Vehicle): boolean {
  const names = endpoints.all().map(({ linkId }) => `mavlink:${linkId}:${sysid}:${compid}`);
  return track.identities.some(({ type, value }) => type === 'mavlink' && names.includes(value));
}
