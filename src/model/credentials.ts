import { z } from 'zod';
import { conflict } from './fault.ts';
import { namedObject, textUpTo, timestamp } from './scalar.ts';

export const tlsChecks = ['full', 'chain'] as const;

/** Host name or IP address as it appears in the server's certificate. */
const serverName = z
  .string()
  .regex(/^[a-z0-9_]([a-z0-9_.:-]{0,251}[a-z0-9_])?\.?$/i, 'must be a host name or an IP address, without a port');

const tlsFields = z.strictObject({
  server_name: serverName
    .nullable()
    .default(null)
    .describe('name that the certificate of the server must have; null for the host of the address'),
  verify: z
    .enum(tlsChecks)
    .default('full')
    .describe('`full` checks the authority and the name of the server; `chain` checks only the authority'),
});
export type TlsSpec = z.infer<typeof tlsFields>;

/** Checks of a server's certificate. Null means the defaults; a transport without TLS allows only null. */
export const tlsSchema = tlsFields.nullable().default(null);
/** Checks of a server's certificate, as answers show them. */
export const tlsView = tlsFields.nullable().describe('check of the server; null without TLS');

/** Returns the effective checks of the server's certificate; null for a transport without TLS. */
export function tlsInForce({ transport, tls }: { transport: string; tls: TlsSpec | null }): TlsSpec | null {
  return transport === 'tls_client' ? (tls ?? { server_name: null, verify: 'full' }) : null;
}

/** Returns why the TLS checks do not fit the transport; null if they fit. */
export function tlsProblem({ transport, tls }: { transport: string; tls: TlsSpec | null }): string | null {
  return tls !== null && transport !== 'tls_client'
    ? `must be null for the transport ${transport}: only tls_client uses TLS`
    : null;
}

type Place = { name: string; transport: string; address: string; tls: TlsSpec | null };

/**
 * Throws a `conflict` Fault if transport, address or TLS checks change from `was` to `is`. Call it for a link or outlet
 * with credentials: after such a change, a password could go to another host, or unencrypted.
 */
export function refuseOtherPlace(of: 'link' | 'outlet', was: Place, is: Place): void {
  const placeOf = ({ transport, address, tls }: Place): string => JSON.stringify([transport, address, tls]);
  if (placeOf(was) === placeOf(is)) return;
  throw conflict(
    `the ${of} ${was.name} has credentials for ${was.address}: delete the credentials before you change transport, address or tls`,
  );
}

const path = textUpTo(4096);
const files = {
  cert_file: path.optional().describe('PEM file of the client certificate with its chain'),
  key_file: path.optional().describe('PEM file of the key, readable only by the daemon'),
  ca_file: path.optional().describe('PEM file of the certificate authorities against which the server is checked'),
};
/** Configuration fields of links and outlets that name credential files. */
export const credentialFileFields = files;
export type CredentialFiles = {
  cert_file?: string | undefined;
  key_file?: string | undefined;
  ca_file?: string | undefined;
};

/** Returns a configuration row without its credential file fields. */
export function withoutFiles<Row extends CredentialFiles>({
  cert_file: _cert,
  key_file: _key,
  ca_file: _ca,
  ...row
}: Row): Omit<Row, keyof CredentialFiles> {
  return row;
}

/** Returns the field and the sentence of the first fault in the credential files; null without a fault. */
export function credentialFilesProblem(
  row: CredentialFiles & { transport: string },
): { key: string; sentence: string } | null {
  const { cert_file, key_file, ca_file, transport } = row;
  const [first] = Object.entries({ cert_file, key_file, ca_file }).filter(([, file]) => file !== undefined);
  if (first === undefined) return null;
  if (transport !== 'tls_client') return { key: first[0], sentence: 'needs the transport tls_client' };
  if (cert_file !== undefined && key_file === undefined) return { key: 'cert_file', sentence: 'needs key_file too' };
  if (key_file !== undefined && cert_file === undefined) return { key: 'key_file', sentence: 'needs cert_file too' };
  return null;
}

const pem = textUpTo(131_072);
const base64 = z
  .string()
  .min(1)
  .max(262_144)
  .regex(/^[A-Za-z0-9+/=\s]+$/, 'must be base64');

/** Credentials with which a link or outlet connects. A request replaces all earlier credentials. */
export const credentialsBodySchema = z
  .strictObject({
    cert_pem: pem.optional().describe('client certificate, with its intermediate certificates'),
    key_pem: pem.optional().describe('key of the certificate; an encrypted one needs `passphrase`'),
    ca_pem: pem
      .optional()
      .describe('certificate authorities against which the server is checked, instead of the public ones'),
    p12: base64.optional().describe('PKCS#12 file with certificate and key, base64'),
    ca_p12: base64.optional().describe('PKCS#12 file with authorities (truststore), base64'),
    passphrase: z.string().max(1_000).optional().describe('passphrase of `p12`, `ca_p12` and `key_pem`'),
    username: textUpTo(255)
      .regex(/^[^\p{Cc}]*$/u, 'must be one line without control characters')
      .optional(),
    password: textUpTo(1_000).optional(),
  })
  .superRefine(checkTogether)
  .meta({ id: 'CredentialsBody', description: 'Credentials; no answer contains them' });
export type CredentialsBody = z.infer<typeof credentialsBodySchema>;

function checkTogether(given: z.infer<z.ZodType<Partial<Record<string, string>>>>, context: z.RefinementCtx): void {
  const fault = (key: string, message: string): void => {
    context.addIssue({ code: 'custom', path: [key], message });
  };
  const has = (key: string): boolean => given[key] !== undefined;
  if (has('cert_pem') && !has('key_pem')) fault('key_pem', 'is missing: the certificate in cert_pem needs its key');
  if (has('key_pem') && !has('cert_pem')) fault('cert_pem', 'is missing: the key in key_pem needs its certificate');
  if (has('p12') && has('cert_pem')) fault('p12', 'cannot be combined with cert_pem: give one of them');
  if (has('ca_p12') && has('ca_pem')) fault('ca_p12', 'cannot be combined with ca_pem: give one of them');
  if (has('username') !== has('password')) fault('password', 'must be given together with username');
  const parts = ['cert_pem', 'p12', 'ca_pem', 'ca_p12', 'username'];
  if (!parts.some(has))
    context.addIssue({ code: 'custom', path: [], message: `must have at least one of ${parts.join(', ')}` });
}

export const credentialKinds = ['certificate', 'password', 'certificate_password', 'authority'] as const;

/** Summary of stored credentials, without secrets. */
export const credentialsViewSchema = namedObject('Credentials', {
  kind: z.enum(credentialKinds).describe('authority: no own certificate, only a check of the server'),
  subject: z
    .string()
    .nullable()
    .describe('subject of the certificate; for a password without a certificate, the username'),
  not_after: timestamp.nullable().describe('end of the validity of the certificate'),
  ca_sha256: z
    .string()
    .nullable()
    .describe('SHA-256 of the first authority that the server is checked by; null for the public authorities'),
});
export type CredentialsView = z.infer<typeof credentialsViewSchema>;
export const credentialsView = credentialsViewSchema.nullable().describe('null if none are set');
