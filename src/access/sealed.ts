import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Fault, sentenceOf } from '../model/fault.ts';
import type { LogKind } from '../model/log_kind.ts';
import type { Deed } from '../store/ledger.ts';
import { sealedRows } from '../store/sealed_secrets.ts';
import type { AccessDeps, Changer } from './deps.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Format version: the first byte of sealed data. */
const VERSION = 1;

/** Key that seals secrets, or a sentence with the reason why there is no key. */
export type SealingKey = { key: Buffer } | { missing: string };

/** Reads the key's file: 32 raw bytes, 64 hexadecimal digits, or base64. `path` is null if no file is configured. */
export function readSealingKey(path: string | null): SealingKey {
  if (path === null) {
    return {
      missing: 'secrets cannot be encrypted without a secret key: set DUNLIN_SECRET_KEY_FILE to the path of its file',
    };
  }
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (thrown) {
    return { missing: `the secret key file ${path} cannot be read: ${sentenceOf(thrown)}` };
  }
  const key = keyOf(bytes);
  return key
    ? { key }
    : { missing: `the secret key file ${path} must hold 32 bytes, 64 hexadecimal digits or base64 of 32 bytes` };
}

function keyOf(bytes: Buffer): Buffer | null {
  if (bytes.length === KEY_BYTES) return bytes;
  const text = bytes.toString('latin1').trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : null;
}

/**
 * Encrypted secrets that the service must be able to read again (signing keys of links, credentials of links and
 * outlets, secrets of webhooks). The cipher is AES-256-GCM with workspace and name as associated data, so a secret
 * copied to another name cannot be decrypted. Without a key, `put` and `get` throw `not_configured`.
 */
export class SealedSecrets {
  readonly #deps: AccessDeps;
  readonly #key: SealingKey;
  readonly #rows;

  constructor(deps: AccessDeps, key: SealingKey) {
    this.#deps = deps;
    this.#key = key;
    this.#rows = sealedRows(deps.state);
  }

  /** Sentence with the reason why no key is available; null if there is a key. */
  get missing(): string | null {
    return 'missing' in this.#key ? this.#key.missing : null;
  }

  put(workspaceId: string, name: string, secret: Buffer, { actor }: Changer): void {
    const sealed = seal(this.#required(), workspaceId, name, secret);
    this.#deps.ledger.change(`The secret ${name}`, () => {
      this.#rows.put(workspaceId, name, sealed, this.#deps.ledger.nowText());
      return {
        result: undefined,
        deed: deedOf('secret.sealed', `the secret ${name} was set`, workspaceId, name, actor),
      };
    });
  }

  /** Returns true if a secret has this name, even if it cannot be decrypted. Works without a key. */
  has(workspaceId: string, name: string): boolean {
    return this.#rows.get(workspaceId, name) !== null;
  }

  /**
   * Returns a secret; null if none has this name. Throws `internal` if it was sealed with another key or was changed.
   */
  get(workspaceId: string, name: string): Buffer | null {
    const key = this.#required();
    const sealed = this.#rows.get(workspaceId, name);
    return sealed && unsealed(key, workspaceId, name, sealed);
  }

  /** Deletes a secret. Works without a key. */
  remove(workspaceId: string, name: string, { actor }: Changer): void {
    this.#deps.ledger.change(`The secret ${name}`, () => {
      const was = this.#rows.remove(workspaceId, name);
      const deed = deedOf('secret.removed', `the secret ${name} was removed`, workspaceId, name, actor);
      return { result: undefined, deed: was ? deed : null };
    });
  }

  #required(): Buffer {
    if ('key' in this.#key) return this.#key.key;
    throw new Fault('not_configured', this.#key.missing);
  }
}

function placeOf(workspaceId: string, name: string): Buffer {
  return Buffer.from(JSON.stringify([workspaceId, name]));
}

function seal(key: Buffer, workspaceId: string, name: string, secret: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(placeOf(workspaceId, name));
  const hidden = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([Buffer.from([VERSION]), nonce, hidden, cipher.getAuthTag()]);
}

/** Decrypts a sealed secret. Throws `internal` if it was sealed with another key or was changed. */
export function unsealed(key: Buffer, workspaceId: string, name: string, sealed: Buffer): Buffer {
  const broken = `the secret ${name} cannot be decrypted: it was encrypted with another key, or the stored data was changed`;
  if (sealed[0] !== VERSION || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) throw new Fault('internal', broken);
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const hidden = sealed.subarray(1 + NONCE_BYTES, sealed.length - TAG_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(placeOf(workspaceId, name)).setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    return Buffer.concat([decipher.update(hidden), decipher.final()]);
  } catch (thrown) {
    throw new Fault('internal', broken, { cause: thrown });
  }
}

function deedOf(kind: LogKind, text: string, workspaceId: string, name: string, by: Changer['actor']): Deed {
  return { kind, text, by, workspaceId, subject: { type: 'secret', id: name, label: name }, severity: 'notice' };
}
