import type { OutletBox } from '../../../model/outlet_view.ts';
import type { Publish } from './publish.ts';

/** Topics that Home Assistant entities subscribe to. */
export type EntityTopics = { status: string; summary: string; slot(slot: number): SlotTopics };
export type SlotTopics = { place: string; availability: string };

type Config = Readonly<Record<string, unknown>>;

/**
 * Returns the discovery messages of Home Assistant (its documentation, MQTT). They declare one device with sensors, an
 * alarm, and a tracker for each slot: slot n shows the threat of rank n. A tracker for each drone would fill the
 * registry of Home Assistant with aircraft that never return.
 */
export function discovery({ nodeId, version }: OutletBox, topics: EntityTopics, slots: number): Publish[] {
  const node = nodeId.slice(0, 8);
  const device = {
    identifiers: [`dunlin_${node}`],
    name: 'Dunlin',
    manufacturer: 'Dunlin',
    sw_version: version,
  };
  const entity = (component: string, key: string, config: Config): Publish => {
    const id = `dunlin_${node}_${key}`;
    const availability = 'availability' in config ? {} : { availability_topic: topics.status };
    const whole = { unique_id: id, ...availability, ...config, device };
    const topic = `homeassistant/${component}/${id}/config`;
    return { topic, payload: Buffer.from(JSON.stringify(whole)), retain: true, qos: 1 };
  };
  const summary = { state_topic: topics.summary };
  return [
    entity('sensor', 'tracks', {
      ...{ ...summary, name: 'Tracks', value_template: '{{ value_json.tracks }}' },
      ...{ icon: 'mdi:quadcopter', state_class: 'measurement' },
    }),
    entity('sensor', 'level', {
      ...{ ...summary, name: 'Highest threat', json_attributes_topic: topics.summary, icon: 'mdi:shield-alert' },
      value_template: "{{ value_json.highest.level if value_json.highest else 'none' }}",
      ...{ json_attributes_template: '{{ value_json.highest | tojson if value_json.highest else {} | tojson }}' },
    }),
    entity('binary_sensor', 'alert', {
      ...{ ...summary, name: 'Alert', device_class: 'safety' },
      value_template: "{{ 'ON' if value_json.alerts > 0 else 'OFF' }}",
    }),
    ...Array.from({ length: slots }, (_, index) => tracker(entity, topics, index + 1)),
  ];
}

function tracker(
  entity: (component: string, key: string, config: Config) => Publish,
  { status, slot }: EntityTopics,
  number: number,
): Publish {
  const { place, availability } = slot(number);
  return entity('device_tracker', `threat_${number}`, {
    ...{ name: `Threat ${number}`, source_type: 'gps', json_attributes_topic: place, icon: 'mdi:quadcopter' },
    ...{ availability: [{ topic: status }, { topic: availability }], availability_mode: 'all' },
  });
}
