import type { Alert } from '../model/alert.ts';
import type { PictureEvent } from '../picture/events.ts';

/**
 * Changes of one flush of the picture, for outlets. `changed` contains the changed tracks. The value is true for news,
 * which is a new report, state, affiliation or asset. It is false for other changes (details). `areas` is true if zones
 * or regions changed.
 */
export type News = { changed: Map<string, boolean>; ended: Set<string>; alerts: Alert[]; areas: boolean };

/** Fields of a track whose change is news. */
const newsFields = ['last_seen_at', 'state', 'affiliation', 'asset_id'] as const;

function note({ changed }: News, id: string, isNews: boolean): void {
  changed.set(id, isNews || changed.get(id) === true);
}

/**
 * Collects the changes in events. `tracksOf` finds the tracks of an asset, because messages about a track contain the
 * asset's name.
 */
export function newsOf(events: readonly PictureEvent[], tracksOf: (assetId: string) => string[]): News {
  const news: News = { changed: new Map(), ended: new Set(), alerts: [], areas: false };
  for (const event of events) {
    switch (event.kind) {
      case 'track_new':
      case 'track_state':
        note(news, event.body.id, true);
        break;
      case 'track_update':
        note(
          news,
          event.body.id,
          newsFields.some((field) => field in event.body),
        );
        break;
      case 'threat_update':
      case 'threat_cleared':
        note(news, event.body.track_id, false);
        break;
      case 'track_removed':
        news.changed.delete(event.body.id);
        news.ended.add(event.body.id);
        break;
      case 'asset_update':
      case 'asset_removed':
        for (const id of tracksOf(event.body.id)) note(news, id, false);
        break;
      case 'alert':
      case 'alert_update':
        news.alerts.push(event.body);
        break;
      case 'zone_update':
      case 'zone_removed':
      case 'region_update':
      case 'region_removed':
        news.areas = true;
        break;
      default:
    }
  }
  return news;
}
