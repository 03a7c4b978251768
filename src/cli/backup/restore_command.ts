import { resolve } from 'node:path';
import { sentenceOf } from '../../model/fault.ts';
import { formatTime } from '../../model/time.ts';
import { restoreData } from '../../store/restore.ts';
import { readArguments } from '../arguments.ts';
import { dataDirOf } from '../data_dir.ts';
import { exits, type Io } from '../io.ts';
import { Progress } from '../progress.ts';
import { whoIsThere } from '../who.ts';

const help = `Usage: dunlin restore FROM [--data DIR] [--config FILE]

Puts the backup FROM in the place of the data folder, after checking the hash of each of its files. The daemon must be
stopped. What stood in the data folder is kept beside it as DIR.before-restore-TIME.

  --data DIR     the data folder; without it, that of the configuration
  --config FILE  the configuration, found as 'dunlin serve' finds it
  --help         this text

Exit codes: 0 done, 1 failed with the data folder as it was, 2 wrong use, 78 bad configuration.`;

const options = {
  config: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `dunlin restore`: answers the exit code. */
export async function restoreCommand(argv: readonly string[], io: Io): Promise<number> {
  const fault = (words: readonly string[]): string | null => (words.length === 1 ? null : 'it takes one backup');
  const called = readArguments(argv, { name: 'restore', help, options, fault }, io);
  if (typeof called === 'number') return called;
  const from = called.words[0] ?? '';
  const found = dataDirOf(called.values, io);
  if (found === null) return exits.badConfiguration;
  const dataDir = resolve(found);
  const progress = new Progress(io);
  try {
    const at = formatTime(Date.now());
    const restoring = { time: at.replace(/[-:]|\.\d+/g, ''), at, by: whoIsThere() };
    const { manifest, keptAs } = await restoreData(resolve(from), dataDir, restoring, (path) =>
      progress.tell(() => path),
    );
    progress.end();
    io.out(`ok: ${manifest.files.length} files of ${manifest.made_at} are in ${dataDir}`);
    if (keptAs !== null) io.out(`what stood there is in ${keptAs}`);
    return exits.done;
  } catch (thrown) {
    progress.end();
    io.err(`dunlin restore: ${sentenceOf(thrown)}`);
    return exits.failed;
  }
}
