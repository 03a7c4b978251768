import { readFileSync } from 'node:fs';
import type { Changer } from '../access/deps.ts';
import type { SealedSecrets } from '../access/sealed.ts';
import { type Credentials, readPem, viewOf } from '../edge/link/tls/credentials.ts';
import type { CredentialHolder } from '../edge/link/tls/holder.ts';
import { idOfName } from '../host/name_id.ts';
import type { CredentialFiles, CredentialsView } from '../model/credentials.ts';
import { sentenceOf } from '../model/fault.ts';
import { credentialsSecretName } from '../store/sealed_secrets.ts';

export type CredentialOwner = 'link' | 'outlet';

type Configured = CredentialFiles & { name: string };

type CredentialStoreDeps = {
  secrets: Pick<SealedSecrets, 'get' | 'has' | 'put' | 'remove'>;
  workspaceId: string;
  nowMs(): number;
  utcMs(): number;
  /** Links and outlets of the configuration. Those without credential files are ignored. */
  files: Readonly<Record<CredentialOwner, readonly Configured[]>>;
};

/** Remaining validity of a certificate below which people are warned, days. */
export const WARNED_DAYS = 30;
const DAY_MS = 86_400_000;
/** Time after which credential files are read again, ms: a certificate may be renewed in the same file. */
const FILES_AGAIN_MS = 3_600_000;

type Found = { view: CredentialsView | null; fault: string | null; atMs: number };

/** Credentials of the links and outlets of a workspace: sealed in the database, or in files of the configuration. */
export class CredentialStore {
  readonly #deps: CredentialStoreDeps;
  readonly #files = new Map<string, CredentialFiles>();
  /** Cached view or fault of credentials, by the name of their secret. The secrets themselves are read for each use. */
  readonly #found = new Map<string, Found>();

  constructor(deps: CredentialStoreDeps) {
    this.#deps = deps;
    for (const of of ['link', 'outlet'] as const)
      for (const { name, cert_file, key_file, ca_file } of deps.files[of])
        if ((cert_file ?? ca_file) !== undefined)
          this.#files.set(credentialsSecretName(of, idOfName(of, name)), { cert_file, key_file, ca_file });
  }

  of(of: CredentialOwner, id: string): CredentialHolder {
    const name = credentialsSecretName(of, id);
    return {
      read: () => this.#read(name),
      view: () => this.#state(name).view,
      trouble: () => {
        const { view, fault } = this.#state(name);
        return fault ?? endSentence(view, this.#deps.utcMs());
      },
    };
  }

  /** Returns true if the configuration names credential files. These are then used in place of sealed credentials. */
  isOfFiles(of: CredentialOwner, id: string): boolean {
    return this.#files.has(credentialsSecretName(of, id));
  }

  has(of: CredentialOwner, id: string): boolean {
    return this.#deps.secrets.has(this.#deps.workspaceId, credentialsSecretName(of, id));
  }

  /** Seals credentials. Call this inside `Ledger.change`. Throws `not_configured` if the box has no sealing key. */
  put(of: CredentialOwner, id: string, credentials: Credentials, by: Changer): void {
    const name = credentialsSecretName(of, id);
    this.#deps.secrets.put(this.#deps.workspaceId, name, Buffer.from(JSON.stringify(credentials)), by);
  }

  /** Deletes sealed credentials. Call this inside `Ledger.change`. */
  remove(of: CredentialOwner, id: string, by: Changer): void {
    this.#deps.secrets.remove(this.#deps.workspaceId, credentialsSecretName(of, id), by);
  }

  /** Drops what is cached about credentials. Call this after each change, even if the change failed. */
  changed(of: CredentialOwner, id: string): void {
    this.#found.delete(credentialsSecretName(of, id));
  }

  #state(name: string): Found {
    const found = this.#found.get(name);
    const isOld = this.#files.has(name) && this.#deps.nowMs() - (found?.atMs ?? 0) > FILES_AGAIN_MS;
    if (found !== undefined && !isOld) return found;
    try {
      this.#read(name);
    } catch {
      // `#read` has stored the sentence of the fault in `#found`.
    }
    return this.#found.get(name) ?? { view: null, fault: null, atMs: 0 };
  }

  #read(name: string): Credentials | null {
    const atMs = this.#deps.nowMs();
    try {
      const files = this.#files.get(name);
      const credentials = files === undefined ? this.#sealed(name) : readFiles(files);
      this.#found.set(name, { view: credentials && viewOf(credentials), fault: null, atMs });
      return credentials;
    } catch (thrown) {
      const fault = `the credentials cannot be used: ${sentenceOf(thrown)}`;
      this.#found.set(name, { view: null, fault, atMs });
      throw new Error(fault, { cause: thrown });
    }
  }

  #sealed(name: string): Credentials | null {
    const { secrets, workspaceId } = this.#deps;
    if (!secrets.has(workspaceId, name)) return null;
    const bytes = secrets.get(workspaceId, name);
    return bytes && (JSON.parse(bytes.toString('utf8')) as Credentials);
  }
}

/**
 * Reads the credential files that the configuration names. Throws an error that names the setting. For secrecy it gives
 * neither path nor content.
 */
export function readFiles(files: CredentialFiles): Credentials {
  const text = (key: keyof CredentialFiles): string | null => {
    const path = files[key];
    if (path === undefined) return null;
    try {
      return readFileSync(path, 'utf8');
    } catch (thrown) {
      throw new Error(`${key} cannot be read: ${reasonOf(thrown)}`);
    }
  };
  return readPem({ cert_file: text('cert_file'), key_file: text('key_file'), ca_file: text('ca_file') });
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return reasons[code] ?? code;
}

/** Returns the days until the end of a certificate, rounded down; null without a certificate. */
export function daysLeft(view: CredentialsView | null, utcMs: number): number | null {
  return view?.not_after == null ? null : Math.floor((Date.parse(view.not_after) - utcMs) / DAY_MS);
}

/** Returns a sentence about a certificate that ends within `WARNED_DAYS` or has ended; null for any other. */
export function endSentence(view: CredentialsView | null, utcMs: number): string | null {
  const days = daysLeft(view, utcMs);
  if (days === null || days >= WARNED_DAYS) return null;
  const day = view?.not_after?.slice(0, 10);
  if (days < 0) return `the certificate expired on ${day}: set a new one`;
  return `the certificate expires on ${day}, in ${days} days: set a new one before that day`;
}
