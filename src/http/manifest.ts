import { stringify } from 'yaml';
import { eventBodies } from '../model/event.ts';
import { protocols } from '../model/link.ts';
import { verbNames } from '../model/verb.ts';
import type { ServedWorkspace } from './served.ts';
import type { HttpSettings } from './settings.ts';
import { table } from './table.ts';
import { interfaceVersion } from './version.ts';

type ManifestFacts = Pick<ServedWorkspace, 'about' | 'id' | 'name' | 'settingsHash'>;

const features = [
  'tracking',
  'stream',
  'history',
  'ingest',
  'registry',
  'zones',
  'threats',
  'rules',
  'alerts',
  'webhooks',
  'fleet',
  'commands',
  'engagement',
  'recordings',
];

/** `GET /api/manifest.yaml`: what this build can do and how it is set. */
export function makeManifest({ about, id, name, settingsHash }: ManifestFacts, settings: HttpSettings): string {
  const { limits, stream } = settings;
  return stringify({
    name: about.name,
    version: about.version,
    build: about.build,
    interface_version: interfaceVersion,
    surfaces: table.mounts.map((path) => ({
      path,
      access: path === '/api' ? 'open to the trusted networks' : 'needs a credential',
    })),
    features,
    protocols: [...protocols],
    verbs: verbNames,
    event_kinds: Object.keys(eventBodies),
    limits: {
      body_bytes: limits.bodyBytes,
      ingest_body_bytes: limits.ingestBodyBytes,
      ingest_rows: limits.ingestRows,
      object_bytes: limits.objectBytes,
      json_depth: limits.jsonDepth,
      streams: stream.clients,
      heartbeat_s: stream.heartbeatMs / 1_000,
    },
    settings_hash: settingsHash,
    workspaces: [{ id, name }],
  });
}
