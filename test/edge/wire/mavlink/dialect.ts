import * as library from 'node-mavlink';
import { HEADER_V2 } from '../../../../src/edge/wire/mavlink/frame.ts';
import type { Payload } from '../../../../src/edge/wire/mavlink/write.ts';

type MessageClass = library.MavLinkDataConstructor<library.MavLinkData>;

/** Field values by their XML names (`target_system`, `param1`). */
type XmlFields = Record<string, unknown>;

const classes = new Map<string | number, MessageClass>();
for (const { REGISTRY } of [library.ardupilotmega, library.common, library.standard, library.minimal]) {
  for (const message of Object.values(REGISTRY)) classes.set(message.MSG_ID, message).set(message.MSG_NAME, message);
}
const protocol = new library.MavLinkProtocolV2();

function classOf(message: string | number): MessageClass {
  const found = classes.get(message);
  if (found === undefined) throw new Error(`node-mavlink has no message ${message}`);
  return found;
}

/** A payload as node-mavlink puts it into a frame, without its trailing zeros. */
export function serialise(message: string, fields: XmlFields): Payload {
  const definition = classOf(message);
  const names = new Map(definition.FIELDS.map(({ source, name }) => [source, name]));
  const filled = new definition();
  for (const [source, value] of Object.entries(fields)) Object.assign(filled, { [names.get(source) ?? '']: value });
  const frame = protocol.serialize(filled, 0);
  return { msgid: definition.MSG_ID, payload: Buffer.from(frame.subarray(HEADER_V2, frame.length - 2)) };
}

/** What node-mavlink's own reader makes of a payload. */
export function deserialise({ msgid, payload }: { msgid: number; payload: Uint8Array }): XmlFields {
  const definition = classOf(msgid);
  const values = new Map(Object.entries(protocol.data(Buffer.from(payload), definition)));
  return Object.fromEntries(definition.FIELDS.map(({ source, name }) => [source, values.get(name)]));
}
