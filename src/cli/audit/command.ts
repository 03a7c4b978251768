import { join } from 'node:path';
import Database from 'better-sqlite3';
import { secretKeyFile } from '../../host/config.ts';
import { Fault, sentenceOf } from '../../model/fault.ts';
import { AUDIT_CUT, type ChainReport, verifyChain } from '../../store/audit_chain.ts';
import { auditKey } from '../../store/audit_key.ts';
import { readWitness } from '../../store/audit_seal.ts';
import { isCorrupt, reasonOf } from '../../store/failures.ts';
import { damagedState } from '../../store/unreadable.ts';
import { readArguments } from '../arguments.ts';
import { dataDirOf, requireState } from '../data_dir.ts';
import { exits, type Io } from '../io.ts';
import { Progress } from '../progress.ts';

const help = `Usage: dunlin audit verify [--data DIR] [--config FILE]

Walks the chain of audit rows (what people did) and names the first row that is not as it was written. The daemon may
run meanwhile; nothing is changed.

  --data DIR     the data folder; without it, that of the configuration
  --config FILE  the configuration, found as 'dunlin serve' finds it
  --help         this text

Exit codes: 0 the chain is whole, 1 it is broken or cannot be read, 2 wrong use, 78 bad configuration.`;

const options = {
  config: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `dunlin audit verify`: answers the exit code. */
export function auditCommand(argv: readonly string[], io: Io): number {
  const fault = (words: readonly string[]): string | null =>
    words.length === 1 && words[0] === 'verify' ? null : "it takes one word: 'verify'";
  const called = readArguments(argv, { name: 'audit', help, options, fault }, io);
  if (typeof called === 'number') return called;
  const dataDir = dataDirOf(called.values, io);
  if (dataDir === null) return exits.badConfiguration;
  const progress = new Progress(io);
  try {
    const report = verifyFolder(dataDir, (rows) => progress.tell(() => `${rows} rows checked`));
    progress.end();
    return tell(report, io);
  } catch (thrown) {
    progress.end();
    io.err(`dunlin audit: ${sentenceOf(thrown)}`);
    return exits.failed;
  }
}

/** Checks the audit log of a data folder. Throws a Fault where it cannot be read. */
export function verifyFolder(dataDir: string, onProgress?: (rows: number) => void): ChainReport {
  const path = join(dataDir, 'state.db');
  requireState(dataDir);
  const key = auditKey(dataDir, secretKeyFile(), false);
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
    try {
      // Before the rows are read: the chain may grow meanwhile, and never ends before the row that was noted.
      const witness = readWitness(db, dataDir);
      return verifyChain(db, key, witness, onProgress);
    } finally {
      db.close();
    }
  } catch (thrown) {
    if (isCorrupt(thrown)) throw damagedState(path, reasonOf(thrown), thrown);
    throw new Fault('unavailable', `the database ${path} cannot be read: ${reasonOf(thrown)}`, { cause: thrown });
  }
}

function tell({ rows, from, to, broken, unchecked }: ChainReport, io: Io): number {
  for (const sentence of unchecked) io.err(`warning: ${sentence}`);
  if (broken !== null) {
    const named = [broken.kind, broken.at].filter((text) => text !== null).join(', ');
    const row = broken.seq === null ? 'the log' : `row ${broken.seq}${named === '' ? '' : ` (${named})`}`;
    io.out(`broken: ${row}: ${broken.why}`);
    const which = broken.kind === AUDIT_CUT ? 'rows of the chain' : 'rows before it';
    io.out(`${rows} ${which} are as they were written${to === null ? '' : `, up to row ${to.seq} of ${to.at}`}`);
    return exits.failed;
  }
  const span = from === null || to === null ? '' : `, from row ${from.seq} of ${from.at} to row ${to.seq} of ${to.at}`;
  io.out(`ok: ${rows} audit rows in one whole chain${span}`);
  return exits.done;
}
