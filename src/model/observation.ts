import { z } from 'zod';
import {
  altAglM,
  altHaeM,
  altMslM,
  between,
  courseDeg,
  heightTakeoffM,
  lat,
  lon,
  positiveUpTo,
  sigmaM,
  textUpTo,
  timestamp,
  unitInterval,
} from './scalar.ts';
import type { Track } from './track.ts';

export const reports = ['position', 'range_bearing', 'bearing', 'presence', 'identity'] as const;
export type Report = (typeof reports)[number];

/**
 * Types of identities. `external` is the number that another system gives to a track. This number is valid within one
 * link, and does not identify the aircraft.
 */
export const identityTypes = [
  'serial',
  'caa',
  'utm',
  'session',
  'mac',
  'icao24',
  'callsign',
  'mavlink',
  'external',
] as const;
export const identityTransports = [
  'bt4',
  'bt5',
  'wifi_beacon',
  'wifi_nan',
  'network',
  'mavlink',
  'adsb',
  'other',
] as const;
export const classificationTypes = [
  'multirotor',
  'fixed_wing',
  'vtol',
  'helicopter',
  'glider',
  'airship',
  'balloon',
  'bird',
  'crewed_aircraft',
  'person',
  'vehicle',
  'other',
] as const;
export const flightStatuses = ['undeclared', 'ground', 'airborne', 'emergency', 'rid_failure'] as const;
export const operatorTypes = ['takeoff', 'live_gnss', 'fixed'] as const;

export const identitySchema = z.strictObject({
  type: z.enum(identityTypes),
  value: textUpTo(120),
  transport: z.enum(identityTransports),
});
export const classificationSchema = z.strictObject({
  type: z.enum(classificationTypes),
  confidence: unitInterval,
  model: z.string().max(120).nullish(),
});
/** Pilot of an aircraft. `lat` and `lon` are null if only the pilot's id is known. */
export const operatorSchema = z.strictObject({
  lat: lat.nullable(),
  lon: lon.nullable(),
  alt_hae_m: altHaeM.nullish(),
  type: z.enum(operatorTypes),
  operator_id: z.string().max(120).nullish(),
});
export const takeoffSchema = z.strictObject({ lat, lon, alt_hae_m: altHaeM.nullish() });

export type Identity = z.infer<typeof identitySchema>;
export type Classification = z.infer<typeof classificationSchema>;
export type Operator = z.infer<typeof operatorSchema>;
export type Takeoff = z.infer<typeof takeoffSchema>;
export type FlightStatus = (typeof flightStatuses)[number];

/** Observation as its source writes it: one row of `POST /api/ingest/obs` or of an `obs_json` link. */
export const observationSchema = z
  .strictObject({
    obs_id: textUpTo(120).nullish().describe("the source's own id; one seen in the last 10 minutes is a duplicate"),
    sensor_id: textUpTo(120).describe('id or name of a declared sensor'),
    source_at: timestamp.nullish(),
    report: z.enum(reports),
    position: z
      .strictObject({
        lat,
        lon,
        alt_hae_m: altHaeM.nullish(),
        alt_msl_m: altMslM.nullish(),
        alt_agl_m: altAglM.nullish(),
        height_takeoff_m: heightTakeoffM.nullish(),
      })
      .nullish(),
    range_m: between(0, 1_000_000).nullish(),
    azimuth_deg: courseDeg.nullish(),
    elevation_deg: between(-90, 90).nullish(),
    sigma: z
      .strictObject({
        h_m: sigmaM.nullish(),
        v_m: sigmaM.nullish(),
        range_m: sigmaM.nullish(),
        azimuth_deg: positiveUpTo(180).nullish(),
        elevation_deg: positiveUpTo(90).nullish(),
        speed_mps: positiveUpTo(1_000).nullish(),
      })
      .nullish(),
    velocity: z
      .strictObject({
        speed_mps: between(0, 2_000).nullish(),
        course_deg: courseDeg.nullish(),
        climb_mps: between(-1_000, 1_000).nullish(),
      })
      .nullish(),
    identity: z.array(identitySchema).max(16).nullish(),
    classification: z.array(classificationSchema).max(16).nullish(),
    operator: operatorSchema.nullish(),
    takeoff: takeoffSchema.nullish(),
    signal: z
      .strictObject({
        rssi_dbm: between(-200, 50).nullish(),
        center_hz: positiveUpTo(1e12).nullish(),
        bandwidth_hz: positiveUpTo(1e12).nullish(),
      })
      .nullish(),
    status: z.enum(flightStatuses).nullish(),
    confidence: unitInterval.nullish(),
  })
  .describe('Observation of one sensor');
