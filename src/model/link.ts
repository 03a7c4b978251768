import { z } from 'zod';
import { credentialFileFields, credentialsView, tlsSchema, tlsView } from './credentials.ts';
import {
  between,
  count,
  name,
  namedObject,
  patchOf,
  stored,
  textUpTo,
  timestamp,
  uuid,
  wholeBetween,
} from './scalar.ts';

export const transports = ['serial', 'udp', 'tcp_client', 'tls_client', 'tcp_server', 'unix', 'file'] as const;

export const protocols = [
  'mavlink',
  'odid_raw',
  'odid_json',
  'sbs',
  'nmea',
  'obs_json',
  'capture',
  'hci_h4',
  'sniffle',
  'sapient',
  'asterix',
  'readsb_json',
  'mqtt',
  'cot',
] as const;
export type Protocol = (typeof protocols)[number];

/**
 * Physical layers of Bluetooth LE for a radio that receives only one layer at a time; `both` alternates between the
 * two.
 */
export const phys = ['coded', '1m', 'both'] as const;
export type Phy = (typeof phys)[number];

export const linkStates = ['disabled', 'opening', 'open', 'backoff', 'failed'] as const;
export type LinkState = (typeof linkStates)[number];

export const rejectReasons = [
  'crc',
  'length',
  'malformed',
  'unknown_type',
  'implausible',
  'rate',
  'not_allowed',
] as const;
export type RejectReason = (typeof rejectReasons)[number];
/** Number of refused frames or rows by reason. Each refused frame or row counts under exactly one reason. */
export type Rejects = Record<RejectReason, number>;

export function noRejects(): Rejects {
  return { crc: 0, length: 0, malformed: 0, unknown_type: 0, implausible: 0, rate: 0, not_allowed: 0 };
}

const options = z
  .record(z.string().max(60), z.unknown())
  .describe(
    'by protocol. asterix: `editions` (edition by category), `sources` (sensor name by SAC/SIC). mqtt: `topics`, `client_id`. sapient: `fusion`; other protocols have none',
  );
const discover = z.enum(['off', 'list']);
const command = z.enum(['deny', 'allow']);
const signing = z.enum(['none', 'required']);

/**
 * Declaration of a link by the box's owner. The form of `address` depends on the transport:
 *
 * - serial: `/dev/serial/by-id/…`, `usb:VID:PID[:SERIAL]` or a device path
 * - udp: `HOST:PORT` to listen on; the address of a multicast group joins the group
 * - tcp_client, tls_client: `HOST:PORT` to connect to
 * - tcp_server: `HOST:PORT` to listen on
 * - unix: path of a stream socket to connect to
 * - file: path
 *
 * IPv6 hosts are written in brackets.
 */
export const linkSpecSchema = z.strictObject({
  name,
  transport: z.enum(transports),
  address: textUpTo(500),
  baud: wholeBetween(300, 4_000_000).default(115_200),
  protocol: z.enum(protocols),
  phy: z
    .enum(phys)
    .optional()
    .describe('only for sniffle: physical layer on which the dongle listens; default coded (long range)'),
  options: options.default({}),
  enabled: z.boolean().default(true),
  discover: discover.default('list'),
  command: command.default('deny'),
  sources_allow: z
    .array(textUpTo(120))
    .max(64)
    .default([])
    .describe('addresses or CIDR ranges from which a datagram or connection may come; empty allows all'),
  max_msgs_per_s: wholeBetween(1, 100_000).default(5_000),
  signing: signing.default('none'),
  silence_s: between(1, 86_400)
    .default(30)
    .describe(
      'seconds without a byte after which the link is reopened; also the default of `heartbeat_s` of its sensors',
    ),
  tls: tlsSchema,
});
export type LinkSpec = z.infer<typeof linkSpecSchema>;

/** Link in the configuration file, where it may also name credential files. */
export const linkConfigSchema = linkSpecSchema.extend(credentialFileFields);
export type LinkConfig = z.infer<typeof linkConfigSchema>;

/**
 * Returns true if nobody but admitted senders can send on the link. This is so for a serial line, for MAVLink with
 * required signatures, and for a server with a verified certificate. It is also so for udp and tcp_server with listed
 * source addresses, unless the list contains a range of all addresses (`/0`).
 */
