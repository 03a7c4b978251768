import type { MavLinkData, MavLinkDataConstructor } from 'node-mavlink';
import { Fault } from '../../../model/fault.ts';
import { HEADER_V2 } from './frame.ts';
import type { Payload } from './write.ts';

type MessageClass = MavLinkDataConstructor<MavLinkData>;

/** Field values by their XML names (`target_system`, `param1`); 64-bit integers are bigints, arrays plain arrays. */
export type MessageFields = Record<string, unknown>;

/** The messages that are too rare for a reader of their own. */
export type Dialect = {
  /**
   * The payload of a message, by its XML name (`COMMAND_LONG`) or its class. Fields that are left out are zero. Throws a
   * Fault for a message or field that does not exist.
   */
  serialise(message: string | MessageClass, fields: MessageFields): Payload;
  /** The fields of a payload that is zero-filled to its full length; null for a message without a definition. */
  deserialise(msgid: number, payload: Uint8Array): MessageFields | null;
};

let loaded: Promise<Dialect> | null = null;

/** Loads node-mavlink's definitions when they are first needed, as that takes 0.1 s and 20 MB. */
export function loadDialect(): Promise<Dialect> {
  loaded ??= import('node-mavlink').then(dialectOf);
  return loaded;
}

function dialectOf(library: typeof import('node-mavlink')): Dialect {
  const { minimal, standard, common, ardupilotmega, development } = library;
  const classes = new Map<number, MessageClass>();
  const byName = new Map<string, MessageClass>();
  for (const { REGISTRY } of [development, ardupilotmega, common, standard, minimal]) {
    for (const message of Object.values(REGISTRY)) {
      classes.set(message.MSG_ID, message);
      byName.set(message.MSG_NAME, message);
    }
  }
  const protocol = new library.MavLinkProtocolV2();

  return {
    serialise(message, fields) {
      const definition = typeof message === 'string' ? byName.get(message) : message;
      if (definition === undefined) throw new Fault('invalid_input', `There is no MAVLink message ${message}.`);
      const filled = fill(definition, fields);
      const frame = protocol.serialize(filled, 0);
      return { msgid: definition.MSG_ID, payload: Buffer.from(frame.subarray(HEADER_V2, frame.length - 2)) };
    },
    deserialise(msgid, payload) {
      const definition = classes.get(msgid);
      if (definition === undefined) return null;
      return fieldsOf(definition, protocol.data(Buffer.from(payload), definition));
    },
  };
}

/** node-mavlink's own names differ from the XML's in more than their case: COMMAND_INT's `x` is `_param5` there. */
function fill(definition: MessageClass, fields: MessageFields): MavLinkData {
  const names = new Map(definition.FIELDS.map(({ source, name }) => [source, name]));
  const filled = new definition();
  for (const [source, value] of Object.entries(fields)) {
    const name = names.get(source);
    if (name === undefined) throw new Fault('invalid_input', `${definition.MSG_NAME} has no field ${source}.`);
    Object.assign(filled, { [name]: value });
  }
  return filled;
}

function fieldsOf(definition: MessageClass, message: MavLinkData): MessageFields {
  const values = new Map(Object.entries(message));
  return Object.fromEntries(definition.FIELDS.map(({ source, name }) => [source, values.get(name)]));
}
