/**
 * A reader of SAPIENT messages that shares nothing with the codec of Dunlin: the fields below were written by hand from
 * BSI Flex 335 v2.0, as far as a fusion node sends them. It refuses whatever a middleware with all its checks refuses.
 */
type Kind = 'text' | 'ulid' | 'uuid' | 'enum' | 'enums' | 'int' | 'bool' | 'float' | 'double' | 'bytes';
type Row = { number: number; name: string; of: string; isMandatory: boolean; isList: boolean; oneOf: string | null };
type Values = Record<string, unknown>;

/** `number name type`, then `!` mandatory, `*` repeated, `|x` member of the oneof x, `|x!` of one that is mandatory. */
const forms: Record<string, string[]> = {
  Message: [
    '1 timestamp Time !',
    '2 node_id uuid !',
    '3 destination_id uuid',
    ...['4 registration Registration', '6 status_report Status', '7 detection_report Detection'].map((s) => `${s} |c!`),
    ...['8 task Task', '9 task_ack TaskAck', '10 alert Alert', '12 error Error'].map((row) => `${row} |c!`),
  ],
  Time: ['1 seconds int', '2 nanos int'],
  Registration: [
    ...['1 node_definition NodeDefinition !*', '2 icd_version text !', '3 name text', '4 short_name text'],
    ...['5 capabilities Capability !*', '6 status_definition StatusDefinition !', '7 mode_definition Mode !*'],
    ...['8 dependent_nodes uuid *', '10 config_data Config !*'],
  ],
  NodeDefinition: ['1 node_type enum !', '2 node_sub_type text *'],
  Capability: ['1 category text !', '2 type text !', '3 value text', '4 units text'],
  StatusDefinition: [
    ...['1 status_interval Duration !', '2 location_definition LocationType', '5 status_report StatusKind *'],
  ],
  StatusKind: ['1 category enum !', '2 type text !', '3 units text', '4 on_change bool'],
  Duration: ['1 units enum !', '3 value float !'],
  LocationType: [
    '1 location_units enum |u!',
    '2 bearing_units enum |u!',
    '3 datum enum |d!',
    '4 bearing_datum enum |d!',
  ],
  Mode: [
    ...['1 mode_name text !', '2 mode_type enum !', '3 mode_description text', '4 settle_time Duration !'],
    ...['7 tracking_type enum', '10 detection_definition DetectionDefinition *', '11 task TaskDefinition !'],
  ],
  DetectionDefinition: ['1 location_type LocationType !', '6 velocity_type VelocityType'],
  VelocityType: ['4 enu_velocity_units Rates |u!', '6 location_datum enum |d!'],
  Rates: ['1 east_north_rate_units enum !', '2 up_rate_units enum'],
  TaskDefinition: ['1 concurrent_tasks int', '2 region_definition Region !'],
  Region: ['1 region_type enums !*', '3 region_area LocationType !*'],
  Config: ['1 manufacturer text !', '2 model text !', '5 software_version text'],
  Status: [
    ...['1 report_id ulid !', '2 system enum !', '3 info enum !', '5 mode text !', '7 node_location Location'],
    '11 status StatusRow *',
  ],
  StatusRow: ['1 status_level enum', '3 status_value text', '4 status_type enum !'],
  Location: [
    ...['1 x double !', '2 y double !', '3 z double', '4 x_error double', '5 y_error double', '6 z_error double'],
    ...['7 coordinate_system enum !', '8 datum enum !'],
  ],
  Detection: [
    ...['1 report_id ulid !', '2 object_id ulid !', '4 state text', '6 location Location |l!'],
    ...['7 detection_confidence float', '9 prediction_location Prediction', '10 object_info Info *'],
    ...['11 classification Class *', '16 derived_detection Derived *', '19 enu_velocity Velocity', '23 id text'],
  ],
  Prediction: ['2 location Location |l', '3 predicted_timestamp Time'],
  Info: ['1 type text !', '2 value text !', '3 error float'],
  Class: ['1 type text !', '2 confidence float', '3 sub_class SubClass *'],
  SubClass: ['1 type text !', '2 confidence float', '3 level int !', '4 sub_class SubClass *'],
  Derived: ['1 timestamp Time', '2 node_id uuid !', '3 object_id ulid !'],
  Velocity: ['1 east_rate double !', '2 north_rate double !', '3 up_rate double'],
  Task: ['1 task_id ulid !', '6 control enum !', '8 command Command'],
  Command: ['1 request text'],
  TaskAck: ['1 task_id ulid !', '2 task_status enum !', '5 reason text *'],
  Alert: [
    ...['1 alert_id ulid !', '2 alert_type enum', '3 status enum', '4 description text', '6 location Location |l'],
    ...['8 priority enum', '9 ranking float', '12 associated_detection Associated *'],
  ],
  Associated: ['1 timestamp Time', '2 node_id uuid !', '3 object_id ulid !'],
  Error: ['1 packet bytes !', '3 error_message text *'],
};

