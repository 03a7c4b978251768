/**
 * Writes src/edge/wire/mavlink/messages.ts from the definitions that the package mavlink-mappings carries (generated there from
 * the XML of mavlink/mavlink). Run it after an upgrade of that package: `node build/scripts/generate_mavlink_messages.js`,
 * then format. The committed table spares the daemon 0.1 s and 20 MB at start.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { type MessageRow, messageRows } from '../src/edge/wire/mavlink/messages.ts';

type Field = { extension: boolean; size: number; length: number };
type Definition = { MSG_ID: number; MSG_NAME: string; MAGIC_NUMBER: number; PAYLOAD_LENGTH: number; FIELDS: Field[] };
type Dialect = { REGISTRY: Record<string, Definition> };

const require = createRequire(import.meta.url);

/** Every message of every dialect of the package, by ascending id. An id that two dialects define differently is an error. */
export function rowsOfDialects(): MessageRow[] {
  const mappings = require('node-mavlink') as Record<string, Dialect | undefined>;
  const rows = new Map<number, MessageRow>();
  for (const dialect of Object.values(mappings)) {
    if (dialect?.REGISTRY === undefined) continue;
    for (const definition of Object.values(dialect.REGISTRY)) {
      const row = rowOf(definition);
      const former = rows.get(row[0]);
      if (former && former[1] !== row[1]) throw new Error(`${former[4]} and ${row[4]} both claim message ${row[0]}`);
      rows.set(row[0], row);
    }
  }
  return [...rows.values()].sort((a, b) => a[0] - b[0]);
}

function rowOf({ MSG_ID, MSG_NAME, MAGIC_NUMBER, PAYLOAD_LENGTH, FIELDS }: Definition): MessageRow {
  const base = FIELDS.filter((field) => !field.extension);
  const minLength = base.reduce((sum, { size, length }) => sum + size * Math.max(1, length), 0);
  return [MSG_ID, MAGIC_NUMBER, minLength, PAYLOAD_LENGTH, MSG_NAME];
}

function writeTable(): void {
  const { version } = require('mavlink-mappings/package.json') as { version: string };
  const rows = rowsOfDialects().map((row) => `  ${JSON.stringify(row).replaceAll(',', ', ')},\n`);
  const text = `/**
 * Written by scripts/generate_mavlink_messages.ts from mavlink-mappings ${version}, which is generated from the XML of
 * mavlink/mavlink: the dialects minimal, standard, common, ardupilotmega, uavionix, icarous, asluav, development, ualberta
 * and storm32. Not to be edited by hand.
 */

/** Message id, CRC_EXTRA, payload length without and with extension fields (bytes), name. */
export type MessageRow = [msgid: number, crcExtra: number, minLength: number, maxLength: number, name: string];

export const messageRows: readonly MessageRow[] = [
${rows.join('')}];
`;
  const path = fileURLToPath(new URL('../../src/edge/wire/mavlink/messages.ts', import.meta.url));
  writeFileSync(path, text.replaceAll('"', "'"));
  console.log(`${rows.length} messages written to ${path} (${messageRows.length} before)`);
}

if (argv[1] === fileURLToPath(import.meta.url)) writeTable();
