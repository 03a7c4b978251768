import type { Migration } from '../migrate.ts';
import { documentTable } from './document_table.ts';

/** Scenarios that people wrote. Those that come with the program are files and have no table. */
export const scenarios: Migration = {
  version: 9,
  sql: `
    ${documentTable('scenarios')};
  `,
};
