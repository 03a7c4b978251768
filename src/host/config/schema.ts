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
  listen: hostPort.default('127.0.0.1:8077').describe('address and port at which HTTP is served'),
  tls: tls.default(null).describe('certificate and key for HTTPS; null: plain HTTP'),
});

const data = z.strictObject({
  dir: path.default('data').describe('folder of the databases'),
  retention: z
    .strictObject({
      days: positiveUpTo(3_650).default(30).describe('days of history that are kept'),
      bytes: byteSize(10_000_000, 1e15).default(20e9).describe('disk space that the history may use'),
    })
    .prefault({})
    .describe('limits of the history; whole days are deleted, the oldest first, until both limits are met'),
  recordings: z
    .strictObject({
      max_bytes: byteSize(1_048_576, 1e15)
        .default(1_073_741_824)
        .describe('size limit of a recording that sets no other'),
      max_s: wholeBetween(10, 31_622_400)
        .default(86_400)
        .describe('longest duration of a recording that sets no other'),
      all_bytes: byteSize(1_048_576, 1e15)
        .default(4_294_967_296)
        .describe('size limit of all recordings of the box together'),
      min_free_bytes: byteSize(0, 1e15).default(512e6).describe('free disk space below which a recording ends'),
    })
    .prefault({})
    .describe('limits of recordings of received bytes'),
  maps: z
    .strictObject({
      all_bytes: byteSize(1_048_576, 1e15)
        .default(2e9)
        .describe('size limit of all base maps together; an upload beyond it is refused'),
      min_free_bytes: byteSize(0, 1e15).default(512e6).describe('disk space that an upload must leave free'),
    })
    .prefault({})
    .describe('limits of base maps'),
  audit_days: between(1, 36_500).default(3_650).describe('days for which rows of the audit log are kept'),
});

const access = z.strictObject({
  trusted_networks: z
    .array(network)
    .max(64)
    .default(['127.0.0.0/8', '::1/128'])
    .describe('networks whose callers may use /api without signing in'),
  allowed_hosts: z
    .array(hostNameField)
    .max(64)
    .default([])
    .describe('host names by which browsers may address this box'),
  open_role: z
    .enum([...roles].reverse())
    .default('owner')
    .describe('role of callers who use /api without signing in'),
  session_max_h: between(0.5, 168)
    .default(12)
    .describe('time after a sign-in with password for which its session may be renewed'),
});

const privacy = z.strictObject({
  viewer_sees_pilot: z.boolean().default(true).describe('whether viewers see position and identity of pilots'),
});

const control = z.strictObject({
  enabled: z.boolean().default(true).describe('whether vehicles can be commanded at all'),
  sysid: wholeBetween(1, 255).default(245).describe('MAVLink system id of this box'),
  open_surface: z.enum(openSurfaces).default('allow').describe('commands from callers who use /api without signing in'),
});

const stream = z.strictObject({
  track_hz: between(0.1, 50).default(4).describe('limit of the updates of one track per second'),
  tick_ms: wholeBetween(5, 1_000).default(10).describe('interval at which changes are collected and sent'),
  replay_events: wholeBetween(0, 1_000_000)
    .default(10_000)
    .describe('latest events kept for clients that reconnect; a client that missed more gets the whole picture'),
  heartbeat_s: between(1, 60).default(10).describe('interval of the heartbeat while nothing else is sent'),
  max_streams: wholeBetween(1, 1_000)
    .default(64)
    .describe('limit of the streams of a workspace; one user, key or address may hold a quarter of them'),
  max_pending: wholeBetween(10, 100_000).default(1_000).describe('limit of the events that wait for one client'),
  blocked_s: between(1, 600)
    .default(30)
    .describe('time after which the stream of a client that accepts no data is closed'),
});

const feeds = z.strictObject({
  max_age_s: between(0.1, 3_600).default(10).describe('age beyond which an observation moves no track'),
  ahead_s: between(0, 3_600).default(2).describe('time in the future beyond which an observation moves no track'),
  sender_msgs_per_s: wholeBetween(1, 100_000)
    .default(200)
    .describe('limit of the messages per second of one transmitter'),
  max_senders: wholeBetween(1, 100_000).default(4_096).describe('limit of the senders that are remembered on one link'),
});

const tracking = z
  .strictObject({
    confirm_hits: wholeBetween(1, 8).default(2).describe('number of observations that confirm a track'),
    confirm_window_s: between(0.1, 120)
      .default(10)
      .describe('time within which the observations that confirm a track must arrive'),
    coast_s: between(0.1, 3_600)
      .default(5)
      .describe('time without an observation after which the position of a track is a prediction'),
    lost_s: between(0.1, 3_600).default(22).describe('time without an observation after which a track is lost'),
    close_s: between(0.1, 86_400)
      .default(600)
      .describe('time without an observation after which a track leaves the picture'),
    max_tracks: wholeBetween(1, 20_000).default(2_000).describe('limit of the tracks at the same time'),
  })
  .refine((ages) => ages.coast_s < ages.lost_s && ages.lost_s < ages.close_s, {
    error: 'coast_s must be less than lost_s, and lost_s less than close_s',
  });

const limits = z.strictObject({
  body_bytes: byteSize(1_024, 1e9).default(1_048_576).describe('size limit of the body of a request'),
  ingest_body_bytes: byteSize(1_024, 1e9).default(4_194_304).describe('size limit of the body of POST /api/ingest/obs'),
  ingest_rows: wholeBetween(1, 1_000_000).default(10_000).describe('limit of the rows in one POST /api/ingest/obs'),
  sign_in_per_minute: wholeBetween(1, 1_000)
    .default(5)
    .describe('limit of the sign-in attempts per minute of one address, and of one address with one name'),
});

/**
 * Schema of the configuration file, with the names of the file. Every key outside of list entries has a default, so an
 * empty file is valid. config/dunlin.yaml explains the keys.
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
    .strictObject({
      level: z.enum(logLevels).default('info').describe('lowest level of the lines that are written to the log'),
    })
    .prefault({}),
  limits: limits.prefault({}),
});

export type Config = z.infer<typeof configSchema>;

/** Returns the configuration of an empty file. */
export function defaultConfig(): Config {
  return configSchema.parse({});
}
