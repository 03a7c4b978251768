import { messageRows } from './messages.ts';

/** Properties of a message that framing needs. Lengths are payload bytes. */
export type KnownMessage = {
  msgid: number;
  name: string;
  /**
   * CRC_EXTRA: byte that adds the message's definition to the checksum, so that a receiver with another definition of
   * the message refuses it.
   */
  crcExtra: number;
  /** Length without extension fields, which is the length in MAVLink 1. */
  minLength: number;
  /** Length with all extension fields. */
  maxLength: number;
};

const known = new Map<number, KnownMessage>(
  messageRows.map(([msgid, crcExtra, minLength, maxLength, name]) => [
    msgid,
    { msgid, name, crcExtra, minLength, maxLength },
  ]),
);

export function knownMessage(msgid: number): KnownMessage | undefined {
  return known.get(msgid);
}

/** Ids of the messages that Dunlin reads or refers to by name. */
export const messageIds = {
  heartbeat: 0,
  sysStatus: 1,
  systemTime: 2,
  setMode: 11,
  gpsRawInt: 24,
  globalPositionInt: 33,
  commandInt: 75,
  commandLong: 76,
  commandAck: 77,
  positionTargetGlobalInt: 87,
  radioStatus: 109,
  batteryStatus: 147,
  autopilotVersion: 148,
  fenceStatus: 162,
  ekfStatusReport: 193,
  homePosition: 242,
  extendedSysState: 245,
  statusText: 253,
  cameraInformation: 259,
  gimbalManagerInformation: 280,
  gimbalManagerStatus: 281,
  availableModes: 435,
  odidBasicId: 12900,
  odidLocation: 12901,
  odidAuthentication: 12902,
  odidSelfId: 12903,
  odidSystem: 12904,
  odidOperatorId: 12905,
  odidMessagePack: 12915,
  odidArmStatus: 12918,
  odidSystemUpdate: 12919,
} as const;
