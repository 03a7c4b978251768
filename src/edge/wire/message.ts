import type { Classification, ObservationDocument } from '../../model/observation.ts';
import type { OdidMessage, OdidTag } from './odid/message.ts';

/** Sender and sequence number of a MAVLink message. */
export type MavlinkSource = {
  sysid: number;
  compid: number;
  seq: number;
  /** True only if the signature was verified with the key of this link, and the frame is no replay. */
  signed: boolean;
  /** Present if the message is signed but the link has no key to verify the signature. */
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

/** GLOBAL_POSITION_INT: a vehicle's own telemetry. Null stands for the value that means unknown on the wire. */
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

/** One Open Drone ID message, or all messages of a pack in order, about one aircraft. */
export type OdidReport = MavlinkSource & {
  kind: 'odid';
  tag: OdidTag;
  /** True if the messages came as one MESSAGE_PACK. */
  pack: boolean;
  messages: OdidMessage[];
};

/**
 * Known MAVLink message without a type of its own here, with a valid checksum. `payload` is filled with zeros to the
 * message's full length.
 */
export type MavlinkOther = MavlinkSource & { kind: 'mavlink'; msgid: number; name: string; payload: Uint8Array };

export type MavlinkMessage = MavlinkHeartbeat | MavlinkGlobalPosition | OdidReport | MavlinkOther;

/** JSON line of an ESP32 Remote ID receiver (mesh-detect format). Null stands for unknown values. */
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
  /** `node_id` of a mesh receiver; null if the line has none. */
  receiver: string | null;
  channelHz: number | null;
};

/** BaseStation (SBS-1) MSG line. Absent fields are null. */
export type SbsMessage = {
  kind: 'sbs';
  transmission: number;
  /** Six upper-case hex digits. `nonIcao` is true if the address is marked as no ICAO address (by a leading ~). */
  icao24: string;
  nonIcao: boolean;
  callsign: string | null;
  /** Pressure altitude above 1013.25 hPa, m. */
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

/**
 * State of an ADS-B transponder, assembled by a receiver from several transmissions. It has more fields than an SBS
 * line. Absent values are null.
 */
export type AdsbReport = Omit<SbsMessage, 'kind' | 'transmission' | 'squawk'> & {
  kind: 'adsb';
  /** Height above the ellipsoid, from the aircraft's own satellite receiver, m. */
  altHaeM: number | null;
  sigmaHM: number | null;
  /** Emitter category of DO-260B, such as `B6` for an unmanned aircraft; `emitter` is the corresponding class. */
  category: string | null;
  emitter: Classification['type'] | null;
};

/**
 * ADS-B report with the UTC of its position and of the report itself by the receiver's clock, ms; null if the receiver
 * states none.
 */
export type DatedAdsbReport = AdsbReport & { sourceMs: number | null; sentMs: number | null };

/** Position and time of the box itself, on which Dunlin runs: from NMEA RMC, GGA, GNS or ZDA with a valid checksum. */
export type NmeaFix = {
  kind: 'nmea_fix';
  sentence: string;
  /** Null if the receiver has no fix, and from ZDA, which has no position. */
  latDeg: number | null;
  lonDeg: number | null;
  altMslM: number | null;
  geoidSeparationM: number | null;
  speedMps: number | null;
  courseDeg: number | null;
  hdop: number | null;
  satellites: number | null;
  /**
   * UTC, ms; null without one. It comes only from sentences with date and time: RMC with a fix, or ZDA. A ZDA sentence
   * does not state whether there is a fix.
   */
  utcMs: number | null;
  /**
   * UTC that is refused because its date is before 2020, ms; else null. The receiver has no date yet, or its GPS week
   * number has rolled over.
   */
  refusedUtcMs: number | null;
};

/** Row of an obs_json link that passed the observation schema. */
export type ObservationRow = { kind: 'observation'; row: ObservationDocument };

/** Bare 25-byte F3411 message or bare message pack: one for each datagram or line of hex digits. */
export type OdidRawReport = { kind: 'odid_raw'; pack: boolean; messages: OdidMessage[] };

/** Cursor on Target event about an object in the air. Null stands for unknown values; times are UTC ms. */
export type CotMessage = {
  kind: 'cot';
  uid: string;
  /** Type of the object, such as `a-u-A-M-H-Q`. Its second letter is the affiliation that the sender assigns. */
  type: string;
  how: string;
  timeMs: number;
  startMs: number;
  staleMs: number;
  latDeg: number;
  lonDeg: number;
  altHaeM: number | null;
  /** Standard deviations of the horizontal position and of the height, m. */
  ceM: number | null;
  leM: number | null;
  courseDeg: number | null;
  speedMps: number | null;
  callsign: string | null;
  remarks: string | null;
};
