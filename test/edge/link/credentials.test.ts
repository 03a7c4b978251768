import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { readCredentials, readPem, viewOf } from '../../../src/edge/link/tls/credentials.ts';
import { type CredentialsBody, credentialsBodySchema } from '../../../src/model/credentials.ts';
import { Fault } from '../../../src/model/fault.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { client, fixture, passphrase, pem, secretsOf } from '../../support/tls/certificates.ts';

const base64 = (name: string): string => fixture(name).toString('base64');
const own = new X509Certificate(fixture('client.pem'));
const ca = new X509Certificate(fixture('ca.pem'));

/** The sentence of a refusal, which must have no secret. */
async function refusalOf(body: CredentialsBody): Promise<string> {
  try {
    await readCredentials(body);
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'invalid_input') throw thrown;
    const found = secretsOf('client.key', 'client_encrypted.key').filter((secret) => thrown.message.includes(secret));
    if (found.length > 0) throw new Error(`the sentence has a secret: ${thrown.message}`);
    return thrown.message;
  }
  throw new Error('it was taken');
}

for (const name of ['client.p12', 'client_3des.p12'])
  t.test(`${name} gives the certificate, its key and its authority`, async (t) => {
    const read = await readCredentials({ p12: base64(name), passphrase });
    t.equal(new X509Certificate(read.cert ?? '').fingerprint256, own.fingerprint256);
    t.equal(new X509Certificate(read.ca ?? '').fingerprint256, ca.fingerprint256, 'its own authority is trusted');
    t.equal(read.key, pem('client.key'));
    t.match(viewOf(read), {
      kind: 'certificate',
      subject: 'O=Dunlin tests, CN=dunlin box',
      not_after: '2125-01-01T00:00:00.000Z',
      ca_sha256: ca.fingerprint256.replaceAll(':', '').toLowerCase(),
    });
  });

t.test('an encrypted key opens with its passphrase, and one file may have certificate and key', async (t) => {
  const plain = pem('client.key');
  const { ca_pem, cert_pem } = client('client');
  t.equal((await readCredentials({ cert_pem, key_pem: pem('client_encrypted.key'), passphrase })).key, plain);
  const old = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase },
  }).privateKey;
  t.match(await refusalOf({ cert_pem, key_pem: old, passphrase }), /the key does not belong to the certificate/);
  const both = `${ca_pem}\n${plain}\n${cert_pem}`;
  const read = await readCredentials({ cert_pem: both, key_pem: both });
  t.equal(new X509Certificate(read.cert ?? '').fingerprint256, own.fingerprint256, 'the order does not matter');
  t.equal(new X509Certificate(read.ca ?? '').fingerprint256, ca.fingerprint256);
  const files = readPem({ cert_file: cert_pem, key_file: plain, ca_file: ca_pem });
  t.same(
    { ...files, username: 'u', password: 'p' },
    await readCredentials({ ...client('client'), username: 'u', password: 'p' }),
  );
});

t.test('a truststore is an authority alone, and a name with its password is a kind of credentials', async (t) => {
  const read = await readCredentials({ ca_p12: base64('truststore.p12'), passphrase });
  t.match(viewOf(read), { kind: 'authority', subject: null, not_after: null, ca_sha256: /^[0-9a-f]{64}$/ });
  t.same(viewOf(await readCredentials({ username: 'box', password: 'p' })), {
    ...{ kind: 'password', subject: 'box', not_after: null, ca_sha256: null },
  });
});

