import { type Config, readConfig } from '../../host/config.ts';
import { createJournal } from '../../host/journal.ts';
import { handleSignals } from '../../host/signals.ts';
import { Fault, sentenceOf } from '../../model/fault.ts';
import type { Setting } from '../../model/setting.ts';
import { readArguments } from '../arguments.ts';
import { exits, type Io } from '../io.ts';
import { createDaemon } from './daemon.ts';

const help = `Usage: dunlin serve [--config FILE] [--data DIR] [--listen HOST:PORT] [--link SPEC]… [--demo]

Runs the daemon until it is told to stop (SIGTERM, SIGINT).

  --config FILE       the configuration; without it DUNLIN_CONFIG, config/dunlin.yaml, /etc/dunlin/dunlin.yaml
  --data DIR          where state and history are kept
  --listen HOST:PORT  where HTTP is served; port 0 takes a free one
  --link SPEC         a link besides those of the configuration, repeatable, for example
                      name=rid,transport=udp,address=127.0.0.1:14550,protocol=mavlink
                      name=gate,transport=serial,address=/dev/serial/by-id/…,baud=115200,protocol=odid_json
  --demo              play the built-in demonstration, beside the live world and over and over
  --help              this text

Exit codes: 0 stopped in order, 1 could not start, 2 wrong use, 70 an error nobody expected, 78 bad configuration.`;

const options = {
  config: { type: 'string' },
  data: { type: 'string' },
  listen: { type: 'string' },
  link: { type: 'string', multiple: true },
  demo: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `dunlin serve`: resolves with the exit code where it did not start; else the process ends by signal. */
export async function serveCommand(argv: readonly string[], io: Io): Promise<number | null> {
  const called = readArguments(argv, { name: 'serve', help, options }, io);
  if (typeof called === 'number') return called;
  const { link, demo = false, help: _help, ...named } = called.values;
  const found = readConfig({ ...named, ...(link ? { links: link } : {}) });
  for (const warning of found.warnings) io.err(`warning: ${warning}`);
  if (!found.ok) {
    for (const problem of found.problems) io.err(problem);
    return exits.badConfiguration;
  }
  return run(found.config, { settings: found.settings, demo }, io);
}

async function run(
  config: Config,
  told: { settings: readonly Setting[]; demo: boolean },
  io: Io,
): Promise<number | null> {
  const journal = createJournal({ level: config.log.level });
  const { log } = journal;
  const daemon = createDaemon(
    config,
    journal,
    (sentence) => {
      // What is left of the process cannot guard anything; the service manager starts a new one.
      log.fatal(sentence);
      void journal.flush().then(() => process.exit(1));
    },
    told,
  );
  handleSignals({ log, stop: () => daemon.stop(), flush: () => journal.flush() });
  try {
    const url = await daemon.start();
    // The journal is for machines; whoever started it by hand is told where to look.
    if (url !== null && isByHand(io)) io.err(welcome(url, told.demo));
    return null;
  } catch (thrown) {
    const code = thrown instanceof Fault ? thrown.code : 'internal';
    log.fatal({ code, ...(thrown instanceof Fault ? {} : { err: thrown }) }, sentenceOf(thrown));
    await journal.flush();
    if (isByHand(io)) io.err(`dunlin serve: ${sentenceOf(thrown)}`);
    return exits.failed;
  }
}

function isByHand(io: Io): boolean {
  return io.isTty || process.env.DUNLIN_BY_HAND !== undefined;
}

function welcome(url: string, demo: boolean): string {
  const shown = demo
    ? `\nThe demonstration is shown. The live world:
  curl -s ${url}/api/sim/mode -H 'content-type: application/json' -d '{"mode": "live"}'`
    : '';
  return `Dunlin serves ${url}
  the picture    ${url}/api/picture
  the stream     curl -sN ${url}/api/stream
  the interface  ${url}/docs
Stop it with Ctrl-C.${shown}`;
}
