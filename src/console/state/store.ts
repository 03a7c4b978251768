import { type Signal, signal } from '@preact/signals';
import type { Alert } from '../../model/alert.ts';
import type { Asset } from '../../model/asset.ts';
import type { Assignment } from '../../model/assignment.ts';
import type { Command } from '../../model/command.ts';
import type { Engagement } from '../../model/engagement.ts';
import type { LogEvent } from '../../model/event.ts';
import type { FleetRow } from '../../model/fleet.ts';
import type { Health } from '../../model/health.ts';
import type { Link } from '../../model/link.ts';
import type { Outlet } from '../../model/outlet.ts';
import type { Picture, SimState } from '../../model/picture.ts';
import type { Region } from '../../model/region.ts';
import type { Sensor } from '../../model/sensor.ts';
import type { Task } from '../../model/task.ts';
import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import type { Zone } from '../../model/zone.ts';
import type { LinkState } from '../stream/messages.ts';

/** Rows by id. `revision` increases once for each batch that changes them; readers subscribe to it. */
export class Rows<T> {
  readonly byId = new Map<string, T>();
  readonly revision: Signal<number> = signal(0);

  /** All rows; subscribes the caller. */
  list(): T[] {
    void this.revision.value;
    return [...this.byId.values()];
  }

  /** One row; subscribes the caller. */
  get(id: string | null): T | undefined {
    void this.revision.value;
    return id === null ? undefined : this.byId.get(id);
  }
}

/** The parts of the picture that are single values and no rows. */
export type Situation = Pick<
  Picture,
  'epoch' | 'seq' | 'environment' | 'mode' | 'posture' | 'autonomy' | 'autonomy_effective'
> & { sim: SimState; health: Health; at: string };

/** Time of the daemon's clock, and the trust in that time, from the last tick. */
export type BoxTime = { box_at: string; trust: string };

/** A row of the log. `shownAt` is the shown world's time when it arrived; `at` is the time of the row's own world. */
export type ShownRow = LogEvent & { shownAt?: string };

export const MOST_LOG_ROWS = 500;
export const MOST_COMMANDS = 200;

/** The picture in the console: rows by id and single values, each with a signal. */
export class Store {
  readonly tracks = new Rows<Track>();
  readonly threats = new Rows<Threat>();
  readonly alerts = new Rows<Alert>();
  readonly assets = new Rows<Asset>();
  readonly fleet = new Rows<FleetRow>();
  readonly assignments = new Rows<Assignment>();
  readonly zones = new Rows<Zone>();
  readonly regions = new Rows<Region>();
  readonly sensors = new Rows<Sensor>();
  readonly links = new Rows<Link>();
  readonly outlets = new Rows<Outlet>();
  readonly engagements = new Rows<Engagement>();
  readonly tasks = new Rows<Task>();
  /** Commands that changed since the page was opened, the last `MOST_COMMANDS`, newest change last. */
  readonly commands = new Rows<Command>();
  /** Alerts of the live world, for the time in which another world is shown. */
  readonly liveAlerts = new Rows<Alert>();
  readonly log: Signal<readonly ShownRow[]> = signal([]);
  /** Time of the shown world at which everything was stopped; null once a movement is approved or ordered again. */
  readonly stoppedAt: Signal<string | null> = signal(null);
  /** The last proposal that expired before a person decided about it; null before the first. */
  readonly expired: Signal<Engagement | null> = signal(null);
  readonly situation: Signal<Situation | null> = signal(null);
  readonly boxTime: Signal<BoxTime | null> = signal(null);
  readonly link: Signal<LinkState> = signal({ state: 'connecting', ageS: 0, cause: null });
}

/** Names of the collections of rows. */
export type RowsName = {
  [K in keyof Store]: Store[K] extends Rows<infer _> ? K : never;
}[keyof Store];
