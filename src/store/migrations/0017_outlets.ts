import type { Migration } from '../migrate.ts';
import { documentTable } from './document_table.ts';

/** What sends the picture to other systems. */
export const outlets: Migration = {
  version: 17,
  sql: `${documentTable('outlets')};`,
};
