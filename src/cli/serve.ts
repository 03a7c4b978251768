import { relative } from 'node:path';
import { createDaemon } from '../daemon/daemon.ts';
import { type Config, readConfig } from '../host/config.ts';
import { createJournal } from '../host/journal.ts';
import { handleSignals } from '../host/signals.ts';
import { releaseStartPages } from '../host/start_pages.ts';
import { resetInitialHeapOfWorkers } from '../host/worker_heaps.ts';
import { Fault, sentenceOf } from '../model/fault.ts';
import type { Setting } from '../model/setting.ts';
import { NewerState } from '../store/migrate.ts';
import { daemonOptions, flagsAlone, readArguments } from './arguments.ts';
import { certificateProblem } from './certificate.ts';
import { exits, type Io } from './io.ts';

const help = `Usage: dunlin serve [--config FILE] [--data DIR] [--listen HOST:PORT] [--link SPEC]…
                    [--outlet SPEC]… [--demo]

Runs the daemon until SIGTERM or SIGINT stops it.

  --config FILE       the configuration; without it DUNLIN_CONFIG, config/dunlin.yaml, /etc/dunlin/dunlin.yaml
  --data DIR          the data folder, with the state and the history
  --listen HOST:PORT  address and port at which HTTP is served; for port 0 the system chooses a free port
  --link SPEC         another link, in addition to those of the configuration; repeatable, for example
                      name=rid,transport=udp,address=127.0.0.1:14550,protocol=mavlink
                      name=gate,transport=serial,address=/dev/serial/by-id/…,baud=115200,protocol=odid_json
  --outlet SPEC       a system to which the picture is sent; repeatable, for example
                      name=tak,kind=cot,transport=udp,address=239.2.3.1:6969
  --demo              also play the built-in demonstration again and again, beside the live world
  --help              this text

Exit codes: 0 clean stop, 1 could not start, 2 wrong use, 65 data of a newer version, 70 unexpected error,
78 bad configuration.`;

/** EX_DATAERR of sysexits.h. systemd does not restart the daemon, and `dunlin rollback` then restores a backup. */
const dataOfNewerVersion = 65;

const options = { ...daemonOptions, demo: { type: 'boolean' } } as const;

/**
 * Runs `dunlin serve`. Resolves with the exit code if the start failed; with null if the daemon runs until a signal.
 */
export async function serveCommand(argv: readonly string[], io: Io): Promise<number | null> {
  const flags = readArguments(argv, { name: 'serve', help, options, read: flagsAlone }, io);
  if (typeof flags === 'number') return flags;
  const { demo = false } = flags;
  const found = readConfig(flags);
  for (const warning of found.warnings) io.err(`warning: ${warning}`);
  for (const problem of found.problems) io.err(problem);
  const certificate = found.ok ? certificateProblem(found.config.http.tls) : null;
  if (certificate !== null) io.err(certificate);
  if (!found.ok || certificate !== null) return exits.badConfiguration;
  return run(found.config, { settings: found.settings, demo }, io);
}

async function run(
  config: Config,
  given: { settings: () => readonly Setting[]; demo: boolean },
  io: Io,
): Promise<number | null> {
  const journal = createJournal({ level: config.log.level });
  const { log } = journal;
  resetInitialHeapOfWorkers();
  const daemon = createDaemon(
    config,
    journal,
    (sentence) => {
      // The daemon can no longer work. End the process, so that the service manager starts a new one.
      log.fatal(sentence);
      void journal.flush().then(() => process.exit(1));
    },
    given,
  );
  handleSignals({ log, stop: () => daemon.stop(), flush: () => journal.flush() });
  try {
    const url = await daemon.start();
    releaseStartPages();
    // The journal is for machines, so a person who started the daemon by hand gets the addresses as text.
    if (url !== null && isByHand(io)) io.err(welcome(url, given.demo));
    return null;
  } catch (thrown) {
    const code = thrown instanceof Fault ? thrown.code : 'internal';
    log.fatal({ code, ...(thrown instanceof Fault ? {} : { err: thrown }) }, sentenceOf(thrown));
    await journal.flush();
    if (isByHand(io)) io.err(`dunlin serve: ${sentenceOf(thrown)}`);
    return thrown instanceof NewerState ? dataOfNewerVersion : exits.failed;
  }
}

function isByHand(io: Io): boolean {
  return io.isTty || process.env.DUNLIN_BY_HAND !== undefined;
}

function welcome(url: string, demo: boolean): string {
  return `Dunlin serves ${url}
  the console    ${url}/console/
  what happens   ${watchCommandOf(url)}
  the picture    ${url}/api/picture
  the stream     curl -sN ${url}/api/stream
  the interface  ${url}/docs
Stop it with Ctrl-C.${demo ? demoWelcome(url) : ''}`;
}

/** Returns the text about the demonstration. A test compares it with the events of config/scenarios/demo.yaml. */
function demoWelcome(url: string): string {
  return `

The demonstration is shown: a simulation around a depot, over and over. Look in another terminal:
  ${watchCommandOf(url)}
Within 10 s an aircraft without a name flies at the depot: THREAT high, then ALERT "in Depot surroundings". Heron is the
own vehicle (friend); a plan to send it to the intruder is proposed.
  why it matters        curl -s ${url}/api/threats
  who has to act        curl -s ${url}/api/alerts
  what may be done      curl -s ${url}/api/engagement
  back to the live world  curl -s ${url}/api/sim/mode -H 'content-type: application/json' -d '{"mode": "live"}'`;
}

/**
 * Returns the `watch` command for the path by which this program was called, so that it works without an installation.
 */
function watchCommandOf(url: string): string {
  const [, script = 'build/dist/main.js'] = process.argv;
  return `node ${relative(process.cwd(), script) || script} watch --url ${url}`;
}
