import type { Migration } from '../migrate.ts';
import { documentTable } from './document_table.ts';

/** Declarations of the systems that the picture is sent to. */
export const outlets: Migration = {
  version: 17,
  sql: `${documentTable('outlets')};`,
};
