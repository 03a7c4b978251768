import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import t from 'tap';
import { startRig } from '../support/http/server.ts';

let hasOpenssl = true;
try {
  execFileSync('openssl', ['version']);
} catch {
  hasOpenssl = false;
}

function makeCertificate(dir: string): { certFile: string; keyFile: string } {
  const [certFile, keyFile] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', certFile, '-days', '2', ...subject], { stdio: 'ignore' });
  return { certFile, keyFile };
}

t.test(
  'with a certificate and its key the interface is served over TLS',
  { skip: hasOpenssl ? false : 'openssl is missing' },
  async (t) => {
    const tls = makeCertificate(t.testdir());
    const rig = await startRig(t, { tls });
    t.match(rig.url, /^https:/);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(`${rig.url}/api/tracks`, { ca: readFileSync(tls.certFile) }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    t.equal(status, 200);
  },
);

t.test('files that do not serve are named', async (t) => {
  const dir = t.testdir({ 'junk.pem': 'no certificate' });
  const junk = join(dir, 'junk.pem');
  await t.rejects(
    startRig(t, { tls: { certFile: '/nowhere/cert.pem', keyFile: junk } }),
    /cert_file: \/nowhere\/cert.pem cannot be read/,
  );
  await t.rejects(startRig(t, { tls: { certFile: junk, keyFile: junk } }), /are not a certificate and its private key/);
});
