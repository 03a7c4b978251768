import type { CredentialsView } from '../../../model/credentials.ts';
import type { Credentials } from './credentials.ts';

/** Credentials of one link or outlet, as they are at the moment. */
export type CredentialHolder = {
  /** The credentials for the next opening; null where none are set. Throws a sentence where they cannot be used. */
  read(): Credentials | null;
  /** Their view for people. */
  view(): CredentialsView | null;
  /** Sentence about credentials that cannot be used, or whose certificate ends soon; null without one. */
  trouble(): string | null;
};

export const noCredentials: CredentialHolder = { read: () => null, view: () => null, trouble: () => null };
