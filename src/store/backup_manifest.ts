import { z } from 'zod';
import { count, timestamp } from '../model/scalar.ts';

export const BACKUP_MANIFEST = 'manifest.json';

/** Manifest of a backup. Hashes are SHA-256 in hexadecimal; paths are relative to the backup's folder. */
export const backupManifestSchema = z.strictObject({
  product: z.literal('dunlin'),
  version: z.string(),
  build: z.string(),
  made_at: timestamp,
  schema_version: count,
  day_file_version: count,
  files: z.array(z.strictObject({ path: z.string(), bytes: count, sha256: z.string() })),
});
export type BackupManifest = z.infer<typeof backupManifestSchema>;
