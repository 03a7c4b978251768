import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { noNetworks } from '../support/daemon/network.ts';

const script = fileURLToPath(new URL('../support/links/replugged_group.js', import.meta.url));
/** More than the memberships that the kernel allows of one socket (net.ipv4.igmp_max_memberships, 20). */
const replugs = 24;

t.test(
  'a multicast group is joined again however often its interface is replaced',
  { skip: noNetworks() },
  async (t) => {
    const { stdout, stderr } = spawnSync('unshare', ['-n', process.execPath, script, `${replugs}`], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    t.equal(stdout, `${replugs}\n`, stderr);
  },
);
