import type { Fleet } from '../../fleet/fleet.ts';
import { geodeticOf } from '../../fleet/msl_position.ts';
import type { Vehicle } from '../../fleet/vehicle.ts';
import { type Heights, haeOfMsl } from '../../geo/geoid.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Refusal, VehicleType } from '../../model/fleet.ts';
import type { PlatformPerformance } from '../../model/performance.ts';
import type { Track } from '../../model/track.ts';
import { isMovement, verbs } from '../../model/verb.ts';
import type { Zone } from '../../model/zone.ts';
import type { Leg } from '../deps.ts';
import { ownState, silentState } from '../own_state.ts';
import { moveRefusal } from './check.ts';
import { CREWED_AHEAD_S, mayBeCrewed } from './crewed.ts';
import { energyRefusal } from './energy.ts';
import { type Fence, fencesOf, holding } from './fence.ts';
import { spansIn } from './keep_out.ts';
import { motionOf, nearestMeeting } from './motion.ts';
import { type LocalLeg, localLegOf, metres } from './move.ts';
import type { OwnPlatform } from './own_traffic.ts';
import { type Path, pathOf, pathOn, staysClear } from './path.ts';

/** Distance from a leg within which a risk is reported although the leg may be flown, m. */
const KEEP_OUT_NEAR_M = 50;
const CREWED_NEAR_M = 2_000;
/**
 * Height difference so large that no aircraft is left out, m: the approving person must know of aircraft at any height.
 */
const ANY_HEIGHT_M = 100_000;

/** Returns sentences about risks near a leg that may be flown: keep-out zones, and aircraft with people on board. */
export function nearbyOf(
  name: string,
  leg: LocalLeg,
  speedMps: number,
  { fences, paths }: { fences: readonly Fence[]; paths: readonly Path[] },
): string[] {
  return [
    ...fences.flatMap((fence) => (isNear(leg, fence) ? [keepOut(name, fence)] : [])),
    ...paths.flatMap((path) => crewed(name, leg, speedMps, path) ?? []),
  ];
}

function isNear(leg: LocalLeg, fence: Fence): boolean {
  if (fence.zone.kind !== 'keep_out') return false;
  const drawn = fence.footprint.on(leg.chart, leg.groundM + KEEP_OUT_NEAR_M);
  return drawn !== null && spansIn(leg, fence, drawn, KEEP_OUT_NEAR_M, KEEP_OUT_NEAR_M).length > 0;
}

function keepOut(name: string, { zone }: Fence): string {
  return `The path of ${name} comes within ${KEEP_OUT_NEAR_M} m of the keep-out zone ${zone.name}.`;
}

function crewed(name: string, leg: LocalLeg, speedMps: number, course: Path): string | null {
  if (!mayBeCrewed(course.track) || staysClear(course, leg, CREWED_NEAR_M)) return null;
  const theirs = pathOn(course, leg.chart, 0, CREWED_AHEAD_S);
  const meeting = nearestMeeting(motionOf(leg, speedMps), theirs, CREWED_AHEAD_S, ANY_HEIGHT_M);
  if (!meeting || meeting.distanceM > CREWED_NEAR_M) return null;
  return `The crewed aircraft ${course.track.number} comes within ${metres(meeting.distanceM)} of ${name} on its path.`;
}

export type AirspaceDeps = {
  fleet: Fleet;
  nowMs(): number;
  utcMs(worldMs: number): number;
  policy(): DecisionPolicy;
  tracks(): readonly Track[];
  zones(): readonly Zone[];
  performance(assetId: string): PlatformPerformance;
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
};

/** Cruise speeds of vehicles whose performance data contain neither a cruise speed nor a greatest speed, m/s. */
const usualMps: Partial<Record<VehicleType, number>> = { fixed_wing: 18, vtol: 18 };
const USUAL_MPS = 10;
/** Time for which the paths of all tracks are cached, ms: several vehicles are checked within one second. */
const PATHS_FOR_MS = 200;

/** Checks our movements against the current airspace: tracks, zones and our own platforms. */
export class Airspace {
  readonly #deps: AirspaceDeps;
  readonly #heights: Heights;
  #fences: readonly Fence[] | null = null;
  #paths: { of: readonly Path[]; atMs: number } = { of: [], atMs: Number.NEGATIVE_INFINITY };

  constructor(deps: AirspaceDeps) {
    this.#deps = deps;
    this.#heights = { groundAltHaeM: (latDeg, lonDeg) => deps.groundAltHaeM(latDeg, lonDeg), haeOfMsl };
  }

  /** Call this when zones or ground heights have changed. */
  zonesChanged(): void {
    this.#fences = null;
  }

  /** Returns the refusal of a leg; null if it may be flown. `sent`: legs of vehicles that are sent before this one. */
  refusal(vehicle: Vehicle, assetId: string, leg: Leg, sent?: ReadonlyMap<Vehicle, Leg>): Refusal | null {
    return this.blocked(vehicle, assetId, leg, sent) ?? this.#lowEnergy(vehicle, assetId, leg);
  }

