/**
 * Open Drone ID messages (ASTM F3411-22a), decoded. A value that the sender declared unknown, or that is outside the
 * standard's range, is null. The vertical speed and the time in messages of 25 bytes are not checked
 * (`decodeLocation`). Enumerations keep the numbers of the standard; feeds translate them.
 */

export type OdidBasicId = {
  type: 'basic_id';
  /**
   * Kind of the id: 0 none, 1 serial number (ANSI/CTA-2063-A), 2 CAA registration, 3 UTM UUID, 4 specific session id.
   */
  idType: number;
  /** UA type, from 0 none to 15 other (F3411-22a table 2). */
  uaType: number;
  /** Text for id types 0, 1 and 2; the 20 bytes as hex digits for 3 and 4; null if the id is empty. */
  uasId: string | null;
};

export type OdidLocation = {
  type: 'location';
  /** Operational status: 0 undeclared, 1 ground, 2 airborne, 3 emergency, 4 Remote ID system failure. */
  status: number;
  latDeg: number | null;
  lonDeg: number | null;
  /** Course over ground, not heading, degrees. */
  directionDeg: number | null;
  speedHMps: number | null;
  speedVMps: number | null;
  altBaroM: number | null;
  altGeoM: number | null;
  heightM: number | null;
  /** Reference of `heightM`: 0 take-off, 1 ground. */
  heightRef: number;
  hAcc: number;
  vAcc: number;
  baroAcc: number;
  speedAcc: number;
  tsAcc: number;
  /** Seconds after the full UTC hour. A message of 25 bytes may state more than 3600; feeds treat that as no time. */
  secondsAfterHour: number | null;
  /**
   * True if a field has a value that the standard does not allow. The position of such a message must not be used.
   */
  implausible: boolean;
};

export type OdidAuth = {
  type: 'auth';
  authType: number;
  page: number;
  data: Uint8Array;
  /** Last page, length and time, on page 0 only; null on other pages. */
  lastPage: number | null;
  length: number | null;
  timestampUnixS: number | null;
};

export type OdidSelfId = { type: 'self_id'; descType: number; desc: string };

/** OPEN_DRONE_ID_SYSTEM_UPDATE (MAVLink only). */
export type OdidSystemUpdate = {
  type: 'system_update';
  operatorLatDeg: number | null;
  operatorLonDeg: number | null;
  operatorAltGeoM: number | null;
  timestampUnixS: number | null;
  implausible: boolean;
};

export type OdidSystem = Omit<OdidSystemUpdate, 'type'> & {
  type: 'system';
  /** Kind of the operator's position: 0 take-off, 1 live GNSS, 2 fixed. */
  operatorLocationType: number;
  classificationType: number;
  areaCount: number;
  areaRadiusM: number;
  areaCeilingM: number | null;
  areaFloorM: number | null;
  categoryEu: number;
  classEu: number;
};

export type OdidOperatorId = { type: 'operator_id'; operatorIdType: number; operatorId: string };

/**
 * OPEN_DRONE_ID_ARM_STATUS (MAVLink only): a Remote ID transmitter reports to the flight controller whether the vehicle
 * may arm.
 */
export type OdidArmStatus = { type: 'arm_status'; status: number; error: string };

export type OdidMessage =
  | OdidBasicId
  | OdidLocation
  | OdidAuth
  | OdidSelfId
  | OdidSystem
  | OdidSystemUpdate
  | OdidOperatorId
  | OdidArmStatus;

/** Aircraft that a Remote ID message is about, from MAVLink's `id_or_mac`; null for the sender itself. */
export type OdidTag = { mac: string } | { id: string } | { idHex: string } | null;
