import type { Migration } from '../migrate.ts';

/**
 * Changes alerts to the form of today: one alert is about a track, group, sensor or part of the box, and the rule
 * events about it are its steps. An older alert was about one event, which becomes its only step. The reason why the
 * alert ended is derived from the old reason of the alert.
 */
export const alertSteps: Migration = {
  version: 15,
  sql: `
    ALTER TABLE alerts ADD COLUMN events TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(events));
    UPDATE alerts SET events = json_array(json_object(
      'key', event_key,
      'ruleId', document ->> '$.rule_id',
      'ruleVersion', document ->> '$.rule_version',
      'severity', document ->> '$.severity',
      'subject', document -> '$.subject',
      'text', document ->> '$.text',
      'trackIds', document -> '$.track_ids',
      'zoneId', document ->> '$.zone_id',
      'count', document ->> '$.count'
    )) WHERE state != 'cleared';
    UPDATE alerts SET event_key = CASE
        WHEN document ->> '$.subject.type' = 'zone' OR document ->> '$.subject.id' = 'site' THEN 'event:' || event_key
        ELSE (document ->> '$.subject.type') || ':' || (document ->> '$.subject.id')
      END;
    UPDATE alerts SET document = json_set(document,
      '$.steps', json_array(json_object(
        'at', document ->> '$.raised_at',
        'rule_id', document ->> '$.rule_id',
        'zone_id', document ->> '$.zone_id',
        'severity', document ->> '$.severity',
        'text', document ->> '$.text')),
      '$.cleared_reason', CASE
        WHEN document ->> '$.cleared_reason' = 'recovered' THEN 'recovered'
        WHEN document ->> '$.cleared_reason' LIKE '%is not there any more' THEN 'lost'
        ELSE NULL END);
  `,
};
