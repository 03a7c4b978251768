import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OdidMessage, OdidTag } from '../../../../src/edge/wire/odid/message.ts';

/** Normalised values by the names of the golden set. */
export type Normalised = Record<string, unknown>;

/** A line of the golden set, as far as the tests look at it. */
export type GoldenLine = {
  case: string;
  name?: string;
  msgid?: number;
  sysid?: number;
  compid?: number;
  seq?: number;
  hex: string;
  si: Normalised | null;
  out_of_range?: string[];
  raw25?: string;
  raw25_si?: Normalised;
  pack_ok?: boolean;
  messages_si?: Normalised[];
  signed?: boolean;
  sign_key_hex?: string;
  link_id?: number;
  sign_timestamp?: number;
};

const folder = join(process.cwd(), '../shared/golden');

/** A reason for tap's `skip` where the golden set is not at hand. */
export const goldenMissing: string | false = existsSync(folder) ? false : 'the golden set is not here';

export function goldenLines(file: string): GoldenLine[] {
  const text = readFileSync(join(folder, file), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as GoldenLine);
}

/** A decoded message in the names of the golden set, without its type. */
export function normalised(message: OdidMessage): Normalised {
  switch (message.type) {
    case 'basic_id':
      return { id_type: message.idType, ua_type: message.uaType, uas_id: message.uasId };
    case 'location':
      return {
        status: message.status,
        lat: message.latDeg,
        lon: message.lonDeg,
        direction_deg: message.directionDeg,
        speed_h_ms: message.speedHMps,
        speed_v_ms: message.speedVMps,
        alt_baro_m: message.altBaroM,
        alt_geo_m: message.altGeoM,
        height_m: message.heightM,
        height_ref: message.heightRef,
        h_acc: message.hAcc,
        v_acc: message.vAcc,
        baro_acc: message.baroAcc,
        speed_acc: message.speedAcc,
        ts_acc: message.tsAcc,
        ts_s_after_hour: message.secondsAfterHour,
      };
    case 'auth': {
      const page = {
        auth_type: message.authType,
        page: message.page,
        data_hex: Buffer.from(message.data).toString('hex'),
      };
      if (message.page > 0) return page;
      return { ...page, last_page: message.lastPage, length: message.length, timestamp_unix: message.timestampUnixS };
    }
    case 'self_id':
      return { desc_type: message.descType, desc: message.desc };
    case 'system':
      return {
        op_loc_type: message.operatorLocationType,
        class_type: message.classificationType,
        op_lat: message.operatorLatDeg,
        op_lon: message.operatorLonDeg,
        area_count: message.areaCount,
        area_radius_m: message.areaRadiusM,
        area_ceiling_m: message.areaCeilingM,
        area_floor_m: message.areaFloorM,
        category_eu: message.categoryEu,
        class_eu: message.classEu,
        op_alt_geo_m: message.operatorAltGeoM,
        timestamp_unix: message.timestampUnixS,
      };
    case 'system_update':
      return {
        op_lat: message.operatorLatDeg,
        op_lon: message.operatorLonDeg,
        op_alt_geo_m: message.operatorAltGeoM,
        timestamp_unix: message.timestampUnixS,
      };
    case 'operator_id':
      return { op_id_type: message.operatorIdType, op_id: message.operatorId };
    case 'arm_status':
      return { status: message.status, error: message.error };
  }
}

export function normalisedTag(tag: OdidTag): Normalised | null {
  return tag !== null && 'idHex' in tag ? { id_hex: tag.idHex } : tag;
}

/** The same, with `type` in front, as packs and bare messages have it. */
export function normalisedWithType(message: OdidMessage): Normalised {
  return { type: message.type, ...normalised(message) };
}

export const isImplausible = (message: OdidMessage): boolean => 'implausible' in message && message.implausible;
