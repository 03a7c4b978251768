import type { Test } from 'tap';
import type { MadeKey, Membership, SignedIn } from '../../../src/model/access.ts';
import type { Role } from '../../../src/model/actor.ts';
import { Ledger } from '../../../src/store/ledger.ts';
import { LogCounter, reserveIn } from '../../../src/store/log_counter.ts';
import { openStateBeside } from '../../../src/store/state.ts';
import { byHand, PASSWORD, sending } from '../http/person.ts';
import { type Answer, ask } from '../http/server.ts';
import { accessOf } from '../registry/registry.ts';
import { type Daemon, until } from './daemon.ts';
import { runToEnd } from './program.ts';

export type Headers = Record<string, string>;

/** Somebody who signed in to a real daemon with his password. */
export class Member {
  readonly token: string;
  readonly #signedIn: SignedIn;
  readonly #url: string;
  readonly #home: string;

  constructor(url: string, signedIn: SignedIn) {
    this.token = signedIn.token;
    this.#signedIn = signedIn;
    this.#url = url;
    this.#home = signedIn.workspaces[0]?.id ?? '';
  }

  /** The same session after the daemon started again: it outlives that, on another port. */
  at(url: string): Member {
    return new Member(url, this.#signedIn);
  }

  /** What his requests carry that are for a workspace, his first one where none is named. */
  headers(workspaceId = this.#home): Headers {
    return { ...this.session(), 'x-workspace-id': workspaceId };
  }

  session(): Headers {
    return { authorization: `Bearer ${this.token}` };
  }

  ask(method: string, path: string, body?: unknown, workspaceId = this.#home): Promise<Answer> {
    return ask(this.#url + path, sending(method, this.headers(workspaceId), body));
  }

  /** The data of an answer that must be good. */
  async get<T>(method: string, path: string, body?: unknown, workspaceId = this.#home): Promise<T> {
    const answer = await this.ask(method, path, body, workspaceId);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body.data as T;
  }

  workspace(name: string): Promise<Membership> {
    return this.get('POST', '/v1/workspaces', { name });
  }

  key(role: Role, workspaceId = this.#home): Promise<MadeKey> {
    return this.get('POST', '/v1/keys', { name: `${role} key`, role }, workspaceId);
  }

  /** Lets somebody else in, who signs in at once. */
  async member(username: string, role: Role, workspaceId = this.#home): Promise<Member> {
    await this.get('POST', '/v1/users', { username, role, password: PASSWORD }, workspaceId);
    return signIn(this.#url, username);
  }
}

/**
 * Somebody who is added as the first one of a box is, beside the daemon, and signs in. With `env`, by the command line with
 * that environment. Else in the process of the test and with a cheap hash, for a tenth of the CPU time.
 */
export async function firstOwner(t: Test, daemon: Daemon, username = 'anna', env?: NodeJS.ProcessEnv): Promise<Member> {
  await (env === undefined ? addHere(daemon, username) : addByCommand(t, daemon, username, env));
  return signIn(daemon.url, username);
}

async function addByCommand(t: Test, { dataDir }: Daemon, username: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ['user', 'add', username, '--role', 'owner', '--data', dataDir];
  const { code, err } = await runToEnd(t, args, { input: `${PASSWORD}\n`, withinMs: 60_000, env });
  if (code !== 0) throw new Error(`dunlin user add: ${code} ${err}`);
}

async function addHere({ dataDir }: Daemon, username: string): Promise<void> {
  const state = openStateBeside(dataDir);
  if (state === null) throw new Error(`the daemon has no state in ${dataDir}`);
  const ledger = new Ledger(state, new LogCounter(0, reserveIn(state, 1)), Date.now);
  const access = accessOf({ state, ledger });
  const [workspace] = access.workspaces.list();
  await access.users.add(workspace?.id ?? '', { username, role: 'owner', password: PASSWORD }, byHand);
  state.close();
}

/** An address takes five tries a minute: a test that signs in more people waits until it is taken again. */
async function signIn(url: string, username: string): Promise<Member> {
  const body = { username, password: PASSWORD };
  const answer = await until(
    async () => {
      const tried = await ask(`${url}/v1/auth/sign-in`, sending('POST', {}, body));
      return tried.status === 429 ? null : tried;
    },
    `${username} signs in`,
    70_000,
  );
  if (answer.status !== 200) throw new Error(`${username} cannot sign in: ${answer.status} ${answer.text}`);
  return new Member(url, answer.body.data as SignedIn);
}
