import type { CredentialsView } from '../../../model/credentials.ts';
import type { Credentials } from './credentials.ts';

/** Source of the current credentials of one link or outlet. */
export type CredentialHolder = {
  /**
   * Returns the credentials for the next opening; null if none are set. Throws an Error with a sentence if they
   * cannot be used.
   */
  read(): Credentials | null;
  /** Returns the view of the credentials for people; null if none are set. */
  view(): CredentialsView | null;
  /** Returns a sentence if the credentials cannot be used or their certificate expires soon; else null. */
  trouble(): string | null;
};

export const noCredentials: CredentialHolder = { read: () => null, view: () => null, trouble: () => null };