export type ObservationDocument = z.infer<typeof observationSchema>;

/** Affiliation that another system states for a track. Dunlin shows it, but bases no decision on it. */
export type Claim = {
  /** Name of the other system, as operators know it. */
  source: string;
  says: Track['affiliation'];
  /** True if the link proves its sender. Only then may an asset be identified by the other system's number. */
  fromProven: boolean;
};

/** Id of an object, with the id of the SAPIENT node that reports it. */
export type ObjectRef = { nodeId: string; objectId: string };

/**
 * Origin of a track that another fusion system reports. The errors of such a track may be correlated with the errors of
 * any other report.
 */
export type Lineage = {
  /** Id of the sensor that represents the other system in Dunlin. */
  sensorId: string;
  nodeId: string;
  /** The other system's own number of the track; null if that system keeps no tracks. */
  objectId: string | null;
  /** Identity that the other system states for the aircraft, for example its serial; null if none is stated. */
  identity: string | null;
  /** Objects of other nodes from which the track was derived. */
  derivedFrom: readonly ObjectRef[];
};

/**
 * Use of an observation by the core:
 *
 * - `measure`: updates a track
 * - `repeat`: repeats an earlier report through another receiver; only adds this receiver to the track
 * - `contradiction`: has the position and time of an earlier report, but other content
 * - `evidence`: was refused, but shows the behaviour of its transmitter
 * - `scan`: is not a report; marks the start of a new scan of a rotating sensor
 */
export type ObservationUse = 'measure' | 'repeat' | 'contradiction' | 'evidence' | 'scan';

/**
 * Observation inside the service, from a feed to the core. Every field is present; unknown values are null. Times are
 * world time, ms: the box's UTC at the start plus monotonic time since then. The exception is `sourceMs`, in the time
 * of the source's own clock.
 */
export type Observation = {
  obsId: string | null;
  sensorId: string;
  linkId: string | null;
  report: Report;
  receivedMs: number;
  /**
   * Estimated time of the measurement: `sourceMs` corrected by the learnt clock offset of the source, or else the time
   * of arrival.
   */
  timeMs: number;
  sourceMs: number | null;
  /** True if the source has a time field and states in it that the time is unknown. */
  isUndated: boolean;
  /** See `ObservationUse`. */
  use: ObservationUse;
  /** Number of the scan (revolution) of a rotating sensor; null if unknown. */
  scan: number | null;
  latDeg: number | null;
  lonDeg: number | null;
  altHaeM: number | null;
  altMslM: number | null;
  altAglM: number | null;
  heightTakeoffM: number | null;
  rangeM: number | null;
  azimuthDeg: number | null;
  elevationDeg: number | null;
  sigmaHM: number | null;
  sigmaVM: number | null;
  sigmaRangeM: number | null;
  sigmaAzimuthDeg: number | null;
  sigmaElevationDeg: number | null;
  sigmaSpeedMps: number | null;
  speedMps: number | null;
  courseDeg: number | null;
  climbMps: number | null;
  identities: Identity[];
  /**
   * True for a MAVLink report over a link that proves its sender (`provesSender` in link.ts), or with a valid
   * signature. False for every other protocol.
   */
  authentic: boolean;
  classification: Classification[];
  operator: Operator | null;
  takeoff: Takeoff | null;
  rssiDbm: number | null;
  centerHz: number | null;
  bandwidthHz: number | null;
  status: FlightStatus | null;
  /**
   * True if the aircraft is on the ground, as its autopilot reports in an authentic message (`authentic`). Null from
   * any other source.
   */
  landed: boolean | null;
  confidence: number | null;
  /** Affiliation that another system states; null from any other source. */
  claim: Claim | null;
  /** Origin of a track that another fusion system reports; null for every other observation. */
  lineage: Lineage | null;
};
