import { invalidInput, notFound } from '../../model/fault.ts';
import { isUuid } from '../../model/ids.ts';
import type { Io } from '../io.ts';
import { roleOf, runVerb, type Service, tableOf, type Verb } from './run.ts';

const help = `Usage: dunlin key add NAME [--role ROLE] [--may-command]
       dunlin key list
       dunlin key revoke ID

Manages the API keys that programs send as X-Api-Key. The secret of a key is shown only once, when the key is created. A
key is valid until it is revoked. Works whether the daemon runs or not; changes take effect at once.

  --role ROLE     owner, operator or viewer (default operator)
  --may-command   the key may send movement commands to vehicles
  --workspace ID  the workspace, by id or name; without it, the first
  --config FILE   the configuration; without it DUNLIN_CONFIG, config/dunlin.yaml, /etc/dunlin/dunlin.yaml
  --data DIR      the data folder; without it, that of the configuration
  --help          this text

Exit codes: 0 done, 1 failed, 2 wrong use, 78 bad configuration.`;

const verbs: Record<string, Verb> = {
  add: { arguments: 1, begins: true, run: add },
  list: { arguments: 0, run: list },
  revoke: { arguments: 1, run: revoke },
};

/** Runs `dunlin key`. Resolves with the exit code. */
export function keyCommand(argv: readonly string[], io: Io): Promise<number> {
  return runVerb(argv, io, { name: 'key', help, verbs });
}

async function add({ args: [name = ''], flags, io, dataDir, open }: Service): Promise<void> {
  const role = roleOf(flags.role ?? 'operator');
  if (name.trim() === '' || name.length > 120) throw invalidInput('a name has 1 to 120 characters');
  const { access, workspaceId, by } = await open();
  const spec = { name: name.trim(), role, may_command: flags['may-command'] ?? false };
  const key = access.keys.add(workspaceId, spec, { ...by, role: 'owner' });
  // Only the secret goes to standard output, so that it can be piped to another program.
  io.err(`the key ${key.name} (${key.id}), role ${key.role}, in ${dataDir}; its secret is not shown again:`);
  io.out(key.secret);
}

async function list({ io, open }: Service): Promise<void> {
  const { access, workspaceId } = await open();
  const rows = access.keys
    .list(workspaceId)
    .map((key) => [key.name, key.prefix, key.role, key.last_used_at ?? 'never', key.revoked_at ?? '', key.id]);
  io.out(tableOf([['NAME', 'PREFIX', 'ROLE', 'LAST USED', 'REVOKED', 'ID'], ...rows]));
}

async function revoke({ args: [id = ''], io, dataDir, open }: Service): Promise<void> {
  if (!isUuid(id)) throw notFound(`'${id}' is not the id of a key: dunlin key list shows the ids`);
  const { access, workspaceId, by } = await open();
  access.keys.revoke(workspaceId, id, by);
  io.out(`the key ${id} was revoked in ${dataDir}`);
}
