import { type Actor, actorLabel } from '../model/actor.ts';
import type { DiscoveryView, Link, LinkPolicy } from '../model/link.ts';
import { type SettingRows, settingRows } from '../store/settings.ts';
import type { State } from '../store/state.ts';
import type { RegistryRim } from './rim.ts';

const BOX = '';
const KEY = 'discovery.enabled';

/** Whether vehicles that nobody adopted are looked for: one switch for the whole box, which starts off. */
export class DiscoverySwitch {
  readonly #rows: SettingRows;
  #enabled: boolean | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(state: State) {
    this.#rows = settingRows(state);
  }

  /** Asked for with everything that vehicles say, and turned once in a while: read once after each turn. */
  get enabled(): boolean {
    this.#enabled ??= this.#rows.get(BOX, KEY)?.value === true;
    return this.#enabled;
  }

  /** Call within a change of the ledger, and `told` after it. */
  write(enabled: boolean, updatedAt: string, updatedBy: string): void {
    this.#enabled = null;
    this.#rows.put({ workspaceId: BOX, key: KEY, value: enabled, updatedAt, updatedBy });
  }

  told(): void {
    this.#enabled = null;
    for (const listener of this.#listeners) listener();
  }

  /** Every workspace is told, whoever turned it. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }
}

/** Discovery as one workspace sees it: the switch of the box, and what its own links may do under it. */
export class Discovery {
  readonly #rim: RegistryRim;
  readonly #switch: DiscoverySwitch;

  constructor(rim: RegistryRim) {
    this.#rim = rim;
    this.#switch = rim.box?.discovery ?? new DiscoverySwitch(rim.state);
    this.#switch.onChange(() => rim.tell.announce('discovery_change', this.view()));
  }

  view(): DiscoveryView {
    const { enabled } = this.#switch;
    const links = this.#rim.box?.links() ?? [];
    return { enabled, links: links.map((link) => policyOf(link, enabled)) };
  }

  get enabled(): boolean {
    return this.#switch.enabled;
  }

  set(enabled: boolean, by: Actor): DiscoveryView {
    const { ledger } = this.#rim;
    const was = this.#switch.enabled;
    ledger.change('The discovery switch', () => {
      this.#switch.write(enabled, ledger.nowText(), actorLabel(by));
      const deed = {
        kind: 'discovery.changed',
        text: `${actorLabel(by)} turned discovery ${enabled ? 'on' : 'off'} for the whole box`,
        by,
        workspaceId: null,
        before: { enabled: was },
        after: { enabled },
      };
      return { result: undefined, deed };
    });
    if (was !== enabled) this.#switch.told();
    return this.view();
  }
}

function policyOf(link: Link, enabled: boolean): LinkPolicy {
  const { id, name, discover, command } = link;
  return { link_id: id, name, discover, command, effective: effectivePolicy(link, enabled) };
}

/** With the switch off nothing is asked of vehicles, so nothing is commanded either. */
export function effectivePolicy(
  { discover, command, state }: Pick<Link, 'discover' | 'command' | 'state'>,
  enabled: boolean,
): LinkPolicy['effective'] {
  if (!enabled) {
    const reason = 'discovery is switched off for the whole box';
    return { discover: 'off', command: 'deny', reason };
  }
  if (state === 'disabled') {
    return { discover: 'off', command: 'deny', reason: 'the link is disabled' };
  }
  const less = [
    ...(discover === 'off' ? ['shows no vehicle that nobody adopted'] : []),
    ...(command === 'deny' ? ['lets no command out'] : []),
  ];
  const reason = less.length === 0 ? null : `the link's own policy ${less.join(' and ')}`;
  return { discover, command, reason };
}
