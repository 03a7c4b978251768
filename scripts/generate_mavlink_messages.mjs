// Writes src/edge/wire/mavlink/messages.ts from the definitions that the package mavlink-mappings carries (generated there
// from the XML of mavlink/mavlink). A table in the program spares the daemon 0.1 s and 20 MB at start. It runs before the
// TypeScript is compiled (scripts/env.sh, `npm run build`), in plain JavaScript, because nothing is built then.
// Usage: node scripts/generate_mavlink_messages.mjs [MODULE]
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const path = argv[2] ?? fileURLToPath(new URL('../src/edge/wire/mavlink/messages.ts', import.meta.url));

/** Every message of every dialect of the package, by ascending id. An id that two dialects define differently is an error. */
function rowsOfDialects() {
  const rows = new Map();
  for (const dialect of Object.values(require('node-mavlink'))) {
    for (const definition of Object.values(dialect?.REGISTRY ?? {})) {
      const row = rowOf(definition);
      const former = rows.get(row[0]);
      if (former && former[1] !== row[1]) throw new Error(`${former[4]} and ${row[4]} both claim message ${row[0]}`);
      rows.set(row[0], row);
    }
  }
  return [...rows.values()].sort((a, b) => a[0] - b[0]);
}

function rowOf({ MSG_ID, MSG_NAME, MAGIC_NUMBER, PAYLOAD_LENGTH, FIELDS }) {
  const base = FIELDS.filter((field) => !field.extension);
  const minLength = base.reduce((sum, { size, length }) => sum + size * Math.max(1, length), 0);
  return [MSG_ID, MAGIC_NUMBER, minLength, PAYLOAD_LENGTH, MSG_NAME];
}

const { version } = require('mavlink-mappings/package.json');
const text = `// Generated from mavlink-mappings ${version} by scripts/generate_mavlink_messages.mjs: the dialects minimal, standard, common,
// ardupilotmega, uavionix, icarous, asluav, development, ualberta and storm32.

/** Message id, CRC_EXTRA, payload length without and with extension fields (bytes), name. */
export type MessageRow = [msgid: number, crcExtra: number, minLength: number, maxLength: number, name: string];

export const messageRows: readonly MessageRow[] = ${JSON.stringify(rowsOfDialects())};
`;

let before = null;
try {
  before = readFileSync(path, 'utf8');
} catch {}
// A file that is up to date is left alone, so that nothing is compiled again for it.
if (text !== before) writeFileSync(path, text);