t.test('each mistake has a sentence that says what to do', async (t) => {
  const { ca_pem, cert_pem, key_pem } = client('client');
  const cases: [CredentialsBody, RegExp][] = [
    [{ p12: base64('client_rc2.p12'), passphrase }, /openssl pkcs12 -legacy -in old\.p12 -nodes -out new\.pem/],
    [{ p12: base64('client_rc2.p12'), passphrase: 'wrong' }, /openssl pkcs12 -legacy/],
    [{ p12: base64('client.p12'), passphrase: 'wrong' }, /'p12' does not open with this 'passphrase'/],
    [{ p12: base64('client.p12') }, /'p12' does not open with this 'passphrase'/],
    [{ p12: base64('truststore.p12'), passphrase }, /has no private key: give a truststore as 'ca_p12'/],
    [{ p12: base64('slow.p12'), passphrase }, /needs 20000000 rounds of key derivation; at most 1000000 are allowed/],
    [{ p12: Buffer.from('nothing of the kind').toString('base64') }, /'p12' is no PKCS#12 file, or is damaged/],
    [{ ca_p12: base64('truststore.p12'), passphrase: 'wrong' }, /'ca_p12' does not open/],
    [{ cert_pem, key_pem: pem('renewed.key') }, /the key does not belong to the certificate/],
    [{ cert_pem, key_pem: pem('client_encrypted.key') }, /'key_pem' is encrypted: give its 'passphrase'/],
    [{ cert_pem, key_pem: pem('client_encrypted.key'), passphrase: 'wrong' }, /'key_pem' does not open with this/],
    [{ cert_pem: key_pem, key_pem }, /'cert_pem' has no certificate in PEM/],
    [{ cert_pem: '-----BEGIN CERTIFICATE-----'.repeat(4_000), key_pem }, /'cert_pem' has no certificate in PEM/],
    [{ cert_pem, key_pem: cert_pem }, /'key_pem' has no private key in PEM/],
    [
      { ca_pem: ca_pem.replace(/[A-Z]{3}/g, 'AAA') },
      /'ca_pem' has (?:a certificate that cannot be read|no certificate)/,
    ],
  ];
  for (const [body, sentence] of cases) t.match(await refusalOf(body), sentence);
  const key_file = pem('client_encrypted.key');
  t.throws(() => readPem({ cert_file: cert_pem, key_file, ca_file: null }), { message: /'key_file' is encrypted/ });
});

t.test('fields that belong together are demanded together', async (t) => {
  const faultsOf = (body: object): string =>
    credentialsBodySchema
      .safeParse(body)
      .error?.issues.map(({ path, message }) => `${path} ${message}`)
      .join('; ') ?? '';
  const { cert_pem, key_pem, ca_pem } = client('client');
  t.match(faultsOf({ cert_pem }), /key_pem is missing: the certificate in cert_pem needs its key/);
  t.match(faultsOf({ key_pem }), /cert_pem is missing/);
  t.match(faultsOf({ username: 'u' }), /password must be given together with username/);
  t.match(faultsOf({ cert_pem, key_pem, p12: 'AAAA' }), /p12 cannot be combined with cert_pem/);
  t.match(faultsOf({ ca_pem, ca_p12: 'AAAA' }), /ca_p12 cannot be combined with ca_pem/);
  t.match(faultsOf({}), /must have at least one of/);
  t.match(faultsOf({ passphrase }), /must have at least one of/);
  t.match(faultsOf({ ca_pem, verify: 'none' }), /Unrecognized|unrecognized/);
});

t.test('a damaged file is refused with a sentence, or read as it was; nothing else happens', async (t) => {
  const bytes = fixture('client.p12');
  const seed = seedOf(t);
  const numRuns = sized(300);
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      async (at, mask, isCut) => {
        const damaged = isCut ? Buffer.from(bytes.subarray(0, at)) : Buffer.from(bytes);
        if (!isCut) damaged[at] = (damaged[at] ?? 0) ^ mask;
        try {
          const { key } = await readCredentials({ p12: damaged.toString('base64'), passphrase });
          return key === pem('client.key');
        } catch (thrown) {
          refused++;
          return thrown instanceof Fault && thrown.code === 'invalid_input';
        }
      },
    ),
    { numRuns, seed },
  );
  t.ok(refused > numRuns / 2, `${refused} were refused`);
});
