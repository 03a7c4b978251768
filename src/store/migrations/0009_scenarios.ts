import type { Migration } from '../migrate.ts';
import { documentTable } from './document_table.ts';

/** Table of scenarios that people wrote. Built-in scenarios are files and have no table. */
export const scenarios: Migration = {
  version: 9,
  sql: `
    ${documentTable('scenarios')};
  `,
};
