import type { Connection } from '../model/asset.ts';
import type { FleetRow, Readiness, VerbState } from '../model/fleet.ts';
import type { PlatformPerformance } from '../model/performance.ts';
import type { Provenance } from '../model/track.ts';
import { normaliseDeg } from '../model/units.ts';
import { boundsOf, kindsOf, type Verb } from '../model/verb.ts';
import { FRESH_MS, KEY_MISSING, ownerOf, SILENT_AFTER_MS, type Standing, whyNot } from './available.ts';
import { whyNoPlace } from './fix.ts';
import { geodeticOf } from './msl_position.ts';
import type { Vehicle } from './vehicle.ts';

/** Silence after which a vehicle is offline, ms. */
const OFFLINE_MS = 30_000;
/**
 * Age from which a reported charge is unknown, ms. A battery drains by then, and the vehicle would be sent too far.
 * Refusals for low energy keep the last charge: it is at most that.
 */
const ENERGY_AGED_MS = 30_000;
/** Ground speed from which a course is published, m/s. At lower speeds the course is noise. */
const COURSE_FROM_MPS = 0.5;

type RowFacts = {
  standing: Standing;
  assetId: string | null;
  linkId: string | null;
  linkIds: string[];
  advertised: readonly Verb[];
  enduranceS: number | null;
  performance: PlatformPerformance;
  taskId: string | null;
  groundAltHaeM: number | null;
  provenance: Provenance;
  timeText(worldMs: number): string;
};

/** Returns the row of a vehicle for clients. */
export function fleetRow(vehicle: Vehicle, facts: RowFacts, nowMs: number): FleetRow {
  const { standing } = facts;
  const verbs = facts.advertised.map((verb): VerbState => {
    const refusal = whyNot(verb, vehicle, standing, nowMs);
    const { reason = null, text = null } = refusal ?? {};
    const limits = boundsOf(verb, facts.performance);
    return { verb, available: refusal === null, reason, text, params: kindsOf(verb), limits };
  });
  const connection = connectionOf(vehicle, nowMs);
  return {
    key: vehicle.key ?? '',
    aliases: [...vehicle.aliases],
    asset_id: facts.assetId,
    name: standing.name,
    adopted: standing.adopted,
    connection,
    readiness: readinessOf(vehicle, connection, facts.taskId, verbs, standing.ignoresUs),
    autopilot: vehicle.autopilot,
    vehicle_type: vehicle.type,
    sysid: vehicle.sysid,
    compid: vehicle.compid,
    link_id: facts.linkId,
    link_ids: facts.linkIds,
    mode: vehicle.mode.name,
    armed: vehicle.armed,
    landed: vehicle.landedState,
    position: positionOf(vehicle, facts.groundAltHaeM),
    velocity: velocityOf(vehicle),
    home: homeOf(vehicle),
    energy_pct: energyOf(vehicle, nowMs),
    endurance_s: facts.enduranceS === null ? null : Math.round(facts.enduranceS),
    control: { owner: ownerOf(vehicle, standing.otherStation) },
    verbs,
    task_id: facts.taskId,
    health: healthOf(vehicle, standing, nowMs),
    last_seen_at: facts.timeText(vehicle.lastMs),
    provenance: facts.provenance,
  };
}

/** Reported charge, %; null if there is none, or it is too old. */
export function energyOf({ energyPct }: Vehicle, nowMs: number): number | null {
  return energyPct !== null && nowMs - energyPct.atMs < ENERGY_AGED_MS ? energyPct.value : null;
}

/** Fingerprint of the state on which people act, without the position. A change triggers a publication. */
export function stateOf({ heartbeat, landed, position, prearmOk, reboots, key }: Vehicle): string {
  const { baseMode, customMode, systemStatus } = heartbeat.value;
  return `${baseMode} ${customMode} ${systemStatus} ${landed?.value} ${(position?.value.latDeg ?? null) === null} ${prearmOk?.value} ${reboots} ${key}`;
}

