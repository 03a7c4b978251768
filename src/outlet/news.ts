import type { Alert } from '../model/alert.ts';
import type { PictureEvent } from '../picture/events.ts';

/** News of a flush of the picture for outlets. */
export type News = { changed: Set<string>; ended: Set<string>; alerts: Alert[]; areas: boolean };

/** `tracksOf` finds the tracks of an asset, whose name stands in their messages. */
export function newsOf(events: readonly PictureEvent[], tracksOf: (assetId: string) => string[]): News {
  const news: News = { changed: new Set(), ended: new Set(), alerts: [], areas: false };
  for (const event of events) {
    switch (event.kind) {
      case 'track_new':
      case 'track_update':
      case 'track_state':
        news.changed.add(event.body.id);
        break;
      case 'threat_update':
      case 'threat_cleared':
        news.changed.add(event.body.track_id);
        break;
      case 'track_removed':
        news.changed.delete(event.body.id);
        news.ended.add(event.body.id);
        break;
      case 'asset_update':
      case 'asset_removed':
        for (const id of tracksOf(event.body.id)) news.changed.add(id);
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
