import { statSync } from 'node:fs';
import { readSealingKey, unsealed } from '../../access/sealed.ts';
import { type CredentialOwner, daysLeft, endSentence, readFiles } from '../../app/credential_store.ts';
import { type Credentials, viewOf } from '../../edge/link/tls/credentials.ts';
import { type Config, secretKeyFile } from '../../host/config.ts';
import { idOfName } from '../../host/name_id.ts';
import type { CredentialFiles, CredentialsView } from '../../model/credentials.ts';
import { sentenceOf } from '../../model/fault.ts';
import { credentialsSecretName } from '../../store/sealed_secrets.ts';
import { readState } from './data_checks.ts';
import { type Finding, ok, unknown, warning, wrong } from './finding.ts';

type Sealed = { workspaceId: string; name: string; sealed: Buffer; link: string | null; outlet: string | null };

/** Checks TLS credentials: the files that the configuration names, and the sealed credentials in the database. */
export function checkCredentials({ links, outlets, data }: Config, utcMs = Date.now()): Finding[] {
  const rows = { link: links, outlet: outlets };
  const configured = (['link', 'outlet'] as const).flatMap((of) => rows[of].map((row) => ({ ...row, of })));
  const ofFiles = configured.filter(({ cert_file, ca_file }) => (cert_file ?? ca_file) !== undefined);
  const names = new Map(
    configured.map(({ of, name }) => [credentialsSecretName(of, idOfName(of, name)), `${of} ${name}`]),
  );
  return [
    ...ofFiles.flatMap((row) => checkFiles(row, utcMs)),
    ...sealedRows(data.dir).map((row) => checkSealed(row, names.get(row.name), utcMs)),
  ];
}

function checkFiles(row: CredentialFiles & { of: CredentialOwner; name: string }, utcMs: number): Finding[] {
  const check = `credentials of ${row.of} ${row.name}`;
  const advice = "correct the file, or run this as the daemon's user";
  try {
    const found = endFinding(check, viewOf(readFiles(row)), utcMs, 'renew the file; it is read at the next connection');
    const { key_file: key } = row;
    if (key === undefined || (statSync(key).mode & 0o007) === 0) return [found];
    return [found, warning(check, `every user of the box can read the key ${key}`, `chmod o= ${key}`)];
  } catch (thrown) {
    return [wrong(check, sentenceOf(thrown), advice)];
  }
}

function sealedRows(dataDir: string): Sealed[] {
  return readState(dataDir, [], (db) =>
    db
      .prepare<[], Sealed>(
        `SELECT s.workspace_id AS workspaceId, s.name, s.sealed, l.name AS link, o.name AS outlet
         FROM sealed_secrets s
         LEFT JOIN links l ON s.name = 'link:' || l.id || ':credentials'
         LEFT JOIN outlets o ON s.name = 'outlet:' || o.id || ':credentials'
         WHERE s.name LIKE '%:credentials' ORDER BY s.name`,
      )
      .all(),
  );
}

function checkSealed(
  { workspaceId, name, sealed, link, outlet }: Sealed,
  known: string | undefined,
  utcMs: number,
): Finding {
  const owner = link === null ? (outlet === null ? known : `outlet ${outlet}`) : `link ${link}`;
  const check = `credentials of ${owner ?? 'a link or outlet that the configuration had'}`;
  const sealing = readSealingKey(secretKeyFile());
  if ('missing' in sealing)
    return unknown(check, `the credentials are encrypted, so their expiry is unknown here: ${sealing.missing}`);
  const again = 'set new credentials with PUT …/credentials: docs/use/outlets.md';
  try {
    const opened = JSON.parse(unsealed(sealing.key, workspaceId, name, sealed).toString('utf8')) as Credentials;
    return endFinding(check, viewOf(opened), utcMs, again);
  } catch (thrown) {
    return wrong(check, sentenceOf(thrown), again);
  }
}

function endFinding(check: string, view: CredentialsView, utcMs: number, advice: string): Finding {
  const sentence = endSentence(view, utcMs);
  const hasExpired = (daysLeft(view, utcMs) ?? 0) < 0;
  if (sentence !== null) return (hasExpired ? wrong : warning)(check, sentence, advice);
  const until = view.not_after === null ? '' : ` until ${view.not_after.slice(0, 10)}`;
  return ok(check, `${view.subject ?? 'the authority of the server'}${until}`);
}
