import { rmSync } from 'node:fs';
import type { Box } from './box.ts';
import { replaceFile, textOf } from './files.ts';
import { type Opening, withoutNested } from './opening.ts';
import { changing, failed, type Step } from './step.ts';

const title = 'firewall';

/** Returns nftables rules that let only the box itself and `networks` reach the port. Other ports are not affected. */
export function rulesOf(networks: readonly string[], port: number): string {
  const ipv4 = withoutNested(['127.0.0.0/8', ...networks.filter((network) => !network.includes(':'))]);
  const ipv6 = withoutNested(['::1/128', ...networks.filter((network) => network.includes(':'))]);
  return `table inet dunlin
delete table inet dunlin
table inet dunlin {
  chain input {
    type filter hook input priority 0; policy accept;
    tcp dport ${port} ip saddr != { ${ipv4.join(', ')} } drop
    tcp dport ${port} meta nfproto ipv6 ip6 saddr != { ${ipv6.join(', ')} } drop
  }
}
`;
}

export function firewallStep(box: Box, { networks }: Opening, port: number): Step {
  const goal = `port ${port} only for ${networks.join(', ')}`;
  if (box.isRoot && isUfwActive(box)) {
    const left = networks.map((network) => `sudo ufw allow from ${network} to any port ${port} proto tcp`);
    return { title, lines: [`ufw manages the firewall: ${goal} needs the command below`], change: null, left };
  }
  const rules = rulesOf(networks, port);
  if (isRight(box, rules)) return { title, lines: [`${box.paths.rules} is kept: ${goal}`], change: null };
  if (!box.isRoot) {
    return {
      title,
      lines: [`only root may change the firewall: ${goal} needs the commands below`],
      change: null,
      left: byHand(box, rules),
    };
  }
  if (box.run('nft', ['--version']) === null) {
    const left = ['sudo apt install nftables, then run the same command again'];
    return { title, lines: [`nft is missing: ${goal} needs the command below`], change: null, left };
  }
  const lines = [`${goal}: ${box.paths.rules}, included in ${box.paths.nftables} and loaded, also at each boot`];
  return { title, lines, change: () => changing(box.paths.rules, () => apply(box, rules)) };
}

function isUfwActive(box: Box): boolean {
  return /^Status: active/m.test(box.run('ufw', ['status'])?.out ?? '');
}

function isRight(box: Box, rules: string): boolean {
  if (textOf(box.paths.rules) !== rules || !isIncluded(box)) return false;
  if (!box.isRoot) return true;
  const asked = [box.run('nft', ['list', 'table', 'inet', 'dunlin']), box.run('systemctl', ['is-enabled', 'nftables'])];
  return asked.every((ran) => ran?.code === 0);
}

function includeLine(box: Box): string {
  return `include "${box.paths.rules}"`;
}

function isIncluded(box: Box): boolean {
  const lines = (textOf(box.paths.nftables) ?? '').split('\n');
  return lines.some((line) => line.trim() === includeLine(box));
}

/**
 * Loads the rules, and includes them in the boot configuration. The file gets its final name only after nft has loaded
 * it, so a file with this name always contains valid rules.
 */
function apply(box: Box, rules: string): void {
  const fresh = `${box.paths.rules}.new`;
  replaceFile(fresh, rules);
  mustRun(box, 'nft', ['-f', fresh]);
  replaceFile(box.paths.rules, rules);
  rmSync(fresh, { force: true });
  if (!isIncluded(box)) {
    const text = textOf(box.paths.nftables) ?? '';
    const gap = text === '' || text.endsWith('\n') ? '' : '\n';
    replaceFile(box.paths.nftables, `${text}${gap}${includeLine(box)}\n`);
  }
  mustRun(box, 'systemctl', ['enable', 'nftables']);
}

function mustRun(box: Box, program: string, args: readonly string[]): void {
  const ran = box.run(program, args);
  const said = ran === null ? 'the program is missing' : ran.err.trim();
  if (ran?.code !== 0) throw failed(`${program} ${args.join(' ')}: ${said}`);
}

function byHand({ paths }: Box, rules: string): string[] {
  return [
    `sudo tee ${paths.rules} >/dev/null <<'END'\n${rules}END`,
    `grep -qs ${paths.rules} ${paths.nftables} || echo 'include "${paths.rules}"' | sudo tee -a ${paths.nftables}`,
    `sudo nft -f ${paths.rules} && sudo systemctl enable nftables`,
  ];
}