  /** Like `refusal`, but without the check of energy. Guidance compares several legs, and no detour saves energy. */
  blocked(vehicle: Vehicle, assetId: string, leg: Leg, sent: ReadonlyMap<Vehicle, Leg> = new Map()): Refusal | null {
    const { policy, performance } = this.#deps;
    const figures = performance(assetId);
    const from = this.#beginning(vehicle, leg);
    const asked = { from, to: leg.to, speedMps: leg.speedMps ?? this.speedOf(vehicle, figures), verb: leg.verb };
    return moveRefusal(asked, {
      fences: this.#holding(),
      paths: this.courses().filter((path) => !isOwnTelemetry(path, vehicle)),
      platforms: this.#platforms(vehicle, sent),
      policy: policy(),
      assetId,
      reach: { performance: figures, home: homeOf(vehicle), box: homeOf(vehicle), heights: this.#heights },
      ...(leg.standoffM === undefined ? {} : { standoffM: leg.standoffM }),
    });
  }

  /** Returns sentences for the approving person about risks near a leg that may be flown. */
  risks(vehicle: Vehicle, assetId: string, leg: Leg): string[] {
    const from = this.#beginning(vehicle, leg);
    if (!from) return [];
    const { name } = this.#deps.fleet.standing(vehicle);
    const speedMps = leg.speedMps ?? this.speedOf(vehicle, this.#deps.performance(assetId));
    const others = this.courses().filter(({ track }) => track.asset_id === null || track.asset_id !== assetId);
    return nearbyOf(name, localLegOf({ from, to: leg.to }), speedMps, { fences: this.#holding(), paths: others });
  }

  #lowEnergy(vehicle: Vehicle, assetId: string, { verb, from, to, speedMps }: Leg): Refusal | null {
    const [own, home] = [this.#place(vehicle), homeOf(vehicle)];
    if (own === null || home === null || !isMovement(verb) || verbs[verb].toRest) return null;
    return energyRefusal(
      { own, from: from ?? null, to, home, speedMps },
      {
        performance: this.#deps.performance(assetId),
        vehicleType: vehicle.type,
        energyPct: vehicle.energyPct?.value ?? null,
        enduranceS: null,
        reservePct: this.#deps.policy().engagement.reserve_pct,
      },
    );
  }

  #beginning(vehicle: Vehicle, { from }: Leg): Geodetic | null {
    return from ?? this.#place(vehicle);
  }

  #place(vehicle: Vehicle): Geodetic | null {
    return ownState(vehicle, this.#deps.nowMs())?.position ?? null;
  }

  #holding(): readonly Fence[] {
    this.#fences ??= fencesOf(this.#deps.zones(), this.#heights);
    return holding(this.#fences, this.#deps.utcMs(this.#deps.nowMs()));
  }

  /** Returns the cruise speed of a vehicle for commands that give no speed, limited by the policy, m/s. */
  speedOf(vehicle: Vehicle, figures: PlatformPerformance): number {
    const usual = figures.cruise_speed_mps ?? figures.max_speed_mps ?? usualMps[vehicle.type] ?? USUAL_MPS;
    return Math.min(usual, this.#deps.policy().limits.max_speed_mps);
  }

  courses(): readonly Path[] {
    const nowMs = this.#deps.nowMs();
    if (nowMs - this.#paths.atMs < PATHS_FOR_MS) return this.#paths.of;
    const utcMs = this.#deps.utcMs(nowMs);
    this.#paths = { of: this.#deps.tracks().flatMap((track) => pathOf(track, utcMs) ?? []), atMs: nowMs };
    return this.#paths.of;
  }

  #platforms(mover: Vehicle, sent: ReadonlyMap<Vehicle, Leg>): OwnPlatform[] {
    const { fleet, nowMs } = this.#deps;
    return fleet.vehicles().flatMap((vehicle): OwnPlatform[] => {
      if (vehicle === mover || !fleet.assetOf(vehicle)) return [];
      const own = ownState(vehicle, nowMs()) ?? silentState(vehicle, nowMs());
      if (own === null) return [];
      const sentTo = sent.get(vehicle) ?? vehicle.sentTo;
      return [
        {
          name: fleet.standing(vehicle).name,
          position: own.position,
          velocity: { eastMps: own.eastMps, northMps: own.northMps, climbMps: own.upMps },
          goesTo: sentTo && { to: sentTo.to, speedMps: sentTo.speedMps ?? this.speedOf(vehicle, {}) },
          onGround: !vehicle.isFlying && !sent.has(vehicle),
        },
      ];
    });
  }
}

/**
 * Returns the take-off position of a vehicle; null if unknown. A vehicle on the ground without a reported home counts
 * as at home.
 */
function homeOf(vehicle: Vehicle): Geodetic | null {
  const home = vehicle.home ?? (vehicle.landedState === 'on_ground' ? vehicle.place : null);
  return home && geodeticOf(home);
}

/**
 * True if a track consists of the vehicle's own telemetry. Telemetry on a link that does not authenticate its senders
 * counts too, although the track there is no friend. An equal serial does not count: any transmitter could copy the
 * serial and come near.
 */
function isOwnTelemetry({ track }: Path, { endpoints, sysid, compid }: Vehicle): boolean {
  const names = endpoints.all().map(({ linkId }) => `mavlink:${linkId}:${sysid}:${compid}`);
  return track.identities.some(({ type, value }) => type === 'mavlink' && names.includes(value));
}
