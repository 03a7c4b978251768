import { probeLink } from '../edge/link/probe.ts';
import type { LinkSpec } from '../model/link.ts';
import { type DeclaredLink, LinkRunner, type LinkDeps as RunnerDeps } from './link_runner.ts';

export type LinkSetEvents = {
  /** A link's state, error, retry or declaration changed. */
  changed(runner: LinkRunner): void;
  /** A link was removed, and with it the sensors that it declared. */
  removed(linkId: string): void;
  sensorRemoved(sensorId: string): void;
};

/** Links of a world. A fault of one link does not affect the others. */
export class LinkSet {
  readonly #deps: RunnerDeps;
  readonly #events: LinkSetEvents;
  readonly #runners = new Map<string, LinkRunner>();
  readonly #awaited = new Set<() => void>();
  #started = false;

  constructor(deps: Omit<RunnerDeps, 'changed'>, events: LinkSetEvents) {
    this.#deps = { ...deps, changed: (runner) => this.#changed(runner) };
    this.#events = events;
  }

  list(): readonly LinkRunner[] {
    return [...this.#runners.values()];
  }

  get(id: string): LinkRunner | undefined {
    return this.#runners.get(id);
  }

  /** Returns the id of the asset for which a link was issued; null for none. */
  issuedFor(id: string | null): string | null {
    return (id === null ? undefined : this.#runners.get(id))?.declared.issuedFor ?? null;
  }

  start(): void {
    this.#started = true;
    for (const runner of this.#runners.values()) runner.start();
  }

  async stop(): Promise<void> {
    this.#started = false;
    await Promise.all(this.list().map((runner) => runner.end()));
  }

  /** Checks whether a link could open. Throws `conflict` or `invalid_input` if it could not; see edge/link/probe.ts. */
  probe(spec: LinkSpec): Promise<void> {
    return probeLink(spec, this.#deps);
  }

  /** Adds a link. Throws `invalid_input` for a malformed address only; the status of the link shows other faults. */
  add(declared: DeclaredLink): void {
    const runner = new LinkRunner(declared, this.#deps);
    this.#runners.set(declared.id, runner);
    if (this.#started) runner.start();
    this.#events.changed(runner);
  }

  /**
   * Replaces a link. `decide` is called once the old link is closed; if it throws, the old link is started again. A
   * link with a new name has new sensors.
   */
  async change(id: string, decide: () => Promise<DeclaredLink>): Promise<void> {
    const was = this.#runners.get(id);
    await was?.stop();
    try {
      const declared = await decide();
      if (was && was.spec.name !== declared.spec.name) this.#removeSensors(id);
      this.add(declared);
    } catch (thrown) {
      if (this.#started) was?.start();
      throw thrown;
    }
    this.#tryRefused();
  }

  /** Resolves once the link has tried to open or was removed, at the latest after `mostMs`. */
  settled(id: string, mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        const runner = this.#runners.get(id);
        if (this.#started && runner?.status().state === 'opening') return;
        this.#awaited.delete(check);
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(() => {
        this.#awaited.delete(check);
        resolve();
      }, mostMs);
      this.#awaited.add(check);
      check();
    });
  }

  async remove(id: string): Promise<void> {
    const runner = this.#runners.get(id);
    if (!runner) return;
    this.#runners.delete(id);
    await runner.stop();
    this.#removeSensors(id);
    this.#events.removed(id);
    this.#tryRefused();
    for (const look of this.#awaited) look();
  }

  #removeSensors(linkId: string): void {
    for (const id of this.#deps.sensors.removeLink(linkId)) this.#events.sensorRemoved(id);
  }

  /** Starts refused links again, since another link may have released the port that they need. */
  #tryRefused(): void {
    if (!this.#started) return;
    for (const runner of this.#runners.values()) if (runner.isRefused) runner.start();
  }

  /** Forwards a change of a link, unless the link was removed or replaced. */
  #changed(runner: LinkRunner): void {
    if (this.#runners.get(runner.id) !== runner) return;
    this.#events.changed(runner);
    for (const look of this.#awaited) look();
  }
}
