import type { SealedSecrets } from '../../access/sealed.ts';
import { KEY_SIZE } from '../../edge/wire/mavlink/signing.ts';
import { sentenceOf } from '../../model/fault.ts';
import { type LinkSigningRow, linkSigningRows, signingSecretName } from '../../store/link_signing.ts';
import type { State } from '../../store/state.ts';
import type { KeptSigning } from './link_signing.ts';

/** Keeps signing keys and timestamps across restarts. */
export type KeyStore = {
  read(linkId: string): KeptSigning;
  /** Throws a Fault if the disk cannot be written. */
  save(rows: readonly LinkSigningRow[]): void;
};

/** Creates a key store in the state database of this node. */
export function storedSigning(state: State, workspaceId: string, secrets: SealedSecrets): KeyStore {
  const rows = linkSigningRows(state);
  return {
    read(linkId) {
      const row = rows.get(workspaceId, linkId);
      if (row === null) return { row, key: null, trouble: null };
      return { row, ...keyOf(secrets, workspaceId, linkId) };
    },
    save(changed) {
      state.write('The signing times of links', () => {
        // Skips rows of links whose stored row was deleted in the meantime.
        for (const row of changed) if (rows.get(workspaceId, row.linkId)) rows.put(workspaceId, row);
      });
    },
  };
}

/**
 * Returns the stored key of a link; null for none. A link whose key cannot be read works without one, and `trouble`
 * gives the reason.
 */
function keyOf(secrets: SealedSecrets, workspaceId: string, linkId: string): Omit<KeptSigning, 'row'> {
  if (!secrets.has(workspaceId, signingSecretName(linkId))) return { key: null, trouble: null };
  try {
    const key = secrets.get(workspaceId, signingSecretName(linkId));
    if (key?.length === KEY_SIZE) return { key, trouble: null };
    return { key: null, trouble: 'the stored signing key of the link is invalid: set the key again' };
  } catch (thrown) {
    return { key: null, trouble: `the signing key of the link cannot be used: ${sentenceOf(thrown)}` };
  }
}

/** Key store of a world whose links have no keys. */
export const unkeptSigning: KeyStore = {
  read: () => ({ row: null, key: null, trouble: null }),
  save: () => {},
};
