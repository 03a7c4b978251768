import { stringify } from 'yaml';
import { eventBodies } from '../model/event.ts';
import type { Service } from './service.ts';
import type { HttpSettings } from './settings.ts';
import { table } from './table.ts';
import { interfaceVersion } from './version.ts';

/** `GET /api/manifest.yaml`: what this build can do and how it is set. */
export function makeManifest(service: Service, settings: HttpSettings): string {
  const { features, protocols, verbs, settingsHash, workspaces } = service.manifest();
  const { limits, stream } = settings;
  return stringify({
    name: service.about.name,
    version: service.about.version,
    build: service.about.build,
    interface_version: interfaceVersion,
    surfaces: table.mounts.map((path) => ({
      path,
      access: path === '/api' ? 'open to the trusted networks' : 'needs a credential',
    })),
    features,
    protocols: [...protocols],
    verbs,
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
    workspaces,
  });
}
