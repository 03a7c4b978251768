import { type FlatObject, type FlatValue, parseFlatObject } from './flat_json.ts';

/** Contents of a line, with the hostile part already set apart. */
export type LineForm = { members: FlatObject; basicId: FlatValue; nodeId: FlatValue };

/** The firmwares print these before basic_id, from numbers of their own: nothing a transmitter sends can alter them. */
const printedFirst = ['mac', 'rssi', 'drone_lat', 'drone_long', 'drone_altitude', 'pilot_lat', 'pilot_long'];

/** Greatest number of basic_id bytes that the firmwares print (ODID_ID_SIZE of opendroneid-core-c). */
export const BASIC_ID_MAX = 20;

/**
 * Takes one line apart. Null where it is neither in the printed form nor one flat JSON object with distinct keys.
 *
 * The firmwares print basic_id, twenty bytes straight from the air, without escaping it. The fields have a fixed order,
 * so the fields before basic_id are valid whatever basic_id holds. A quote, a line end or a forged key in basic_id
 * costs the id and not the position. A transmitter must not be able to hide its position behind its own name.
 */
export function readLineForm(text: string): LineForm | null {
  return readPrinted(text) ?? readPlain(text);
}

function readPrinted(text: string): LineForm | null {
  const cut = text.indexOf('"basic_id"');
  const head = /^(\{.*),[ \t]*$/s.exec(cut === -1 ? '' : text.slice(0, cut))?.[1];
  const members = head === undefined ? null : parseFlatObject(`${head}}`);
  if (members === null || !printedFirst.every((key) => members.has(key))) return null;
  return { members, ...readTail(text.slice(cut + '"basic_id"'.length)) };
}

/** Reads a line with another maker's order of fields, which must be complete and valid JSON. */
function readPlain(text: string): LineForm | null {
  const members = parseFlatObject(text);
  if (members === null) return null;
  return { members, basicId: members.get('basic_id') ?? null, nodeId: members.get('node_id') ?? null };
}

/**
 * The part after the key basic_id: `:"ID"}` or `:"ID","node_id":"A1B2"}`. Up to twenty bytes may come from the
 * broadcast, a forged node_id among them. The end of a longer tail was printed by the receiver. A tail that is cut off,
 * or holds more than that, gives no id.
 */
function readTail(tail: string): { basicId: string | null; nodeId: string | null } {
  const body = /^[ \t]*:[ \t]*"(.*)"[ \t]*\}[ \t]*$/s.exec(tail)?.[1];
  if (body === undefined) return { basicId: null, nodeId: null };
  const node = /"[ \t]*,[ \t]*"node_id"[ \t]*:[ \t]*"([^"\\]*)$/.exec(body);
  const id = node === null ? body : body.slice(0, node.index);
  return {
    basicId: /["\\]/.test(id) ? null : id,
    nodeId: node !== null && body.length > BASIC_ID_MAX ? (node[1] ?? null) : null,
  };
}
