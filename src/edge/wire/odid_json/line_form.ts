import { type FlatObject, type FlatValue, parseFlatObject } from './flat_json.ts';

/** Parsed line. The texts that a transmitter controls are separate from the other members. */
export type LineForm = { members: FlatObject; basicId: FlatValue; nodeId: FlatValue };

/**
 * Keys that the firmwares print before basic_id. Their values come from the firmware's own numbers, so no transmitter
 * can alter this part of the line.
 */
const printedFirst = ['mac', 'rssi', 'drone_lat', 'drone_long', 'drone_altitude', 'pilot_lat', 'pilot_long'];

/** Greatest number of basic_id bytes that the firmwares print (ODID_ID_SIZE of opendroneid-core-c). */
export const BASIC_ID_MAX = 20;

/**
 * Parses one line: either a line in the form that the firmware prints, or one flat JSON object with distinct keys.
 * Returns null for any other line.
 *
 * The firmwares print the twenty bytes of basic_id as received, without escaping them. Their fields have a fixed order,
 * so the fields before basic_id are valid whatever basic_id contains. A quote, line end or forged key in basic_id thus
 * loses only the id. Otherwise a transmitter could hide its position by its own id.
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

/** Parses a line with another order of fields; null unless it is one complete, flat JSON object. */
function readPlain(text: string): LineForm | null {
  const members = parseFlatObject(text);
  if (members === null) return null;
  return { members, basicId: members.get('basic_id') ?? null, nodeId: members.get('node_id') ?? null };
}

/**
 * Parses the text after the key basic_id: `:"ID"}` or `:"ID","node_id":"A1B2"}`. Up to twenty bytes come from the
 * broadcast and may contain a forged node_id. The end of a longer text was printed by the receiver itself. A text that
 * is cut off, or contains anything else, gives no id.
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
