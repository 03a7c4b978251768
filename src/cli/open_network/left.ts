import { relative } from 'node:path';
import type { Config } from '../../host/config.ts';
import { createNetworks } from '../../http/network.ts';
import { storedOwners } from '../doctor/data_checks.ts';
import type { Box } from './box.ts';
import type { Opening } from './opening.ts';

/** Networks from which the systemd unit accepts connections (`IPAddressAllow=` of systemd/dunlin.service). */
const ofTheUnit = createNetworks(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fe80::/64']);

type Opened = { opening: Opening; file: string; config: Config; certificate: string; port: number };

/** Returns the steps that a person must do after the command, each with a title and lines. */
export function leftToDo(box: Box, { opening, file, config, certificate, port }: Opened): [string, string[]][] {
  const isInstalled = file === box.paths.installed;
  const pages = isInstalled ? '/usr/share/doc/dunlin/use' : 'docs/use';
  const dataDir = config.data.dir;
  const left: [string, string[]][] = [];
  if (storedOwners(dataDir) === 0) {
    const command = `dunlin user add anna --role owner --data ${quoted(dataDir)}`;
    left.push(['first owner', [isInstalled ? `sudo -u dunlin ${command}` : command]]);
  }
  const refused = opening.networks.filter((network) => !ofTheUnit(network.split('/', 1)[0] ?? ''));
  if (isInstalled && refused.length > 0) {
    const sections = refused.map((network) => `IPAddressAllow=${network}`);
    left.push(['service', [`sudo systemctl edit dunlin, and add: [Service] ${sections.join(' ')}`]]);
  }
  const near = relative('', file);
  const serve = `dunlin serve --config ${quoted(near.startsWith('..') ? file : near)} --data ${quoted(dataDir)}`;
  left.push(['restart', [isInstalled ? 'sudo systemctl restart dunlin' : serve]]);
  left.push(['trust', [`make each console trust ${certificate}: ${pages}/lan.md, "Trust the certificate"`]]);
  left.push(['console', [`https://${opening.name}${port === 443 ? '' : `:${port}`}/console/`]]);
  return left;
}

/** Quotes a path, if necessary, so that it is one word of a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
