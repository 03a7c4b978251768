import type { Migration } from '../migrate.ts';

/** From this schema on the first seal of the audit log is due once: a later database without a seal was cut. */
export const auditSeal: Migration = {
  version: 13,
  sql: `
    INSERT INTO meta (key, value) VALUES ('audit_seal_due', '1') ON CONFLICT (key) DO NOTHING;
  `,
};
