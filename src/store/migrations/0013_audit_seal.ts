import type { Migration } from '../migrate.ts';

/**
 * Marks that the audit log must be sealed from this schema on. This row alone proves nothing, because anyone who can
 * write the file could write the row.
 */
export const auditSeal: Migration = {
  version: 13,
  sql: `
    INSERT INTO meta (key, value) VALUES ('audit_seal_due', '1') ON CONFLICT (key) DO NOTHING;
  `,
};
