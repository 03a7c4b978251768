import { type Config, parseHostPort } from '../../host/config.ts';
import { Fault } from '../../model/fault.ts';
import { reasonOf } from '../../store/failures.ts';
import { flagsAlone, readArguments, type Values, wrongUse } from '../arguments.ts';
import { canAsk, confirm } from '../confirm.ts';
import { exits, type Io } from '../io.ts';
import { type Box, thisBox } from './box.ts';
import { certificateStep } from './certificate.ts';
import { type Current, configurationStep, currentConfig, listenFor } from './configuration.ts';
import { firewallStep } from './firewall.ts';
import { leftToDo } from './left.ts';
import { type Opening, readOpening } from './opening.ts';
import type { Step } from './step.ts';

const help = `Usage: dunlin open-network --name NAME --address IP --network CIDR [--config FILE] [--yes] [--dry-run] [--renew]

Opens the box to consoles of its local network: TLS with its own certificate, sign-in for every caller except the box
itself, and a firewall that lets only this network reach the port. Prints the changes first, and asks. A part that is
already right stays unchanged, so the command can be repeated.

  --name NAME      host name of the box, such as dunlin.local
  --address IP     address of the box in that network; may be repeated
  --network CIDR   network of the consoles, such as 192.168.77.0/24; may be repeated
  --config FILE    the configuration, found as 'dunlin serve' finds it; created if it is missing
  --yes            makes the changes without asking
  --dry-run        prints what would change, and changes nothing
  --renew          creates a new certificate, even if the present one is suitable
  --help           this text

Exit codes: 0 done, 1 failed or declined, 2 wrong use, 78 bad configuration.`;

const options = {
  name: { type: 'string' },
  address: { type: 'string', multiple: true },
  network: { type: 'string', multiple: true },
  config: { type: 'string' },
  yes: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  renew: { type: 'boolean' },
} as const;

type Flags = Values<typeof options> & { opening: Opening };
type Plan = { steps: readonly Step[]; tls: NonNullable<Config['http']['tls']>; port: number };

/** Runs `dunlin open-network`. Resolves with the exit code. */
export async function openNetworkCommand(argv: readonly string[], io: Io, box: Box = thisBox()): Promise<number> {
  const flags = readArguments(argv, { name: 'open-network', help, options, read }, io);
  if (typeof flags === 'number') return flags;
  try {
    const current = currentConfig(flags.config, box);
    if ('file' in current) return await open(flags, current, io, box);
    for (const problem of current) io.err(problem);
    return exits.badConfiguration;
  } catch (thrown) {
    io.err(`dunlin open-network: ${thrown instanceof Fault ? thrown.message : reasonOf(thrown)}`);
    return exits.failed;
  }
}

function read(words: readonly string[], values: Values<typeof options>): Flags {
  const { name, address, network } = flagsAlone(words, values);
  if (name === undefined || address === undefined || network === undefined)
    throw wrongUse('--name, --address and --network are required');
  return { ...values, opening: readOpening(name, address, network) };
}

async function open(flags: Flags, current: Current, io: Io, box: Box): Promise<number> {
  const { opening } = flags;
  warnOfForeign(opening, io, box);
  const { steps, tls, port } = planOf(flags, current, box);
  const changing = steps.filter(({ change }) => change !== null);
  io.out(`${opening.name} (${opening.addresses.join(', ')}) will be reachable from ${opening.networks.join(', ')}:`);
  for (const { title, lines } of steps) io.out(row(title, lines));
  if (flags['dry-run']) return exits.done;
  if (changing.length > 0 && !flags.yes) {
    if (!canAsk(io)) {
      io.err('dunlin open-network: nothing was changed: without a terminal, the command needs --yes');
      return exits.wrongUse;
    }
    if (!(await confirm(io, 'Go on?'))) {
      io.err('nothing was changed');
      return exits.failed;
    }
  }
  for (const { title, change } of changing) {
    change?.();
    io.out(`done: ${title}`);
  }
  io.out('Left to do:');
  for (const { title, left = [] } of steps) if (left.length > 0) io.out(row(title, left));
  const opened = { opening, file: current.file, config: current.config, certificate: tls.cert_file, port };
  for (const [title, lines] of leftToDo(box, opened)) io.out(row(title, lines));
  return exits.done;
}

/** Plans the steps. The configuration is written last, so that a restart before the end opens nothing. */
function planOf({ opening, renew = false }: Flags, current: Current, box: Box): Plan {
  const { listen, tls: configured } = current.config.http;
  const port = parseHostPort(listenFor(listen, opening))?.port ?? 0;
  const certificate = certificateStep({ box, opening, file: current.file, renew }, configured);
  const { tls } = certificate;
  const configuration = configurationStep(current, { opening, tls });
  return { steps: [certificate, firewallStep(box, opening, port), configuration], tls, port };
}

function warnOfForeign({ addresses }: Opening, io: Io, box: Box): void {
  const own = box.addresses();
  for (const address of addresses.filter((given) => !own.includes(given)))
    io.err(`warning: no interface of this box has the address ${address} now; there are ${own.join(', ')}`);
}

/** Formats a title with its lines. A command of several lines is not indented, so that a person can copy it. */
function row(title: string, lines: readonly string[]): string {
  if (lines.some((line) => line.includes('\n'))) return `  ${title}:\n${lines.join('\n')}`;
  return lines.map((line, index) => `  ${(index === 0 ? title : '').padEnd(14)} ${line}`).join('\n');
}
