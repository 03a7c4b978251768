import type { Classification, ObservationDocument } from '../../model/observation.ts';
import type { OdidMessage, OdidTag } from './odid/message.ts';

/** Origin of a MAVLink message. */
export type MavlinkSource = {
  sysid: number;
  compid: number;
  seq: number;
  /** True only where the signature was checked with this link's key and was fresh. */
  signed: boolean;
  /** The message is signed, and the link has no key to check the signature. */
  unchecked?: true;
};

export type MavlinkHeartbeat = MavlinkSource & {
  kind: 'heartbeat';
  type: number;
  autopilot: number;
  baseMode: number;
  customMode: number;
  systemStatus: number;
  mavlinkVersion: number;
};

/** GLOBAL_POSITION_INT: a vehicle's own telemetry. Null stands for the wire's sentinel of an unknown value. */
export type MavlinkGlobalPosition = MavlinkSource & {
  kind: 'global_position';
  timeBootMs: number;
  latDeg: number | null;
  lonDeg: number | null;
  altMslM: number;
  relativeAltM: number;
  vNorthMps: number;
  vEastMps: number;
  vDownMps: number;
  headingDeg: number | null;
};

/** One Open Drone ID message, or all of a pack's in their order, about one aircraft. */
export type OdidReport = MavlinkSource & {
  kind: 'odid';
  tag: OdidTag;
  /** True where the messages came as one MESSAGE_PACK. */
  pack: boolean;
  messages: OdidMessage[];
};

/** Any other known MAVLink message with a good checksum; `payload` is zero-filled to the message's full length. */
export type MavlinkOther = MavlinkSource & { kind: 'mavlink'; msgid: number; name: string; payload: Uint8Array };

export type MavlinkMessage = MavlinkHeartbeat | MavlinkGlobalPosition | OdidReport | MavlinkOther;

/** A JSON line of an ESP32 Remote ID receiver (mesh-detect format). Unknowns are null, sentinels are gone. */
export type OdidJsonLine = {
  kind: 'odid_json';
  mac: string;
  rssiDbm: number | null;
  latDeg: number | null;
  lonDeg: number | null;
  altGeoM: number | null;
  operatorLatDeg: number | null;
  operatorLonDeg: number | null;
  basicId: string | null;
  /** `node_id` of a mesh receiver, if it names itself. */
  receiver: string | null;
  channelHz: number | null;
};

/** A BaseStation (SBS-1) MSG line. Units are SI; absent fields are null. */
export type SbsMessage = {
  kind: 'sbs';
  transmission: number;
  /** Six upper-case hex digits; `nonIcao` is true for addresses that are not an ICAO allocation (a leading ~). */
  icao24: string;
  nonIcao: boolean;
  callsign: string | null;
  /** Pressure altitude, metres at 1013.25 hPa. */
  altPressureM: number | null;
  speedMps: number | null;
  courseDeg: number | null;
  latDeg: number | null;
  lonDeg: number | null;
  climbMps: number | null;
  squawk: string | null;
  emergency: boolean | null;
  onGround: boolean | null;
};

/** State of an ADS-B transponder, as its receiver joined it: more than an SBS line has. Units are SI, absent values null. */
export type AdsbReport = Omit<SbsMessage, 'kind' | 'transmission' | 'squawk'> & {
  kind: 'adsb';
  /** Height above the ellipsoid, by the aircraft's own satellite receiver. */
  altHaeM: number | null;
  sigmaHM: number | null;
  /** Letter and digit of DO-260B, such as `B6` for an unmanned aircraft, and the class that it stands for. */
  category: string | null;
  emitter: Classification['type'] | null;
};

/** An ADS-B report with the UTC at which its receiver took the position, ms; null where it does not say. */
export type DatedAdsbReport = AdsbReport & { sourceMs: number | null };

/** The box's own position and time, from NMEA RMC, GGA, GNS or ZDA with a good checksum. */
export type NmeaFix = {
  kind: 'nmea_fix';
  sentence: string;
  /** Null where the receiver has no fix. */
  latDeg: number | null;
  lonDeg: number | null;
  altMslM: number | null;
  geoidSeparationM: number | null;
  speedMps: number | null;
  courseDeg: number | null;
  hdop: number | null;
  satellites: number | null;
  /**
   * UTC milliseconds; only from a sentence that carries both date and time, and has a fix (RMC) or no place for one (ZDA).
   */
  utcMs: number | null;
  /** Like `utcMs`, where the date is before 2020: the receiver has no date yet, or lost count of the GPS weeks. */
  refusedUtcMs: number | null;
};

/** A row of an obs_json link that passed the observation schema. */
export type ObservationRow = { kind: 'observation'; row: ObservationDocument };

/** A bare 25-byte F3411 message or a bare pack, one a datagram or a line of hex. */
export type OdidRawReport = { kind: 'odid_raw'; pack: boolean; messages: OdidMessage[] };

/** An event of Cursor on Target about an object in the air. Unknowns are null, sentinels are gone; times are UTC ms. */
export type CotMessage = {
  kind: 'cot';
  uid: string;
  /** Type of the object, such as `a-u-A-M-H-Q`; the second letter is what the sender takes it for. */
  type: string;
  how: string;
  timeMs: number;
  startMs: number;
  staleMs: number;
  latDeg: number;
  lonDeg: number;
  altHaeM: number | null;
  /** Errors of the place and of the height, 1 sigma. */
  ceM: number | null;
  leM: number | null;
  courseDeg: number | null;
  speedMps: number | null;
  callsign: string | null;
  remarks: string | null;
};
