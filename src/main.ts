#!/usr/bin/env node
import { exits, type Io, processIo } from './cli/io.ts';
import { closest } from './host/config/closest.ts';
import { program } from './host/program.ts';

const help = `Usage: dunlin COMMAND [OPTIONS]

  serve         run the daemon
  watch         print what happens, as lines for a person
  replay FILE   play a capture to a link, at its own timing or faster
  sim run NAME  play a scenario without a server: sim list tells which are built in
  track SITE    run the tracker alone over a recorded or made scenario
  user          who may sign in: add, list, role, passwd, remove
  key           the keys of programs: add, list, revoke
  audit verify  check the chain of what people did
  backup TO     copy the data folder, also while the daemon runs
  restore FROM  put a backup in the data folder's place
  doctor        check the box and say what to do
  check-config  say what is wrong with the configuration
  version       print the version

'dunlin COMMAND --help' says more of each.`;

type Command = (argv: readonly string[], io: Io) => Promise<number | null> | number | null;

/** Commands load what they need when they are called: 'version' does not wait for a database. */
const commands: Record<string, Command> = {
  serve: async (argv, io) => (await import('./cli/serve.ts')).serveCommand(argv, io),
  watch: async (argv, io) => (await import('./cli/watch/command.ts')).watchCommand(argv, io),
  replay: async (argv, io) => (await import('./cli/replay/command.ts')).replayCommand(argv, io),
  sim: async (argv, io) => (await import('./cli/sim/command.ts')).simCommand(argv, io),
  track: async (argv, io) => {
    const [{ trackCommand }, { coreMaker }] = await Promise.all([
      import('./cli/track/command.ts'),
      import('./cli/track/core_maker.ts'),
    ]);
    return trackCommand(argv, io, coreMaker);
  },
  user: async (argv, io) => (await import('./cli/access/user.ts')).userCommand(argv, io),
  key: async (argv, io) => (await import('./cli/access/key.ts')).keyCommand(argv, io),
  audit: async (argv, io) => (await import('./cli/audit/command.ts')).auditCommand(argv, io),
  backup: async (argv, io) => (await import('./cli/backup/command.ts')).backupCommand(argv, io),
  restore: async (argv, io) => (await import('./cli/backup/restore_command.ts')).restoreCommand(argv, io),
  doctor: async (argv, io) => (await import('./cli/doctor/command.ts')).doctorCommand(argv, io),
  'check-config': async (argv, io) => (await import('./cli/check_config.ts')).checkConfigCommand(argv, io),
  version: (_argv, io) => {
    io.out(`${program.name} ${program.version} (${program.build})`);
    return exits.done;
  },
};

async function main(): Promise<void> {
  const io = processIo();
  const [name, ...argv] = process.argv.slice(2);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? io.err : io.out)(help);
    process.exitCode = name === undefined ? exits.wrongUse : exits.done;
    return;
  }
  const command = commands[name === '--version' ? 'version' : name];
  if (!command) {
    const near = closest(name, Object.keys(commands));
    const meant = near === null ? '' : ` Did you mean '${near}'?`;
    io.err(`dunlin: there is no command '${name}'.${meant}\n\n${help}`);
    process.exitCode = exits.wrongUse;
    return;
  }
  const code = await command(argv, io);
  if (code !== null) process.exitCode = code;
}

await main();
