import type { Address, Faults } from './link.ts';

/** Seconds after power on at which the vehicle knows more. */
export type BootTimes = {
  heartbeatS: number;
  standbyS: number;
  fixS: number;
  homeS: number;
  prearmS: number;
  positionS: number;
};

/** As measured on a simulated autopilot. */
export const MEASURED_BOOT: BootTimes = {
  heartbeatS: 1.5,
  standbyS: 3.5,
  fixS: 10.5,
  homeS: 20.5,
  prearmS: 23.5,
  positionS: 42,
};

/** The same order in a moment, so that tests need not wait. */
export const SHORT_BOOT: BootTimes = {
  heartbeatS: 0,
  standbyS: 0.1,
  fixS: 0.15,
  homeS: 0.2,
  prearmS: 0.25,
  positionS: 0.3,
};

export const READY_BOOT: BootTimes = { heartbeatS: 0, standbyS: 0, fixS: 0, homeS: 0, prearmS: 0, positionS: 0 };

export type VehicleOptions = {
  groundStation: Address;
  sysid?: number;
  at?: { lat: number; lon: number };
  /** Of the ground where it stands, above mean sea level. */
  groundAmslM?: number;
  yawDeg?: number;
  /** Its time passes by `tick` only. */
  manual?: boolean;
  /** Steps a second where its time is the real one. */
  hz?: number;
  /** Seconds of the vehicle in a second of the world. */
  speed?: number;
  faults?: Faults;
  /** On the ground and ready to arm at once. */
  ready?: boolean;
  boot?: Partial<BootTimes>;
  /** Between the reboot command and the first sign of life. */
  rebootS?: number;
  ackDelayMs?: number;
  /** Obeys this system id only and is silent to others. */
  obeys?: number | null;
  /** Returns when this station's heartbeats stay away; off by default, as it is in the autopilots. */
  gcsFailsafe?: { sysid: number; afterS?: number } | null;
  battery?: { percent?: number; drainPctPerMin?: number };
  /** Sends its own Remote ID with this serial; an empty one until a ground station says more. */
  remoteId?: string | null;
  /** Signs what it sends and obeys nothing unsigned. */
  key?: Buffer | null;
  /** Obeys what is not signed as well, as ArduPilot does on USB. */
  obeysUnsigned?: boolean;
  /** Of AUTOPILOT_VERSION; each vehicle has its own by default. */
  uid2?: number[];
  /** False where the autopilot refuses a number that is none instead of dying of it. */
  trapsNaN?: boolean;
  /** The fastest it can fly. */
  maxSpeedMps?: number;
  /** The speed it flies at unless told otherwise. */
  cruiseMps?: number;
};
