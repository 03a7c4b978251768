import { join } from 'node:path';
import Database from 'better-sqlite3';
import { secretKeyFile } from '../../host/config.ts';
import { sentenceOf, unavailable } from '../../model/fault.ts';
import { AUDIT_CUT, type ChainReport, verifyChain, type Walking } from '../../store/audit_chain.ts';
import type { AuditPlace } from '../../store/audit_head.ts';
import { auditKey } from '../../store/audit_key.ts';
import { readWitness } from '../../store/audit_seal.ts';
import { isCorrupt, reasonOf } from '../../store/failures.ts';
import { RECOVERY_AUDIT_FILE, recoveryDoubts } from '../../store/recovery_audit.ts';
import { schemaFault } from '../../store/schema_fault.ts';
import { damagedState } from '../../store/unreadable.ts';
import { dataOptions, readArguments, type Values, wrongUse } from '../arguments.ts';
import { dataDirOf, requireState } from '../data_dir.ts';
import { exits, type Io } from '../io.ts';
import { Progress } from '../progress.ts';

const help = `Usage: dunlin audit verify [--data DIR] [--config FILE] [--head ROW:HASH]

Checks the chain of audit rows (the changes that people made). Names the first row that was altered, and anything in
state.db that Dunlin did not create, such as a trigger. The daemon may run meanwhile; nothing is changed.

  --data DIR     the data folder; without it, that of the configuration
  --config FILE  the configuration, found as 'dunlin serve' finds it
  --head ROW:HASH  a head of the audit log that the daemon wrote to its journal: the chain must have this row
  --help         this text

Exit codes: 0 the chain is intact, 1 it is broken or cannot be read, 2 wrong use, 78 bad configuration.`;

const options = { ...dataOptions, head: { type: 'string' } } as const;

/** Runs `dunlin audit verify`. Returns the exit code. */
export function auditCommand(argv: readonly string[], io: Io): number {
  const flags = readArguments(argv, { name: 'audit', help, options, read }, io);
  if (typeof flags === 'number') return flags;
  const { known } = flags;
  const dataDir = dataDirOf(flags, io);
  if (dataDir === null) return exits.badConfiguration;
  const progress = new Progress(io);
  try {
    const report = verifyFolder(dataDir, {
      known,
      onProgress: (rows) => progress.show(() => `${rows} rows checked`),
    });
    progress.end();
    return print(report, io);
  } catch (thrown) {
    progress.end();
    io.err(`dunlin audit: ${sentenceOf(thrown)}`);
    return exits.failed;
  }
}

function read(words: readonly string[], { head, ...flags }: Values<typeof options>) {
  if (words.length !== 1 || words[0] !== 'verify') throw wrongUse("the only verb of this command is 'verify'");
  return { ...flags, known: head === undefined ? [] : [placeOf(head)] };
}

function placeOf(text: string): AuditPlace {
  const [, row, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === undefined)
    throw wrongUse('--head must be a row and its hash, ROW:HASH with 64 hexadecimal digits, for example 17:0a1b…');
  return { seq: Number(row), hash, at: 'the day of its journal line' };
}

/** Checks the audit log of a data folder. Throws a Fault if the log cannot be read. */
export function verifyFolder(dataDir: string, walking: Walking = {}): ChainReport {
  const path = join(dataDir, 'state.db');
  requireState(dataDir);
  const key = auditKey(dataDir, secretKeyFile(), false);
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
    try {
      // Read the witness (seal, stored head and marker of the chain) before the rows: the chain may grow during the
      // check, but must still contain the row of that head.
      const witness = readWitness(db, dataDir);
      const report = withRecovery(verifyChain(db, key, witness, walking), recoveryDoubts(dataDir, key));
      return withSchema(report, schemaFault(db));
    } finally {
      db.close();
    }
  } catch (thrown) {
    if (isCorrupt(thrown)) throw damagedState(path, reasonOf(thrown), thrown);
    throw unavailable(`the database ${path} cannot be read: ${reasonOf(thrown)}`, { cause: thrown });
  }
}

/**
 * Adds the state of the recovery file to a report: missing rows, and rows that are not in the chain yet. A start in
 * recovery (without a database) writes this file. The next start adds its rows to the chain.
 */
function withRecovery(report: ChainReport, { rows, gap }: ReturnType<typeof recoveryDoubts>): ChainReport {
  if (gap !== null) report.broken ??= { seq: null, kind: null, at: null, why: gap };
  if (rows > 0)
    report.unchecked.push(
      `${rows} audit rows of a start in recovery are in ${RECOVERY_AUDIT_FILE}: the next start adds them to the chain`,
    );
  return report;
}

/**
 * Adds a fault of the schema to a report: objects that no migration created, such as triggers, may hide rows of the
 * log.
 */
function withSchema(report: ChainReport, fault: string | null): ChainReport {
  if (fault === null) return report;
  if (report.broken === null) report.broken = { seq: null, kind: null, at: null, why: fault };
  else report.unchecked.push(fault);
  return report;
}

function print({ rows, from, to, broken, unchecked }: ChainReport, io: Io): number {
  for (const sentence of unchecked) io.err(`warning: ${sentence}`);
  if (broken !== null) {
    const named = [broken.kind, broken.at].filter((text) => text !== null).join(', ');
    const row = broken.seq === null ? 'the log' : `row ${broken.seq}${named === '' ? '' : ` (${named})`}`;
    io.out(`broken: ${row}: ${broken.why}`);
    const which = broken.kind === AUDIT_CUT ? 'rows of the chain' : 'rows before this row';
    io.out(
      `${rows} ${which} are unchanged since they were written${to === null ? '' : `, up to row ${to.seq} of ${to.at}`}`,
    );
    return exits.failed;
  }
  const span = from === null || to === null ? '' : `, from row ${from.seq} of ${from.at} to row ${to.seq} of ${to.at}`;
  io.out(`ok: ${rows} audit rows in one intact chain${span}`);
  return exits.done;
}
