import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import type { Owner } from '../../../test/support/basics/owner.ts';
import type { DaemonProcess } from '../../../test/support/daemon/daemon_process.ts';
import { fieldBox } from '../../../test/support/daemon/field_box.ts';
import { runToEnd } from '../../../test/support/daemon/program.ts';
import { Shift } from './shift.ts';

const config = `
data: {retention: {days: 1, bytes: 1GB}, recordings: {all_bytes: 200MB}}
links:
  - {name: remote id, transport: udp, address: 127.0.0.1:0, protocol: odid_json, sources_allow: [127.0.0.1]}
  - {name: adsb, transport: tcp_server, address: 127.0.0.1:0, protocol: sbs, sources_allow: [127.0.0.1]}
  - {name: vehicles, transport: udp, address: 127.0.0.1:0, protocol: mavlink, sources_allow: [127.0.0.1]}
# Tracks end soon, so that many come and go, and what is left of them would show.
tracking: {coast_s: 5, lost_s: 15, close_s: 60}
`;

// This script is build/scripts/soak-parts/hours/box.js.
const unit = fileURLToPath(new URL('../../../../systemd/dunlin.service', import.meta.url));
const PASSWORD = 'a long enough password';

/** A box under a soak: its folders, its clock, and the daemon on it with the options of the service. */
export class Box {
  readonly out: string;
  readonly dataDir: string;
  readonly temporary: string;
  readonly shift: Shift;
  readonly #owner: Owner;
  readonly #spawn: () => Promise<DaemonProcess>;

  constructor(owner: Owner, out: string) {
    const box = fieldBox(owner, config);
    this.#owner = owner;
    this.out = out;
    this.dataDir = box.dataDir;
    this.temporary = join(box.folder, 'tmp');
    mkdirSync(this.temporary);
    this.shift = new Shift(box.folder);
    const key = join(box.folder, 'secret_key');
    writeFileSync(key, '5'.repeat(64), { mode: 0o600 });
    const { options, env } = asInService();
    const own = { ...env, ...this.shift.env, DUNLIN_SECRET_KEY_FILE: key, TMPDIR: this.temporary };
    const command = ['env', 'NODE_OPTIONS=', process.execPath, ...options];
    this.#spawn = () => box.spawn({ env: own, command });
  }

  start(): Promise<DaemonProcess> {
    return this.#spawn();
  }

  /** The first owner, as the first one of a box is added. */
  async addOwner(username: string): Promise<{ username: string; password: string }> {
    const args = ['user', 'add', username, '--role', 'owner', '--data', this.dataDir];
    const { code, err } = await runToEnd(this.#owner as Test, args, { input: `${PASSWORD}\n`, env: this.shift.env });
    if (code !== 0) throw new Error(`dunlin user add: ${code} ${err}`);
    return { username, password: PASSWORD };
  }
}

/** Node's options and the environment of the service: they decide how much memory the daemon holds. */
function asInService(): { options: string[]; env: NodeJS.ProcessEnv } {
  const text = readFileSync(unit, 'utf8');
  const options = /^ExecStart=\S+((?: --\S+)*) \S+main\.js/m.exec(text)?.[1]?.match(/\S+/g) ?? [];
  const variables = [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  return { options, env: Object.fromEntries(variables) as NodeJS.ProcessEnv };
}
