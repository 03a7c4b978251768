import type { Alert } from '../../model/alert.ts';
import { isOver } from '../../model/command.ts';
import { Fault } from '../../model/fault.ts';
import type { PictureEvent } from '../../picture/picture.ts';
import type { Stage } from './stage.ts';

/** Nobody leaves the live world while it needs him, and who has left it hears of it. */
export class LiveWatch {
  readonly #stage: Stage;
  /** Told of an alert that nobody may miss, whatever is shown. */
  onCritical: (alert: Alert) => void = () => {};

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Answers how to end it. */
  start(): () => void {
    return this.#stage.live.world.onFlush((events) => this.#hear(events));
  }

  /** Throws `conflict` with what keeps people here. */
  requireCalm(): void {
    const { live } = this.#stage;
    const alert = live.world.alerts
      .shown()
      .find(({ severity, state }) => severity === 'critical' && state !== 'cleared');
    if (alert) {
      const until = 'until this alert is cleared, whoever acknowledged it';
      throw new Fault('conflict', `the live world stays in view ${until}: ${alert.text}`);
    }
    const [task] = live.world.snapshot().tasks.filter(({ state }) => !isOver(state));
    if (task) throw new Fault('conflict', `the live world stays in view: a platform flies ${task.verb}`);
  }

  #hear(events: readonly PictureEvent[]): void {
    if (this.#stage.mode === 'live') return;
    let critical: Alert | null = null;
    for (const { kind, body } of events) {
      if (kind !== 'alert' && kind !== 'alert_update' && kind !== 'live_alert') continue;
      if (kind === 'live_alert') this.#stage.shown.world.shown.announce(kind, body);
      // None was critical when the live world was left: what is so now has come up since, or come back.
      if (body.severity === 'critical' && body.state === 'active') critical ??= body;
    }
    if (critical) this.onCritical(critical);
  }
}