const tables: Record<string, Row[]> = Object.fromEntries(
  Object.entries(forms).map(([name, rows]) => [name, rows.map((text) => rowOf(text))]),
);

function rowOf(text: string): Row {
  const [number = '', name = '', of = '', flags = ''] = text.split(' ');
  const oneOf = flags.startsWith('|') ? flags.slice(1) : null;
  const isMandatory = oneOf === null && flags.includes('!');
  return { number: Number(number), name, of, isMandatory, isList: flags.includes('*'), oneOf };
}

const wireTypes: Partial<Record<string, number>> = {
  ...{ enum: 0, int: 0, bool: 0, double: 1, float: 5 },
};
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Reads one message. Throws where a mandatory field is missing, an id has another form, or a field is unknown. */
export function readStrictly(bytes: Buffer): Values {
  return read(bytes, 'Message', 'message');
}

function read(bytes: Buffer, name: string, path: string): Values {
  const rows = tables[name] ?? [];
  const values: Values = {};
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error(`${path}: it ends within a number`);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const row = rows.find(({ number }) => number === Math.floor(tag / 8));
    const type = tag % 8;
    if (row === undefined) throw new Error(`${path}: the unknown field ${Math.floor(tag / 8)}`);
    if (type !== (wireTypes[row.of] ?? 2)) throw new Error(`${path}.${row.name}: the wire type ${type}`);
    const length = type === 2 ? varint() : type === 1 ? 8 : type === 5 ? 4 : 0;
    const value = type === 0 ? varint() : scalarOf(bytes.subarray(at, at + length), row, path);
    at += length;
    if (at > bytes.length) throw new Error(`${path}.${row.name}: it goes beyond its message`);
    if (row.isList && row.of !== 'enums') values[row.name] = [...((values[row.name] as unknown[]) ?? []), value];
    else values[row.name] = value;
  }
  check(rows, values, path);
  return values;
}

function scalarOf(bytes: Buffer, { of, name }: Row, path: string): unknown {
  const here = `${path}.${name}`;
  switch (of as Kind) {
    case 'double':
    case 'float': {
      const value = of === 'double' ? bytes.readDoubleLE(0) : bytes.readFloatLE(0);
      if (!Number.isFinite(value)) throw new Error(`${here}: ${value} is no number`);
      return value;
    }
    case 'bytes':
      return bytes;
    case 'enums':
      return [...bytes];
    case 'text':
    case 'ulid':
    case 'uuid': {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      if (of === 'ulid' && !ulid.test(text)) throw new Error(`${here}: ${text} is no ULID`);
      if (of === 'uuid' && !uuid.test(text)) throw new Error(`${here}: ${text} is no UUID v4`);
      return text;
    }
    default:
      return read(bytes, of, here);
  }
}

function check(rows: readonly Row[], values: Values, path: string): void {
  for (const { name, of, isMandatory, isList } of rows) {
    const value = values[name];
    const isEmpty = value === undefined || (isList && (value as unknown[]).length === 0);
    if (isMandatory && isEmpty) throw new Error(`${path}.${name} is missing`);
    if (isMandatory && of === 'enum' && value === 0) throw new Error(`${path}.${name} is unspecified`);
  }
  const groups = new Set(rows.flatMap(({ oneOf }) => oneOf ?? []));
  for (const group of groups) {
    const members = rows.filter(({ oneOf, name }) => oneOf === group && values[name] !== undefined);
    if (members.length > 1) throw new Error(`${path}: two members of one oneof`);
    if (members.length === 0 && group.endsWith('!')) throw new Error(`${path}: no member of the oneof ${group}`);
  }
}
