import type { Alert } from '../../model/alert.ts';
import { isOver } from '../../model/command.ts';
import { conflict } from '../../model/fault.ts';
import type { PictureEvent } from '../../picture/events.ts';
import type { ShownWorld } from '../shown_world.ts';

/**
 * Watches the live world. Refuses to show another world while the live world needs attention, and reports critical
 * alerts of the live world while another world is shown.
 */
export class LiveWatch {
  readonly #shownWorld: ShownWorld;
  readonly #critical: (alert: Alert) => void;

  /**
   * `critical` is called while another world is shown, for a critical alert that the live world raises or updates. If
   * several arrive together, it gets only the first.
   */
  constructor(shownWorld: ShownWorld, critical: (alert: Alert) => void) {
    this.#shownWorld = shownWorld;
    this.#critical = critical;
  }

  /** Starts the watch. Returns a function that ends the watch. */
  start(): () => void {
    return this.#shownWorld.live.world.stream.onFlush((events) => this.#receive(events));
  }

  /** Throws a `conflict` if a critical alert or a vehicle's task requires that the live world stays shown. */
  requireCalm(): void {
    const { live } = this.#shownWorld;
    const alert = live.world.alerts
      .shown()
      .find(({ severity, state }) => severity === 'critical' && state !== 'cleared');
    if (alert) {
      const until = 'until this critical alert of the live world is cleared (to acknowledge it is not enough)';
      throw conflict(`another world cannot be shown ${until}: ${alert.text}`);
    }
    const [task] = live.world.snapshot().tasks.filter(({ state }) => !isOver(state));
    if (task)
      throw conflict(
        `another world cannot be shown: a vehicle of the live world carries out the verb ${task.verb}; wait until the task ends, or cancel it`,
      );
  }

  #receive(events: readonly PictureEvent[]): void {
    if (this.#shownWorld.mode === 'live') return;
    let critical: Alert | null = null;
    for (const { kind, body } of events) {
      if (kind !== 'alert' && kind !== 'alert_update' && kind !== 'live_alert') continue;
      if (kind === 'live_alert') this.#shownWorld.shown.world.announce(kind, body);
      // The live world had no critical alert when the other world was shown, so this alert was raised, resumed or
      // became critical since.
      if (body.severity === 'critical' && body.state === 'active') critical ??= body;
    }
    if (critical) this.#critical(critical);
  }
}
