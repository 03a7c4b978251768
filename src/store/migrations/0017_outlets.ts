import type { Migration } from '../migrate.ts';
import { documentTable } from './document_table.ts';

/** Table of outlets, the systems to which the picture is sent. */
export const outlets: Migration = {
  version: 17,
  sql: `${documentTable('outlets')};`,
};