export function connectionOf(vehicle: Vehicle, nowMs: number): Connection {
  const silentMs = nowMs - vehicle.receivedMs;
  return silentMs <= SILENT_AFTER_MS ? 'online' : silentMs <= OFFLINE_MS ? 'stale' : 'offline';
}

function readinessOf(
  vehicle: Vehicle,
  connection: Connection,
  taskId: string | null,
  verbs: VerbState[],
  isUnheeded: boolean,
): Readiness {
  if (connection === 'offline' || connection === 'stale') return 'unknown';
  if (vehicle.isCritical) return 'fault';
  if (taskId !== null) return 'busy';
  if (isUnheeded) return 'not_ready';
  if (vehicle.position === null) return 'unknown';
  const needed = vehicle.isFlying ? 'goto' : 'takeoff';
  return verbs.some(({ verb, available }) => verb === needed && available) ? 'ready' : 'not_ready';
}

function positionOf({ place, position }: Vehicle, groundAltHaeM: number | null): FleetRow['position'] {
  if (!place || !position) return null;
  const { latDeg, lonDeg, altHaeM } = geodeticOf(place);
  return {
    lat: latDeg,
    lon: lonDeg,
    alt_hae_m: round(altHaeM, 1),
    alt_msl_m: round(place.altMslM, 1),
    alt_agl_m: groundAltHaeM === null ? null : round(altHaeM - groundAltHaeM, 1),
    height_takeoff_m: round(position.value.relativeAltM, 1),
  };
}

function velocityOf({ position }: Vehicle): FleetRow['velocity'] {
  if (position === null) return null;
  const { vNorthMps, vEastMps, vDownMps } = position.value;
  const speed = Math.hypot(vNorthMps, vEastMps);
  const course = normaliseDeg(round((Math.atan2(vEastMps, vNorthMps) * 180) / Math.PI, 1));
  return {
    speed_mps: round(speed, 1),
    course_deg: speed < COURSE_FROM_MPS ? null : course,
    climb_mps: round(-vDownMps, 1) || 0,
  };
}

function homeOf({ home }: Vehicle): FleetRow['home'] {
  return home && { lat: home.latDeg, lon: home.lonDeg, alt_msl_m: round(home.altMslM, 1) };
}

/** Faults of a vehicle, and its own status texts. */
function healthOf(vehicle: Vehicle, standing: Standing, nowMs: number): FleetRow['health'] {
  const health: FleetRow['health'] = [];
  if (standing.conflict !== null) health.push({ severity: 'critical', text: standing.conflict });
  if (standing.ignoresUs) health.push({ severity: 'warning', text: KEY_MISSING });
  if (standing.disbelieved !== null) health.push({ severity: 'warning', text: standing.disbelieved });
  if (vehicle.isCritical) {
    health.push({ severity: 'critical', text: 'the vehicle reports a critical fault' });
  }
  const { position } = vehicle;
  if (position !== null && nowMs - position.atMs > FRESH_MS)
    health.push({ severity: 'warning', text: 'the last position of the vehicle is more than 3 s old' });
  const fix = fixFault(vehicle, nowMs);
  if (fix !== null) health.push({ severity: 'warning', text: fix });
  if (vehicle.armRefusal) health.push({ severity: 'warning', text: `Remote ID: ${vehicle.armRefusal.value}` });
  for (const { severity, text } of vehicle.texts(nowMs)) {
    health.push({ severity: severity <= 2 ? 'critical' : severity <= 4 ? 'warning' : 'info', text });
  }
  return health;
}

function fixFault(vehicle: Vehicle, nowMs: number): string | null {
  const { fixType } = vehicle;
  const isFlat = fixType !== null && fixType.value < 3;
  return whyNoPlace(vehicle, nowMs) ?? (isFlat ? 'the vehicle has no position fix in three dimensions' : null);
}

function round(value: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.round(value * unit) / unit;
}
