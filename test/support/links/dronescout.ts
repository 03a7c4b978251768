/** Content of the structure that a DroneScout receiver sends; what is absent is not valid. */
export type UasData = {
  serial?: string;
  location?: { lat: number; lon: number; altGeoM: number };
  operator?: { lat: number; lon: number };
  operatorId?: string;
};

/** `ODID_UAS_Data` of opendroneid-core-c, 64 bits, little-endian. */
export function uasData({ serial, location, operator, operatorId }: UasData): Buffer {
  const bytes = Buffer.alloc(920);
  if (serial !== undefined) {
    bytes.writeUInt32LE(2, 0);
    bytes.writeUInt32LE(1, 4);
    bytes.write(serial, 8, 'latin1');
    bytes[892] = 1;
  }
  if (location !== undefined) {
    bytes.writeUInt32LE(2, 64);
    bytes.writeFloatLE(90, 68);
    bytes.writeFloatLE(8.25, 72);
    bytes.writeFloatLE(0.5, 76);
    bytes.writeDoubleLE(location.lat, 80);
    bytes.writeDoubleLE(location.lon, 88);
    bytes.writeFloatLE(-1_000, 96);
    bytes.writeFloatLE(location.altGeoM, 100);
    bytes.writeFloatLE(45, 108);
    bytes.writeUInt32LE(10, 112);
    bytes.writeUInt32LE(4, 116);
    bytes.writeFloatLE(65_535, 132);
    bytes[894] = 1;
  }
  if (operator !== undefined) {
    bytes.writeUInt32LE(1, 808);
    bytes.writeDoubleLE(operator.lat, 816);
    bytes.writeDoubleLE(operator.lon, 824);
    for (const at of [836, 840, 852]) bytes.writeFloatLE(-1_000, at);
    bytes[912] = 1;
  }
  if (operatorId !== undefined) {
    bytes.write(operatorId, 868, 'latin1');
    bytes[913] = 1;
  }
  return bytes;
}

export const droneScoutMac = '02:00:5E:10:00:01';

/** A publish of a DroneScout receiver about one aircraft. */
export function droneScoutJson(bytes: Buffer, atMs: number, more: object = {}): string {
  const data = {
    ...{ 'sensor ID': 'ds240-1', RSSI: -71, channel: 6, timestamp: atMs, 'MAC address': droneScoutMac },
    ...{ type: 'WiFi beacon', UASdata: bytes.toString('base64'), ...more },
  };
  return JSON.stringify({ protocol: 1.0, data });
}
