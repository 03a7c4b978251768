import type { Migration } from '../migrate.ts';

/** From this schema on the audit log is sealed. The row alone proves nothing, since anyone with the file could write it. */
export const auditSeal: Migration = {
  version: 13,
  sql: `
    INSERT INTO meta (key, value) VALUES ('audit_seal_due', '1') ON CONFLICT (key) DO NOTHING;
  `,
};
