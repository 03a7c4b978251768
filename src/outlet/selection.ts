import type { Alert } from '../model/alert.ts';
import { severityRank } from '../model/alert.ts';
import type { OutletSpec } from '../model/outlet.ts';
import type { AlertView, TrackView } from '../model/outlet_view.ts';
import type { Track } from '../model/track.ts';
import { type PreparedArea, preparedArea } from './area.ts';
import { type Verdict, verdictOf } from './filter.ts';
import { alertView, type OutletPicture, viewOf } from './views.ts';

/** Selects the tracks and alerts of the picture that pass an outlet's filter, and redacts them. */
export class Selection {
  readonly #picture: OutletPicture;
  #spec: OutletSpec;
  #area: PreparedArea;

  constructor(spec: OutletSpec, picture: OutletPicture) {
    this.#picture = picture;
    this.#spec = spec;
    this.#area = preparedArea(spec.filter.area, picture);
  }

  get area(): PreparedArea {
    return this.#area;
  }

  /** Applies another declaration, or the same one after a change of its zone or region. */
  apply(spec: OutletSpec): void {
    this.#spec = spec;
    this.#area = preparedArea(spec.filter.area, this.#picture);
  }

  verdictOf(track: Track): Verdict {
    const level = this.#picture.threat(track.id)?.level ?? 'none';
    return verdictOf(track, level, this.#spec.filter, this.#area);
  }

  view(track: Track): TrackView {
    return viewOf(track, this.#spec.redact, this.#picture);
  }

  /** Returns an alert as the outlet sends it; null if it is not severe enough or the outlet sends no alerts. */
  alert(alert: Alert): AlertView | null {
    const { least_severity: least } = this.#spec.filter;
    if (least === null || severityRank(alert.severity) < severityRank(least)) return null;
    const isSent = (track: Track): boolean => this.verdictOf(track) === 'sent';
    return alertView(alert, this.#spec.redact, this.#picture, isSent);
  }

  /** Returns an alert of the picture as the outlet sends it; null if it does not send it. */
  alertOf(id: string): AlertView | null {
    const alert = this.#picture.alerts().find((one) => one.id === id);
    return alert === undefined ? null : this.alert(alert);
  }

  /** Returns the active alerts; if `acknowledged` is true, also those that a person has acknowledged. */
  activeAlerts(acknowledged: boolean): AlertView[] {
    const isOpen = ({ state }: Alert): boolean => state === 'active' || (acknowledged && state === 'acknowledged');
    return this.#picture.alerts().flatMap((alert) => (isOpen(alert) && this.alert(alert)) || []);
  }
}
