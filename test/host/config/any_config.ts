import fc from 'fast-check';
import type { Config } from '../../../src/host/config.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9 ]{0,20}[a-z0-9]$/);
const port = fc.integer({ min: 20_000, max: 60_000 });
const seconds = (max: number) => fc.double({ min: 1, max, noNaN: true });

const link = fc
  .record({
    name,
    transport: fc.constantFrom('udp' as const, 'tcp_client' as const, 'serial' as const, 'file' as const),
    protocol: fc.constantFrom('mavlink' as const, 'odid_json' as const, 'sbs' as const, 'obs_json' as const),
    port,
    options: fc.record({}),
    baud: fc.integer({ min: 300, max: 4_000_000 }),
    enabled: fc.boolean(),
    discover: fc.constantFrom('off' as const, 'list' as const),
    command: fc.constantFrom('deny' as const, 'allow' as const),
    sources_allow: fc.array(fc.constantFrom('10.0.0.0/8', '192.168.1.7', 'fe80::/10'), { maxLength: 3 }),
    max_msgs_per_s: fc.integer({ min: 1, max: 100_000 }),
    signing: fc.constant('none' as const),
    silence_s: seconds(86_400),
    tls: fc.constant(null),
  })
  .map(({ port, ...rest }) => ({ ...rest, address: addressOf(rest.transport, port) }));

function addressOf(transport: string, port: number): string {
  if (transport === 'serial') return `/dev/serial/by-id/${port}`;
  return transport === 'file' ? `capture ${port}.tlog` : `127.0.0.1:${port}`;
}

/** Any valid configuration, as loading gives it. */
export const anyConfig: fc.Arbitrary<Config> = fc.record({
  http: fc.record({
    listen: fc.constantFrom('127.0.0.1:0', '0.0.0.0:8077', '[::1]:80', 'dunlin.local:443'),
    tls: fc.option(fc.record({ cert_file: fc.constant('a.pem'), key_file: fc.constant('b: #.pem') })),
  }),
  data: fc.record({
    dir: fc.constantFrom('data', '/var/lib/dunlin', 'with: colon', "it's", '-', '#', '~x', '2024-01-01', '1e3'),
    retention: fc.record({ days: seconds(3_650), bytes: fc.integer({ min: 10_000_000, max: 1e15 }) }),
    recordings: fc.record({
      max_bytes: fc.integer({ min: 1_048_576, max: 1e15 }),
      max_s: fc.integer({ min: 10, max: 31_622_400 }),
      all_bytes: fc.integer({ min: 1_048_576, max: 1e15 }),
      min_free_bytes: fc.integer({ min: 0, max: 1e15 }),
    }),
    maps: fc.record({
      all_bytes: fc.integer({ min: 1_048_576, max: 1e15 }),
      min_free_bytes: fc.integer({ min: 0, max: 1e15 }),
    }),
    audit_days: fc.integer({ min: 1, max: 36_500 }),
  }),
  access: fc.record({
    trusted_networks: fc.array(fc.constantFrom('127.0.0.0/8', '::1/128', '10.1.2.3'), { maxLength: 4 }),
    allowed_hosts: fc.array(fc.constantFrom('a', 'dunlin.local', 'x-1.example'), { maxLength: 4 }),
    open_role: fc.constantFrom('owner', 'operator', 'viewer'),
    session_max_h: fc.integer({ min: 1, max: 168 }),
  }),
  outlets: fc.constant([]),
  privacy: fc.record({ viewer_sees_pilot: fc.boolean() }),
  links: fc
    .uniqueArray(link, { maxLength: 6, selector: (row) => row.address.replace(/\D/g, '') + row.name })
    .map((rows) =>
      rows.map((row, index) => ({ ...row, name: `${row.name} ${index}`, address: unique(row.address, index) })),
    ),
  sensors: fc
    .array(
      fc.record({
        name,
        modality: fc.constantFrom('radar' as const, 'camera' as const),
        placement: fc.option(
          fc.record({
            lat: fc.double({ min: -90, max: 90, noNaN: true }),
            lon: fc.double({ min: -180, max: 180, noNaN: true }),
          }),
          { nil: undefined },
        ),
        heartbeat_s: seconds(86_400),
      }),
      { maxLength: 4 },
    )
    .map((rows) => rows.map((row, index) => ({ ...row, name: `${row.name} ${index}` }))),
  control: fc.record({
    enabled: fc.boolean(),
    sysid: fc.integer({ min: 1, max: 255 }),
    open_surface: fc.constantFrom('allow', 'observe_only', 'deny'),
  }),
  stream: fc.record({
    track_hz: fc.double({ min: 0.1, max: 50, noNaN: true }),
    tick_ms: fc.integer({ min: 5, max: 1_000 }),
    replay_events: fc.integer({ min: 0, max: 1_000_000 }),
    heartbeat_s: seconds(60),
    max_streams: fc.integer({ min: 1, max: 1_000 }),
    max_pending: fc.integer({ min: 10, max: 100_000 }),
    blocked_s: seconds(600),
  }),
  feeds: fc.record({
    max_age_s: seconds(3_600),
    ahead_s: seconds(3_600),
    sender_msgs_per_s: fc.integer({ min: 1, max: 100_000 }),
    max_senders: fc.integer({ min: 1, max: 100_000 }),
  }),
  tracking: fc.record({
    confirm_hits: fc.integer({ min: 1, max: 8 }),
    confirm_window_s: seconds(120),
    coast_s: fc.double({ min: 0.1, max: 10, noNaN: true }),
    lost_s: fc.double({ min: 11, max: 100, noNaN: true }),
    close_s: fc.double({ min: 101, max: 86_400, noNaN: true }),
    max_tracks: fc.integer({ min: 1, max: 20_000 }),
  }),
  log: fc.record({ level: fc.constantFrom('trace', 'info', 'fatal') }),
  limits: fc.record({
    body_bytes: fc.integer({ min: 1_024, max: 1e9 }),
    ingest_body_bytes: fc.integer({ min: 1_024, max: 1e9 }),
    ingest_rows: fc.integer({ min: 1, max: 1_000_000 }),
    sign_in_per_minute: fc.integer({ min: 1, max: 1_000 }),
  }),
});

/** Addresses that differ: a port or a number of its own for each row. */
function unique(address: string, index: number): string {
  return address.replace(/\d{5}/, String(10_000 + index));
}
