import { z } from 'zod';
import { credentialFileFields, credentialsView, tlsProblem, tlsSchema, tlsView } from './credentials.ts';
import {
  asterixOutSchema,
  cotOptionsSchema,
  gdl90OptionsSchema,
  mqttOptionsSchema,
  sapientOptionsSchema,
} from './outlet_options.ts';
import { threatLevels } from './posture.ts';
import {
  between,
  count,
  lat,
  lon,
  name,
  namedObject,
  patchOf,
  positiveUpTo,
  someOf,
  stored,
  textUpTo,
  timestamp,
  uuid,
  wholeBetween,
} from './scalar.ts';
import { affiliations, trackStates } from './track.ts';
import { alertSeverities } from './zone.ts';

export const outletTransports = ['udp', 'tcp_client', 'tls_client', 'tcp_server'] as const;
export type OutletTransport = (typeof outletTransports)[number];

/**
 * Properties of an outlet kind. Changes of name, kind, transport, address, interface and TLS always reopen the
 * connection. `reopens` says which other changes reopen it, because its first messages depend on them: none, those of
 * `options`, or all.
 */
type OutletTraits = {
  transports: readonly OutletTransport[];
  options: z.ZodType;
  reopens: 'never' | 'options' | 'always';
};

/** Outlet kinds: the transports that each kind may use, and the schema of its options. */
export const outletKindTable = {
  asterix: { transports: ['udp', 'tcp_client', 'tcp_server'], options: asterixOutSchema, reopens: 'never' },
  cot: { transports: outletTransports, options: cotOptionsSchema, reopens: 'never' },
  gdl90: { transports: ['udp'], options: gdl90OptionsSchema, reopens: 'never' },
  // The start of an MQTT session sets the last will, and deletes retained topics that the filter no longer passes.
  mqtt: { transports: ['tcp_client', 'tls_client'], options: mqttOptionsSchema, reopens: 'always' },
  // The registration of a SAPIENT node contains the names in its options.
  sapient: { transports: ['tcp_client', 'tls_client'], options: sapientOptionsSchema, reopens: 'options' },
} as const satisfies Record<string, OutletTraits>;
export type OutletKind = keyof typeof outletKindTable;
export const outletKinds = Object.keys(outletKindTable) as [OutletKind, ...OutletKind[]];
/** Options of an outlet kind after parsing, with defaults for absent options. */
export type OutletOptions<K extends OutletKind> = z.infer<(typeof outletKindTable)[K]['options']>;

export const redactions = ['pilot', 'operator_id', 'takeoff', 'identity', 'threat'] as const;
export type Redaction = (typeof redactions)[number];
/** Redactions of a new outlet: facts that are not sent until the owner releases them. */
export const defaultRedactions: readonly Redaction[] = ['pilot', 'operator_id', 'takeoff'];

const area = z
  .strictObject({
    zone_id: uuid.optional(),
    region_id: uuid.optional(),
    lat: lat.optional(),
    lon: lon.optional(),
    radius_m: positiveUpTo(1_000_000).optional(),
  })
  .refine(isOneArea, 'must have either zone_id, or region_id, or lat, lon and radius_m')
  .nullable()
  .describe('only tracks inside a zone, a region or a circle are sent; null sends all');

function isOneArea(given: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(given).filter((key) => given[key] !== undefined);
  return ['zone_id', 'region_id', 'lat,lon,radius_m'].includes(names.sort().join());
}

const filterFields = {
  affiliations: someOf(affiliations)
    .min(1)
    .default([...affiliations]),
  least_level: z.enum(threatLevels).default('none').describe('only tracks of at least this threat level are sent'),
  states: someOf(trackStates).min(1).default(['confirmed', 'coasting']),
  crewed: z.boolean().default(false).describe('true to send crewed aircraft'),
  birds: z.boolean().default(false).describe('true to send birds'),
  assets: z.boolean().default(true).describe('true to send tracks of own assets'),
  area: area.default(null),
  least_severity: z.enum(alertSeverities).nullable().default('info').describe('null sends no alerts'),
};
const filter = z.strictObject(filterFields);
export type OutletFilter = z.infer<typeof filter>;

const paceFields = {
  track_s: between(0.1, 3_600)
    .default(1)
    .describe('shortest average interval between two messages about a track, s; single intervals may be shorter'),
  keep_s: between(1, 3_600).default(10).describe('interval at which an unchanged track is sent again, s'),
  max_msgs_per_s: wholeBetween(1, 10_000).default(200),
};
const pace = z.strictObject(paceFields);

const kind = z.enum(outletKinds);
const transport = z.enum(outletTransports);
const redact = someOf(redactions).describe('facts that are left out; all others are sent');
const interfaceName = z
  .string()
  .regex(/^[\w.:-]{1,15}$/, 'must be the name of a network interface, such as eth0')
  .nullable()
  .describe('the only interface on which messages to a multicast group are sent; null for every interface that is up');
const options = z
  .record(z.string().max(60), z.unknown())
  .describe(
    'by kind. asterix: `sac`, `sic` (both required). cot: `stale_s` (30), `callsign` (`number` or `identity`), `delete` (true), `presence` (true), `chat_least` (`critical`; null for none), `format` (`xml`; `takproto1` over udp). gdl90: `qnh_hpa` (null). mqtt: `prefix` (`dunlin`), `client_id` (null), `home_assistant` (false), `slots` (4). sapient: `name` (null), `short_name` (`DUN`)',
  );

