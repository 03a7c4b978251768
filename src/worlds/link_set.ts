import { probeLink } from '../edge/link/probe.ts';
import type { LinkSpec } from '../model/link.ts';
import { type DeclaredLink, LinkRunner, type LinkRim as RunnerRim } from './link_runner.ts';

export type LinkSetEvents = {
  /** A link's state, error or retry changed, or what it is. */
  changed(runner: LinkRunner): void;
  /** A link is gone, and with it the sensors that it declared. */
  removed(linkId: string): void;
  sensorRemoved(sensorId: string): void;
};

/** The links of a world. They come, change and go one by one: none feels what is done to another. */
export class LinkSet {
  readonly #rim: RunnerRim;
  readonly #events: LinkSetEvents;
  readonly #runners = new Map<string, LinkRunner>();
  readonly #awaited = new Set<() => void>();
  #started = false;

  constructor(rim: Omit<RunnerRim, 'changed'>, events: LinkSetEvents) {
    this.#rim = { ...rim, changed: (runner) => this.#changed(runner) };
    this.#events = events;
  }

  list(): readonly LinkRunner[] {
    return [...this.#runners.values()];
  }

  get(id: string): LinkRunner | undefined {
    return this.#runners.get(id);
  }

  start(): void {
    this.#started = true;
    for (const runner of this.#runners.values()) runner.start();
  }

  async stop(): Promise<void> {
    this.#started = false;
    await Promise.all(this.list().map((runner) => runner.end()));
  }

  /** Throws `conflict` or `invalid_input` where a link of this spec could not open; see edge/link/probe.ts. */
  probe(spec: LinkSpec): Promise<void> {
    return probeLink(spec, this.#rim);
  }

  /** Throws `invalid_input` where the address cannot be understood, and else never: how a link is, its status tells. */
  add(declared: DeclaredLink): void {
    const runner = new LinkRunner(declared, this.#rim);
    this.#runners.set(declared.id, runner);
    if (this.#started) runner.start();
    this.#events.changed(runner);
  }

  /**
   * Puts another in the place of a link. `decide` is asked once the link holds nothing any more; where it throws, the link
   * goes on as it was. Under another name its receivers are other sensors.
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

  /** Waits until a link has tried to open, or has gone, for at most `mostMs`. */
  settled(id: string, mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        const runner = this.#runners.get(id);
        if (this.#started && runner?.status().state === 'opening') return;
        this.#awaited.delete(look);
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(() => {
        this.#awaited.delete(look);
        resolve();
      }, mostMs);
      this.#awaited.add(look);
      look();
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
    for (const id of this.#rim.sensors.removeLink(linkId)) this.#events.sensorRemoved(id);
  }

  /** What one link gave back, another may have waited for. */
  #tryRefused(): void {
    if (!this.#started) return;
    for (const runner of this.#runners.values()) if (runner.isRefused) runner.start();
  }

  /** One that was taken out has nothing more to say. */
  #changed(runner: LinkRunner): void {
    if (this.#runners.get(runner.id) !== runner) return;
    this.#events.changed(runner);
    for (const look of this.#awaited) look();
  }
}