export function provesSender({ transport, sources_allow, protocol, signing }: LinkSpec): boolean {
  const named = sources_allow.length > 0 && !sources_allow.some((source) => source.endsWith('/0'));
  if (protocol === 'mavlink' && signing === 'required') return true;
  return (
    transport === 'serial' ||
    transport === 'tls_client' ||
    ((transport === 'udp' || transport === 'tcp_server') && named)
  );
}

/**
 * Declaration of a link in a request: the fields of the configuration, plus `issued_for`, an asset. If this asset is
 * deleted, the link is deleted too.
 */
export const linkBodySchema = linkSpecSchema
  .extend({
    issued_for: uuid
      .nullable()
      .default(null)
      .describe('asset to which the link belongs; the link is deleted with this asset'),
  })
  .meta({ id: 'LinkSpec' });
export type LinkBody = z.infer<typeof linkBodySchema>;

export const linkPatchSchema = z
  .strictObject(patchOf({ ...linkSpecSchema.shape, issued_for: uuid.nullable() }))
  .meta({ id: 'LinkPatch', description: 'Absent fields stay unchanged' });
export type LinkPatch = z.infer<typeof linkPatchSchema>;

export const linkSchema = z
  .strictObject({
    id: uuid,
    name: z.string(),
    issued_for: uuid.nullable(),
    transport: z.enum(transports),
    address: z.string(),
    bound_to: z.string().nullable().describe('bound or connected address of an open link'),
    baud: z.int().nullable(),
    protocol: z.enum(protocols),
    phy: z.enum(phys).nullable().describe('physical layer; null unless the protocol is sniffle'),
    options,
    discover,
    command,
    sources_allow: z.array(z.string()),
    max_msgs_per_s: z.int(),
    signing,
    signing_key: z.boolean().describe('true if a signing key is set; no answer contains the key'),
    tls: tlsView,
    credentials: credentialsView,
    state: z.enum(linkStates),
    since: timestamp,
    last_rx_at: timestamp.nullable(),
    last_tx_at: timestamp.nullable(),
    rx_msgs: count,
    rx_bytes: count,
    tx_msgs: count,
    rejects: z.strictObject(
      Object.fromEntries(rejectReasons.map((r) => [r, count])) as Record<RejectReason, typeof count>,
    ),
    seq_gaps: count,
    sources_unplaced: count.describe('messages of unproven sources for which the sensor table has no free row'),
    receiver_conflicts: count.describe('messages with the name of a proven receiver from another host'),
    clock_offset_ms: z.number().nullable(),
    retries: count,
    next_retry_at: timestamp.nullable(),
    last_error: z.string().nullable(),
    ...stored,
  })
  .meta({ id: 'Link', description: 'Supervised connection that receives bytes, and can send bytes' });
export type Link = z.infer<typeof linkSchema>;

const aKey = z
  .string()
  .regex(/^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/, 'must be 64 hexadecimal digits, or base64 of 32 bytes')
  .describe('32 bytes: 64 hexadecimal digits or base64');
const aPassphrase = textUpTo(1_000).describe('passphrase whose SHA-256 is the key, as in Mission Planner and MAVProxy');

/** Signing secret that a link shares with its vehicles: a key or a passphrase. */
export const signingKeySchema = z
  .strictObject({ key: aKey.optional(), passphrase: aPassphrase.optional() })
  .refine(({ key, passphrase }) => (key === undefined) !== (passphrase === undefined), {
    message: 'must have either key or passphrase, and not both',
  })
  .meta({ id: 'SigningKey', description: 'Key, or passphrase from which the key is derived' });
export type SigningKey = z.infer<typeof signingKeySchema>;

/** Policy of a link: its own settings, and the effective ones, which the discovery switch of the box may restrict. */
export const linkPolicySchema = namedObject('LinkPolicy', {
  link_id: uuid,
  name: z.string(),
  discover,
  command,
  effective: z.strictObject({
    discover,
    command,
    reason: z.string().nullable().describe('reason of a restriction; null without one'),
  }),
});
export type LinkPolicy = z.infer<typeof linkPolicySchema>;

export const discoverySchema = namedObject('Discovery', {
  enabled: z.boolean().describe('switch of the whole box; it does not change the policies of links'),
  links: z.array(linkPolicySchema),
});
export type DiscoveryView = z.infer<typeof discoverySchema>;
