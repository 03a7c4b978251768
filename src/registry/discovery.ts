import { type Actor, actorLabel } from '../model/actor.ts';
import type { DiscoveryView, Link, LinkPolicy } from '../model/link.ts';
import { Listeners } from '../model/listeners.ts';
import { type SettingRows, settingRows } from '../store/settings.ts';
import type { State } from '../store/state.ts';
import type { RegistryDeps } from './deps.ts';

const BOX = '';
const KEY = 'discovery.enabled';

/**
 * Switch of discovery, one for the whole box; off by default. While it is off, no vehicle is queried or commanded, and
 * only adopted vehicles are listed.
 */
export class DiscoverySwitch {
  readonly #rows: SettingRows;
  #enabled: boolean | null = null;
  readonly #listeners = new Listeners();

  constructor(state: State) {
    this.#rows = settingRows(state);
  }

  /** State of the switch. It is cached until the next change, because every message of a vehicle needs it. */
  get enabled(): boolean {
    this.#enabled ??= this.#rows.get(BOX, KEY)?.value === true;
    return this.#enabled;
  }

  /** Stores the switch. Call it inside `Ledger.change`, and `publish` after that change. */
  write(enabled: boolean, updatedAt: string, updatedBy: string): void {
    this.#enabled = null;
    this.#rows.put({ workspaceId: BOX, key: KEY, value: enabled, updatedAt, updatedBy });
  }

  publish(): void {
    this.#enabled = null;
    this.#listeners.emit();
  }

  /** Adds a listener that is called after each change, whichever workspace made it. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }
}

/** Discovery in one workspace: the switch of the box, and the resulting permissions of the workspace's links. */
export class Discovery {
  readonly #deps: RegistryDeps;
  readonly #switch: DiscoverySwitch;

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
    this.#switch = deps.box?.discovery ?? new DiscoverySwitch(deps.state);
    this.#switch.onChange(() => deps.publish.announce('discovery_change', this.view()));
  }

  view(): DiscoveryView {
    const { enabled } = this.#switch;
    const links = this.#deps.box?.links() ?? [];
    return { enabled, links: links.map((link) => policyOf(link, enabled)) };
  }

  get enabled(): boolean {
    return this.#switch.enabled;
  }

  set(enabled: boolean, by: Actor): DiscoveryView {
    const { ledger } = this.#deps;
    const was = this.#switch.enabled;
    ledger.change('The discovery switch', () => {
      this.#switch.write(enabled, ledger.nowText(), actorLabel(by));
      const deed = {
        kind: 'discovery.changed' as const,
        text: `${actorLabel(by)} turned discovery ${enabled ? 'on' : 'off'} for the whole box`,
        by,
        workspaceId: null,
        before: { enabled: was },
        after: { enabled },
      };
      return { result: undefined, deed };
    });
    if (was !== enabled) this.#switch.publish();
    return this.view();
  }
}

function policyOf(link: Link, enabled: boolean): LinkPolicy {
  const { id, name, discover, command } = link;
  return { link_id: id, name, discover, command, effective: effectivePolicy(link, enabled) };
}

/**
 * Returns the permissions of a link. A disabled link has none. If discovery is off, vehicles are not queried, so they
 * cannot be commanded either.
 */
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
    ...(discover === 'off' ? ['shows only adopted vehicles'] : []),
    ...(command === 'deny' ? ['lets no command out'] : []),
  ];
  const reason = less.length === 0 ? null : `the link's own policy ${less.join(' and ')}`;
  return { discover, command, reason };
}