const fields = {
  name,
  kind,
  transport,
  address: textUpTo(500).describe('`HOST:PORT` to send to; for tcp_server, to listen on'),
  interface: interfaceName.default(null),
  tls: tlsSchema,
  enabled: z.boolean().default(true),
  filter: filter.prefault({}),
  redact: redact.default([...defaultRedactions]),
  pace: pace.prefault({}),
  options: options.default({}),
};

type Parts = Pick<z.infer<typeof parts>, 'kind' | 'transport' | 'interface' | 'tls' | 'options'>;
const parts = z.strictObject(fields);

/**
 * Reports fields of an outlet that contradict each other, for example a transport or option that its kind does not
 * have.
 */
function checkKind(
  { kind: of, transport: by, interface: only, tls, options: given }: Parts,
  context: z.RefinementCtx,
): void {
  const { transports, options: schema } = outletKindTable[of];
  if (!(transports as readonly string[]).includes(by)) {
    const message = `must be ${transports.join(' or ')} for an outlet of the kind ${of}`;
    context.addIssue({ code: 'custom', path: ['transport'], message });
  }
  if (only !== null && by !== 'udp')
    context.addIssue({
      code: 'custom',
      path: ['interface'],
      message: 'must be null: only the transport udp uses an interface',
    });
  const problem = tlsProblem({ transport: by, tls });
  if (problem !== null) context.addIssue({ code: 'custom', path: ['tls'], message: problem });
  // A peer on a stream gets protobuf only if it requested protobuf (ATAK, protocol.txt 5).
  if (of === 'cot' && given.format === 'takproto1' && by !== 'udp')
    context.addIssue({
      code: 'custom',
      path: ['options', 'format'],
      message: 'must be xml: takproto1 needs the transport udp',
    });
  for (const issue of schema.safeParse(given, { reportInput: true }).error?.issues ?? []) {
    const path = ['options', ...issue.path];
    // Without an input of its own, a missing option would be described as the whole outlet.
    if (issue.code === 'invalid_type') context.addIssue({ ...issue, input: issue.input ?? null, path });
    else context.addIssue({ ...issue, path });
  }
}

/** Outlet as its owner declares it, in a request or in the configuration. */
export const outletSpecSchema = parts.superRefine(checkKind).meta({ id: 'OutletSpec' });
export type OutletSpec = z.infer<typeof outletSpecSchema>;

/** Outlet in the configuration file, where it may also name credential files. */
export const outletConfigSchema = z.strictObject({ ...fields, ...credentialFileFields }).superRefine(checkKind);
export type OutletConfig = z.infer<typeof outletConfigSchema>;

/**
 * Change of an outlet. Absent fields stay unchanged, also those within `filter` and `pace`; `options` is replaced as a
 * whole.
 */
export const outletPatchSchema = z
  .strictObject({
    ...patchOf(fields),
    filter: z.strictObject(withoutVersion(patchOf(filterFields))).optional(),
    pace: z.strictObject(withoutVersion(patchOf(paceFields))).optional(),
  })
  .meta({ id: 'OutletPatch', description: 'Absent fields stay unchanged, also those of filter and pace' });
export type OutletPatch = z.infer<typeof outletPatchSchema>;

function withoutVersion<T extends { version: unknown }>({ version: _version, ...rest }: T): Omit<T, 'version'> {
  return rest;
}

export const outletStates = ['disabled', 'opening', 'open', 'refused', 'backoff', 'failed'] as const;
export type OutletState = (typeof outletStates)[number];

export const outletDropReasons = ['rate', 'blocked', 'no_position'] as const;
export type OutletDropReason = (typeof outletDropReasons)[number];

/** Outlet with its state. The counters start from zero when the daemon starts. */
export const outletSchema = namedObject('Outlet', {
  id: uuid,
  name,
  kind,
  transport,
  address: z.string(),
  interface: interfaceName,
  enabled: z.boolean(),
  filter: z.strictObject({
    ...filterFields,
    affiliations: z.array(z.enum(affiliations)),
    states: z.array(z.enum(trackStates)),
    area,
  }),
  redact: z.array(z.enum(redactions)),
  pace,
  options,
  tls: tlsView,
  credentials: credentialsView,
  state: z.enum(outletStates),
  since: timestamp,
  bound_to: z.string().nullable().describe('address that a tcp_server listens on'),
  peer: z.string().nullable().describe('receiver while the outlet is open; with several clients their number'),
  last_tx_at: timestamp.nullable(),
  last_rx_at: timestamp.nullable(),
  tx_msgs: count,
  tx_bytes: count,
  tracks: count.describe('tracks that were sent to the peer and have not ended'),
  dropped: z.strictObject({
    rate: count.describe('updates replaced by newer ones because of `max_msgs_per_s`'),
    blocked: count.describe('updates and alerts that the peer did not accept in time'),
    no_position: count.describe('tracks without a position'),
  }),
  refusals: count.describe('items that the peer refused'),
  last_refusal: z.string().nullable(),
  retries: count,
  next_retry_at: timestamp.nullable(),
  last_error: z.string().nullable(),
  ...stored,
});
export type Outlet = z.infer<typeof outletSchema>;

export const outletTestSchema = namedObject('OutletTest', { sent: count.describe('receivers of the test item') });
export type OutletTest = z.infer<typeof outletTestSchema>;
