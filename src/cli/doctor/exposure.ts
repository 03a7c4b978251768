import { type Config, isLoopback } from '../../host/config.ts';
import { certificateEnd, certificateProblem } from '../certificate.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';

const DAY_MS = 86_400_000;
const RENEW_DAYS = 30;
const makeOne = 'docs/use/lan.md describes how to make a certificate; name its files under http.tls';

/** Checks whether HTTP to other machines is protected by TLS, and how long the certificate is valid. */
export function checkExposure({ listen, tls }: Config['http'], now = Date.now()): Finding {
  const check = 'tls';
  const problem = certificateProblem(tls);
  if (problem !== null) {
    return wrong(
      check,
      `${problem}: a daemon with this problem does not start`,
      `correct the path, run this as the daemon's user, or: ${makeOne}`,
    );
  }
  if (tls === null) {
    if (isLoopback(listen)) return ok(check, `${listen} can be reached only from this box`);
    return warning(
      check,
      `${listen} serves other machines without TLS: passwords and keys cross the network unencrypted`,
      makeOne,
    );
  }
  const end = certificateEnd(tls);
  const days = Math.floor((end.getTime() - now) / DAY_MS);
  const text = `${tls.cert_file} is valid until ${end.toISOString().slice(0, 10)}`;
  if (days < 0) return wrong(check, `${tls.cert_file} expired on ${end.toISOString().slice(0, 10)}`, makeOne);
  return days < RENEW_DAYS ? warning(check, `${text}, ${days} days`, 'renew it: docs/use/lan.md') : ok(check, text);
}
