import { type Body, groundSpeed } from './flight.ts';
import type { Fields } from './messages.ts';

/** What the messages of a vehicle are made from. */
export type Condition = {
  bootS: number;
  body: Body;
  /** Above mean sea level, where the vehicle's altitude is zero. */
  groundAmslM: number;
  home: { lat: number; lon: number; altM: number } | null;
  /** It had one since its start. */
  hasFix: boolean;
  isFixLost: boolean;
  hasPosition: boolean;
  mayArm: boolean;
  landed: number;
  batteryPct: number;
};

const PREARM_CHECK = 1 << 28;
const SENSORS = 0b11_1111 | PREARM_CHECK;

/** The fields of a message that every autopilot here sends alike; null for others and for what is not known yet. */
export function telemetry(name: string, now: Condition): Fields | null {
  return builders[name]?.(now) ?? null;
}

const builders: Record<string, (now: Condition) => Fields | null> = {
  GLOBAL_POSITION_INT: (now) => ({
    time_boot_ms: bootMs(now),
    ...place(now),
    relative_alt: now.hasFix ? Math.round(now.body.altM * 1_000) : 0,
    vx: Math.round(now.body.north * 100),
    vy: Math.round(now.body.east * 100),
    vz: Math.round(-now.body.up * 100),
    hdg: Math.round(now.body.yawDeg * 100) % 36_000,
  }),
  GPS_RAW_INT: (now) => ({
    time_usec: BigInt(bootMs(now)) * 1_000n,
    fix_type: !now.hasFix ? 0 : now.isFixLost ? 1 : 6,
    ...place(now),
    eph: now.hasFix ? 121 : 65_535,
    epv: now.hasFix ? 200 : 65_535,
    vel: Math.round(groundSpeed(now.body) * 100),
    cog: courseCdeg(now.body),
    satellites_visible: now.hasFix ? 10 : 0,
  }),
  SYS_STATUS: (now) => ({
    onboard_control_sensors_present: SENSORS,
    onboard_control_sensors_enabled: SENSORS,
    onboard_control_sensors_health: now.mayArm ? SENSORS : SENSORS & ~PREARM_CHECK,
    load: 150,
    voltage_battery: Math.round(10_500 + 21 * now.batteryPct),
    current_battery: 1_500,
    battery_remaining: Math.round(now.batteryPct),
  }),
  BATTERY_STATUS: (now) => ({
    battery_function: 0,
    type: 0,
    temperature: 32_767,
    voltages: [Math.round(10_500 + 21 * now.batteryPct), ...Array.from({ length: 9 }, () => 65_535)],
    current_battery: 1_500,
    current_consumed: 0,
    energy_consumed: -1,
    battery_remaining: Math.round(now.batteryPct),
  }),
  EXTENDED_SYS_STATE: (now) => ({ vtol_state: 3, landed_state: now.landed }),
  ATTITUDE: (now) => ({ time_boot_ms: bootMs(now), yaw: (now.body.yawDeg * Math.PI) / 180 }),
  VFR_HUD: (now) => ({
    airspeed: groundSpeed(now.body),
    groundspeed: groundSpeed(now.body),
    alt: now.groundAmslM + now.body.altM,
    climb: now.body.up,
    heading: Math.round(now.body.yawDeg) % 360,
    throttle: 50,
  }),
  SYSTEM_TIME: (now) => ({ time_unix_usec: BigInt(Date.now()) * 1_000n, time_boot_ms: bootMs(now) }),
  HOME_POSITION: (now) =>
    now.home && {
      latitude: degE7(now.home.lat),
      longitude: degE7(now.home.lon),
      altitude: Math.round((now.groundAmslM + now.home.altM) * 1_000),
      q: [1, 0, 0, 0],
    },
  GPS_GLOBAL_ORIGIN: (now) =>
    now.home && {
      latitude: degE7(now.home.lat),
      longitude: degE7(now.home.lon),
      altitude: Math.round(now.groundAmslM * 1_000),
    },
};

export function degE7(degrees: number): number {
  return Math.round(degrees * 1e7);
}

export function bootMs({ bootS }: { bootS: number }): number {
  return Math.round(bootS * 1_000);
}

/** Zeros until there is a fix, as the real one sends them. */
function place(now: Condition): Fields {
  if (!now.hasFix) return { lat: 0, lon: 0, alt: 0 };
  const { lat, lon, altM } = now.body;
  return { lat: degE7(lat), lon: degE7(lon), alt: Math.round((now.groundAmslM + altM) * 1_000) };
}

function courseCdeg(body: Body): number {
  const course = (Math.atan2(body.east, body.north) * 18_000) / Math.PI;
  return Math.round(course + 36_000) % 36_000;
}
