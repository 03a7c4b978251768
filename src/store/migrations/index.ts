import type { Migration } from '../migrate.ts';
import { first } from './0001_first.ts';

/** Every step of the schema of state.db, in order. A released step is never edited: a change is a new step. */
export const stateMigrations: readonly Migration[] = [first];
