import { program } from '../host/program.ts';
import { closest } from '../model/closest.ts';
import { exits, type Io } from './io.ts';

const help = `Usage: dunlin COMMAND [OPTIONS]

  serve         run the daemon
  watch         print what happens, as lines for a person
  replay FILE   play a capture to a link, at its own timing or faster
  sim run NAME  play a scenario without a server; sim list prints the built-in scenarios
  track SITE    run only the tracker over the detections of a site
  user          manage the users who may sign in: add, list, role, passwd, remove
  key           manage the API keys of programs: add, list, revoke
  audit verify  check the audit log for altered rows
  backup TO     copy the data folder, also while the daemon runs
  restore FROM  replace the data folder by a backup
  health        print the health of the running daemon
  doctor        check the box and print what to do
  log-level     print or set the log level of the running daemon
  support-bundle  write an archive that helps another person to find a fault
  check-config  print the problems of the configuration
  open-network  open the box to consoles of its network, with TLS, sign-in and firewall
  version       print the version

'dunlin COMMAND --help' prints the help of a command.`;

type Command = (argv: readonly string[], io: Io) => Promise<number | null> | number | null;

/** Commands by name. Each loads its modules when it is called, so that 'version' does not wait for a database. */
const commands: Record<string, Command> = {
  serve: async (argv, io) => (await import('./serve.ts')).serveCommand(argv, io),
  watch: async (argv, io) => (await import('./watch/command.ts')).watchCommand(argv, io),
  replay: async (argv, io) => (await import('./replay/command.ts')).replayCommand(argv, io),
  sim: async (argv, io) => (await import('./sim/command.ts')).simCommand(argv, io),
  track: async (argv, io) => {
    const [{ trackCommand }, { coreMaker }] = await Promise.all([
      import('./track/command.ts'),
      import('./track/core_maker.ts'),
    ]);
    return trackCommand(argv, io, coreMaker);
  },
  user: async (argv, io) => (await import('./access/user.ts')).userCommand(argv, io),
  key: async (argv, io) => (await import('./access/key.ts')).keyCommand(argv, io),
  audit: async (argv, io) => (await import('./audit/command.ts')).auditCommand(argv, io),
  backup: async (argv, io) => (await import('./backup/command.ts')).backupCommand(argv, io),
  restore: async (argv, io) => (await import('./backup/restore_command.ts')).restoreCommand(argv, io),
  doctor: async (argv, io) => (await import('./doctor/command.ts')).doctorCommand(argv, io),
  health: async (argv, io) => (await import('./health.ts')).healthCommand(argv, io),
  'log-level': async (argv, io) => (await import('./log_level.ts')).logLevelCommand(argv, io),
  'support-bundle': async (argv, io) => (await import('./support/command.ts')).supportBundleCommand(argv, io),
  'check-config': async (argv, io) => (await import('./check_config.ts')).checkConfigCommand(argv, io),
  'open-network': async (argv, io) => (await import('./open_network/command.ts')).openNetworkCommand(argv, io),
  version: (_argv, io) => {
    io.out(`${program.name} ${program.version} (${program.build})`);
    return exits.done;
  },
};

/** Runs a command. Resolves with its exit code, or with null if the command runs until a signal ends the process. */
export async function runCommand([name, ...argv]: readonly string[], io: Io): Promise<number | null> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? io.err : io.out)(help);
    return name === undefined ? exits.wrongUse : exits.done;
  }
  const command = commands[name === '--version' ? 'version' : name];
  if (command) return command(argv, io);
  const near = closest(name, Object.keys(commands));
  const meant = near === null ? '' : ` Did you mean '${near}'?`;
  io.err(`dunlin: there is no command '${name}'.${meant}\n\n${help}`);
  return exits.wrongUse;
}
