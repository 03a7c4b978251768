import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { z } from 'zod';
import { userChangeSchema, userSpecSchema } from '../../model/access.ts';
import { invalidInput } from '../../model/fault.ts';
import { faultOfIssues } from '../../model/issue.ts';
import type { Io } from '../io.ts';
import { roleOf, runVerb, type Service, tableOf, type Verb, WrongUse } from './run.ts';

const MOST_BYTES = 4_096;

/** Reads a password. At a terminal, asks twice without echo; otherwise reads the first line of standard input. */
async function readPassword(what: string, { input }: Io): Promise<string> {
  if (input !== undefined || !process.stdin.isTTY) return firstLine(input ?? process.stdin);
  const first = await askHidden(`${what}: `);
  const second = await askHidden('once more: ');
  if (first !== second) throw invalidInput('the two passwords differ; nothing was changed');
  return first;
}

async function firstLine(input: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES || chunk.includes(10)) break;
  }
  return Buffer.concat(chunks).toString('utf8').split(/\r?\n/, 1)[0] ?? '';
}

/**
 * Asks for a line without echo. With `terminal: true`, readline itself echoes the keys, here to an output that discards
 * them.
 */
async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('SIGINT', () => reject(invalidInput('interrupted; nothing was changed')));
      lines.once('close', () => reject(invalidInput('no password was entered; nothing was changed')));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

const help = `Usage: dunlin user add NAME --role ROLE
       dunlin user list
       dunlin user role NAME ROLE
       dunlin user passwd NAME
       dunlin user remove NAME

Manages the users who may sign in. Roles: owner (everything), operator (works with the picture) or viewer (reads). Works
whether the daemon runs or not; changes take effect at once. A password has 12 characters or more. The command asks for
it, or reads it from the first line of standard input.

  --role ROLE     role of the new user
  --workspace ID  the workspace, by id or name; without it, the first
  --config FILE   the configuration; without it DUNLIN_CONFIG, config/dunlin.yaml, /etc/dunlin/dunlin.yaml
  --data DIR      the data folder; without it, that of the configuration
  --help          this text

Exit codes: 0 done, 1 failed, 2 wrong use, 78 bad configuration.`;

const verbs: Record<string, Verb> = {
  add: { arguments: 1, begins: true, run: add },
  list: { arguments: 0, run: list },
  role: { arguments: 2, run: changeRole },
  passwd: { arguments: 1, run: changePassword },
  remove: { arguments: 1, run: remove },
};

/** Runs `dunlin user`. Resolves with the exit code. */
export function userCommand(argv: readonly string[], io: Io): Promise<number> {
  return runVerb(argv, io, { name: 'user', help, verbs });
}

async function add({ args: [username = ''], flags, io, dataDir, isNew, open, look }: Service): Promise<void> {
  if (flags.role === undefined) throw new WrongUse('name the role of the new user: --role owner, operator or viewer');
  const role = roleOf(flags.role);
  const known = !isNew && (await look(({ access }) => access.users.isKnown(username)));
  // A user of another workspace has a password already.
  const password = known ? {} : { password: await readPassword(`Password of ${username}`, io) };
  const spec = checked(userSpecSchema, { username, role, ...password });
  const { access, workspaceId, by } = await open();
  const user = await access.users.add(workspaceId, spec, by);
  io.out(`${user.username} may sign in as ${user.role} in ${dataDir}`);
}

async function list({ io, open }: Service): Promise<void> {
  const { access, workspaceId } = await open();
  const rows = access.users
    .list(workspaceId)
    .map(({ username, role, created_at, id }) => [username, role, created_at, id]);
  io.out(tableOf([['NAME', 'ROLE', 'SINCE', 'ID'], ...rows]));
}

async function changeRole({ args: [name = '', text = ''], io, dataDir, open }: Service): Promise<void> {
  const role = roleOf(text);
  const { access, workspaceId, by } = await open();
  const { id, username } = access.users.named(workspaceId, name);
  await access.users.update(workspaceId, id, { role }, by);
  io.out(`${username} has the role ${role} now in ${dataDir}`);
}

async function changePassword({ args: [name = ''], io, dataDir, open }: Service): Promise<void> {
  const { password } = checked(userChangeSchema, { password: await readPassword(`New password of ${name}`, io) });
  const { access, workspaceId, by } = await open();
  const { id, username } = access.users.named(workspaceId, name);
  await access.users.update(workspaceId, id, { password }, by);
  io.out(`${username} has a new password in ${dataDir}, and must sign in again with it`);
}

async function remove({ args: [name = ''], io, dataDir, open }: Service): Promise<void> {
  const { access, workspaceId, by } = await open();
  const { id, username } = access.users.named(workspaceId, name);
  access.users.remove(workspaceId, id, by);
  io.out(`${username} may not sign in any more in ${dataDir}`);
}

/** Checks input by a schema of the HTTP interface. Throws a Fault that names what is wrong. */
function checked<T>(schema: z.ZodType<T>, input: unknown): T {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  throw faultOfIssues(read.error.issues, 'the user', input);
}
