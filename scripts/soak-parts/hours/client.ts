import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { SignedIn, Ticket } from '../../../src/model/access.ts';
import type { Failures } from './failures.ts';

export type Reply = { status: number; text: string; ms: number };

type Credential = { token: string; workspaceId: string };

/** A station of the network: its own address, its own connections, and a person who may have signed in on it. */
export class Client {
  readonly #url: string;
  readonly #address: string;
  readonly #failures: Failures;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 6 });
  #account: { username: string; password: string } | null = null;
  #credential: Credential | null = null;
  #streams = new Set<ClientRequest>();

  constructor(url: string, address: string, failures: Failures) {
    this.#url = url;
    this.#address = address;
    this.#failures = failures;
  }

  async signIn(username: string, password: string): Promise<void> {
    this.#account = { username, password };
    this.#credential = null;
    const { status, text } = await this.#send('POST', '/v1/auth/sign-in', this.#account);
    if (status !== 200) throw new Error(`${username} cannot sign in: ${status} ${text}`);
    const { token, workspaces } = (JSON.parse(text) as { data: SignedIn }).data;
    this.#credential = { token, workspaceId: workspaces[0]?.id ?? '' };
  }

  async signOut(): Promise<void> {
    if (this.#credential !== null) await this.ask('POST', 'auth/sign-out', {}, [401]);
    this.#credential = null;
    this.#account = null;
  }

  /**
   * The data of an answer, null where the status is one of `allowed`. Other answers than 200 are noted as failures and give
   * null too. A session that ended is begun again.
   */
  async ask<T>(method: string, path: string, body?: unknown, allowed: readonly number[] = []): Promise<T | null> {
    let reply = await this.#send(method, this.#mounted(path), body);
    if (reply.status === 401 && this.#account !== null && !allowed.includes(401)) {
      await this.signIn(this.#account.username, this.#account.password);
      reply = await this.#send(method, this.#mounted(path), body);
    }
    const { status, text } = reply;
    if (status === 200) return (JSON.parse(text) as { data: T }).data;
    if (!allowed.includes(status)) this.#failures.note(`${method} ${shapeOf(path)} ${status}`, text);
    return null;
  }

  /** A file: no envelope, read and dropped. Answers its bytes. */
  async fetch(path: string, allowed: readonly number[] = []): Promise<number> {
    const { status, text } = await this.#send('GET', path);
    if (status !== 200 && !allowed.includes(status)) this.#failures.note(`GET ${shapeOf(path)} ${status}`, text);
    return text.length;
  }

  /** Times one request of the open surface. */
  async time(path: string): Promise<number> {
    const { status, ms } = await this.#send('GET', path);
    if (status !== 200) this.#failures.note(`GET ${shapeOf(path)} ${status}`, '');
    return ms;
  }

  /** Reads the stream and drops its bytes; `ended` is called where the daemon ends it. */
  async watch(ended: () => void): Promise<void> {
    let path = '/api/stream';
    if (this.#credential !== null) {
      const ticket = await this.ask<Ticket>('POST', 'auth/stream-ticket', {});
      if (ticket !== null) path = `/v1/stream?ticket=${encodeURIComponent(ticket.ticket)}`;
    }
    const { response, request: opened } = await this.#open('GET', path, undefined);
    if (response.statusCode !== 200) this.#failures.note(`GET /stream ${response.statusCode}`, path);
    this.#streams.add(opened);
    response.resume();
    response.on('error', () => {});
    response.once('close', () => {
      if (this.#streams.delete(opened)) ended();
    });
  }

  leave(): void {
    for (const stream of [...this.#streams]) {
      this.#streams.delete(stream);
      stream.destroy();
    }
    this.#agent.destroy();
  }

  #mounted(path: string): string {
    return `${this.#credential === null ? '/api' : '/v1'}/${path}`;
  }

  async #send(method: string, path: string, body?: unknown): Promise<Reply> {
    const beganMs = performance.now();
    const { response } = await this.#open(method, path, body);
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    const text = (response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
    return { status: response.statusCode ?? 0, text, ms: performance.now() - beganMs };
  }

  #open(method: string, path: string, body: unknown): Promise<{ response: IncomingMessage; request: ClientRequest }> {
    const headers: Record<string, string> = { 'accept-encoding': 'gzip' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (this.#credential !== null) {
      headers.authorization = `Bearer ${this.#credential.token}`;
      headers['x-workspace-id'] = this.#credential.workspaceId;
    }
    // A stream keeps its connection, so it takes none of the pool.
    const agent = path.includes('/stream') && method === 'GET' ? false : this.#agent;
    return new Promise((resolve, reject) => {
      const sent = request(this.#url + path, { method, headers, agent, localAddress: this.#address }, (response) =>
        resolve({ response, request: sent }),
      );
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The daemon closed an idle connection just as it was used again: the request was not read, as browsers know.
        const isIdleEnd = sent.reusedSocket && error.code === 'ECONNRESET';
        if (isIdleEnd) this.#open(method, path, body).then(resolve, reject);
        else reject(error);
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** A path without ids and queries, so that failures of one route count together. */
function shapeOf(path: string): string {
  return path.replace(/\?.*/, '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
}
