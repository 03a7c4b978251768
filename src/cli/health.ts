import { setTimeout as delay } from 'node:timers/promises';
import { sentenceOf } from '../model/fault.ts';
import { healthSchema } from '../model/health.ts';
import { readArguments, type Values, wrongUse } from './arguments.ts';
import { call, dataOf, jsonOf } from './daemon/call.ts';
import { checkUrl, type DaemonPlace, daemonPlace, placeHelp, placeOptions } from './daemon/place.ts';
import { exits, type Io } from './io.ts';
import { printable } from './watch/printable.ts';

const help = `Usage: dunlin health [--wait SECONDS] [--url URL] [--key-file FILE] [--ca FILE] [--config FILE]

Prints the health of the running daemon, one line for each part. If the daemon is not healthy, the exit code is 3.

  --wait SECONDS   repeats the request until the daemon answers, for at most this time
${placeHelp}
  --help           this text

Exit codes: 0 healthy, 1 no answer, 2 wrong use, 3 not healthy, or health not shown without a key, 78 bad configuration.`;

const options = { ...placeOptions, wait: { type: 'string' } } as const;
const NOT_HEALTHY = 3;
const ASK_EVERY_MS = 250;

/** Runs `dunlin health`. Resolves with the exit code. */
export async function healthCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = readArguments(argv, { name: 'health', help, options, read }, io);
  if (typeof flags === 'number') return flags;
  try {
    const place = daemonPlace(flags, io);
    if (place === null) return exits.badConfiguration;
    await waitFor(place, flags.waitMs);
    return await printHealth(place, io);
  } catch (thrown) {
    io.err(`dunlin health: ${printable(sentenceOf(thrown))}`);
    return exits.failed;
  }
}

function read([stray]: readonly string[], { wait = '0', ...flags }: Values<typeof options>) {
  checkUrl(flags.url);
  if (stray !== undefined) throw wrongUse(`unexpected argument '${stray}'`);
  if (!/^\d{1,4}$/.test(wait)) throw wrongUse('--wait must be a number of seconds from 0 to 9999');
  return { ...flags, waitMs: Number(wait) * 1_000 };
}

async function waitFor(place: DaemonPlace, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      await call(place, { method: 'GET', path: '/' });
      return;
    } catch (thrown) {
      if (performance.now() >= deadline) throw thrown;
      await delay(ASK_EVERY_MS);
    }
  }
}

async function printHealth(place: DaemonPlace, io: Io): Promise<number> {
  const { status, body } = await call(place, { method: 'GET', path: '/api/health' });
  if (status === 503) {
    const said = jsonOf(body) as { error?: unknown } | null;
    io.out(printable(String(said?.error ?? 'not healthy')));
    return NOT_HEALTHY;
  }
  if (status === 401 || status === 403) {
    io.out('the daemon runs, but shows its health only to callers with an API key: add --key-file FILE');
    return NOT_HEALTHY;
  }
  const { parts } = dataOf(place, { status, body }, healthSchema);
  for (const { name, state, text } of parts) io.out(printable(`${state.padEnd(8)}  ${name}: ${text}`));
  return exits.done;
}
