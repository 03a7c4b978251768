import { z } from 'zod';
import { roles } from '../../model/actor.ts';
import { linkConfigSchema } from '../../model/link.ts';
import { logLevels } from '../../model/log_level.ts';
import { outletConfigSchema } from '../../model/outlet.ts';
import { between, positiveUpTo, textUpTo, wholeBetween } from '../../model/scalar.ts';
import { sensorSpecSchema } from '../../model/sensor.ts';
import { byteSize, hostNameField, hostPort, network } from './fields.ts';

const openSurfaces = ['allow', 'observe_only', 'deny'] as const;

const path = textUpTo(4096);

const tls = z
  .strictObject({ cert_file: path.optional(), key_file: path.optional() })
  .transform(({ cert_file, key_file }, context) => {
    if (cert_file !== undefined && key_file !== undefined) return { cert_file, key_file };
    if (cert_file !== undefined || key_file !== undefined) {
      context.addIssue('needs both cert_file and key_file, or neither');
    }
    return null;
  })
  .nullable();

const http = z.strictObject({
  listen: hostPort.default('127.0.0.1:8077').describe('where HTTP is served'),
  tls: tls.default(null).describe('null serves plain HTTP'),
});

const data = z.strictObject({
  dir: path.default('data').describe('where the databases are'),
  retention: z
    .strictObject({
      days: positiveUpTo(3_650).default(30).describe('of history that is kept'),
      bytes: byteSize(10_000_000, 1e15).default(20e9).describe('that history may take'),
    })
    .prefault({})
    .describe('of history; whole days are dropped, the oldest first, until both hold'),
  recordings: z
    .strictObject({
      max_bytes: byteSize(1_048_576, 1e15).default(1_073_741_824).describe('of a recording that says no other'),
      max_s: wholeBetween(10, 31_622_400).default(86_400).describe('of a recording that says no other'),
      all_bytes: byteSize(1_048_576, 1e15).default(4_294_967_296).describe('of all recordings of the box'),
      min_free_bytes: byteSize(0, 1e15).default(512e6).describe('with less room on the disk a recording ends'),
    })
    .prefault({})
    .describe('of what enters, while it is recorded'),
  maps: z
    .strictObject({
      all_bytes: byteSize(1_048_576, 1e15).default(2e9).describe('of all base maps; an upload beyond is refused'),
      min_free_bytes: byteSize(0, 1e15).default(512e6).describe('an upload leaves so much room on the disk'),
    })
    .prefault({})
    .describe('of base maps'),
  audit_days: between(1, 36_500).default(3_650).describe('how long audit rows are kept'),
});

const access = z.strictObject({
  trusted_networks: z
    .array(network)
    .max(64)
    .default(['127.0.0.0/8', '::1/128'])
    .describe('who may use /api without signing in'),
  allowed_hosts: z.array(hostNameField).max(64).default([]).describe('names a browser may use for this box'),
  open_role: z
    .enum([...roles].reverse())
    .default('owner')
    .describe('what those who need not sign in may do'),
  session_max_h: between(0.5, 168).default(12).describe('a session may be renewed until so long after the password'),
});

const privacy = z.strictObject({
  viewer_sees_pilot: z.boolean().default(true).describe('whether viewers see where pilots are and who'),
});

const control = z.strictObject({
  enabled: z.boolean().default(true).describe('whether vehicles are commanded at all'),
  sysid: wholeBetween(1, 255).default(245).describe('our MAVLink system id'),
  open_surface: z.enum(openSurfaces).default('allow').describe('commands from people who need not sign in'),
});

const stream = z.strictObject({
  track_hz: between(0.1, 50).default(4).describe('updates of one track a second at most'),
  tick_ms: wholeBetween(5, 1_000).default(20).describe('how often changes are collected and sent'),
  replay_events: wholeBetween(0, 1_000_000)
    .default(10_000)
    .describe('a client that missed no more gets what it missed'),
  heartbeat_s: between(1, 60).default(10).describe('a sign of life when nothing else is sent'),
  max_streams: wholeBetween(1, 1_000)
    .default(64)
    .describe('streams of a workspace; one user, key or address may hold a quarter'),
  max_pending: wholeBetween(10, 100_000).default(1_000).describe('events that may wait for a client'),
  blocked_s: between(1, 600).default(30).describe('a client that takes nothing for so long is closed'),
});

const feeds = z.strictObject({
  max_age_s: between(0.1, 3_600).default(10).describe('older observations move no track'),
  ahead_s: between(0, 3_600).default(2).describe('nor do those that are further ahead'),
  sender_msgs_per_s: wholeBetween(1, 100_000).default(200).describe('of each transmitter'),
  max_senders: wholeBetween(1, 100_000).default(4_096).describe('senders remembered on a link'),
});

const tracking = z
  .strictObject({
    confirm_hits: wholeBetween(1, 8).default(2).describe('observations that confirm a track'),
    confirm_window_s: between(0.1, 120).default(10).describe('within which they come'),
    coast_s: between(0.1, 3_600).default(5).describe('silent for so long its place is a prediction'),
    lost_s: between(0.1, 3_600).default(22).describe('silent for so long it is lost'),
    close_s: between(0.1, 86_400).default(600).describe('silent for so long it is history'),
    max_tracks: wholeBetween(1, 20_000).default(2_000).describe('tracks held at once'),
  })
  .refine((ages) => ages.coast_s < ages.lost_s && ages.lost_s < ages.close_s, {
    error: 'coast_s must be less than lost_s, and lost_s less than close_s',
  });

const limits = z.strictObject({
  body_bytes: byteSize(1_024, 1e9).default(1_048_576).describe('of a request'),
  ingest_body_bytes: byteSize(1_024, 1e9).default(4_194_304).describe('of POST /api/ingest/obs'),
  ingest_rows: wholeBetween(1, 1_000_000).default(10_000).describe('of POST /api/ingest/obs'),
  sign_in_per_minute: wholeBetween(1, 1_000).default(5).describe('tries of an address, and of one at a name'),
});

/**
 * Schema of the configuration file, with the names of the file. Every key has a default, so an empty file is valid.
 * config/dunlin.yaml explains each key.
 */
export const configSchema = z.strictObject({
  http: http.prefault({}),
  data: data.prefault({}),
  access: access.prefault({}),
  privacy: privacy.prefault({}),
  links: z.array(linkConfigSchema).max(256).default([]),
  outlets: z.array(outletConfigSchema).max(20).default([]),
  sensors: z.array(sensorSpecSchema).max(1_024).default([]),
  control: control.prefault({}),
  stream: stream.prefault({}),
  feeds: feeds.prefault({}),
  tracking: tracking.prefault({}),
  log: z
    .strictObject({ level: z.enum(logLevels).default('info').describe('lines that are less are not written') })
    .prefault({}),
  limits: limits.prefault({}),
});

export type Config = z.infer<typeof configSchema>;

/** Returns the configuration of an empty file. */
export function defaultConfig(): Config {
  return configSchema.parse({});
}
