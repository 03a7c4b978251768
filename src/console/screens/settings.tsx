import { baseMaps, listMaps } from '../map/base_map.ts';
import { Dialog } from '../parts/dialog.tsx';
import { sound, startSound, stopSound } from '../sound/siren.ts';
import type { Settings } from '../state/setting_values.ts';
import { change, settings } from '../state/settings.ts';
import { words } from '../words/en.ts';

type Choice<K extends keyof Settings> = {
  key: K;
  name: string;
  options: readonly { value: Settings[K]; name: string }[];
};

const choice = <K extends keyof Settings>(key: K, name: string, options: Choice<K>['options']): Choice<K> => ({
  key,
  name,
  options,
});

const choices = [
  choice('theme', 'Theme', [
    { value: 'day', name: 'day' },
    { value: 'dusk', name: 'dusk' },
    { value: 'night', name: 'night' },
  ]),
  choice('heightUnit', 'Heights', [
    { value: 'm', name: 'metres' },
    { value: 'ft', name: 'feet' },
  ]),
  choice('speedUnit', 'Speeds', [
    { value: 'mps', name: 'm/s' },
    { value: 'kmh', name: 'km/h' },
    { value: 'kt', name: 'knots' },
    { value: 'mph', name: 'mph' },
  ]),
  choice('positionFormat', 'Positions', [
    { value: 'decimal', name: 'decimal degrees' },
    { value: 'dms', name: 'degrees, minutes, seconds' },
  ]),
  choice('vectorS', 'Line ahead of a track: where it will be in', [
    { value: 10, name: '10 s' },
    { value: 30, name: '30 s' },
    { value: 60, name: '60 s' },
  ]),
  choice('trailStyle', 'Trails', [
    { value: 'line', name: 'lines' },
    { value: 'dots', name: 'dots' },
  ]),
  choice('economyMap', 'Base map at half resolution', [
    { value: 'auto', name: 'without a graphics processor' },
    { value: 'on', name: 'always' },
    { value: 'off', name: 'never' },
  ]),
  choice('confirmBy', 'Confirm', [
    { value: 'hold', name: 'hold the button' },
    { value: 'press_twice', name: 'press twice' },
  ]),
] as const;

const switches: readonly {
  key: 'showRings' | 'showLabels' | 'showTrails' | 'showVectors' | 'showCoverage' | 'keysOn';
  name: string;
}[] = [
  { key: 'showRings', name: 'Range rings' },
  { key: 'showLabels', name: 'Labels' },
  { key: 'showTrails', name: 'Trails' },
  { key: 'showVectors', name: 'Lines ahead of tracks' },
  { key: 'showCoverage', name: 'Coverage of sensors' },
  { key: 'keysOn', name: 'Keyboard shortcuts' },
];

export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const now = settings.value;
  return (
    <Dialog title={words.settings} onClose={onClose}>
      {choices.map(({ key, name, options }) => (
        <label key={key}>
          {name}
          <select
            value={String(now[key])}
            onChange={({ currentTarget }) => {
              const chosen = options.find(({ value }) => String(value) === currentTarget.value);
              if (chosen) change({ [key]: chosen.value });
            }}
          >
            {options.map((option) => (
              <option key={option.name} value={String(option.value)}>
                {option.name}
              </option>
            ))}
          </select>
        </label>
      ))}
      <BaseMapChoice />
      <fieldset>
        <legend>{words.shown}</legend>
        {switches.map(({ key, name }) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={now[key]}
              onChange={({ currentTarget }) => change({ [key]: currentTarget.checked })}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <label>
        {words.volume}
        <input
          type="range"
          min={20}
          max={100}
          step={10}
          value={now.volumePct}
          onChange={({ currentTarget }) => change({ volumePct: Number(currentTarget.value) })}
        />
      </label>
      <button type="button" onClick={() => void startSound()}>
        {words.testSound}
      </button>
      {sound.value.on ? (
        <button type="button" onClick={stopSound}>
          {words.switchOff}
        </button>
      ) : null}
    </Dialog>
  );
}

/** Choice of a base map. Maps that the daemon cannot read are listed with the reason. */
function BaseMapChoice() {
  const all = baseMaps.value ?? [];
  return (
    <label>
      {words.baseMap}
      <select
        value={settings.value.baseMap}
        onFocus={() => void listMaps()}
        onChange={({ currentTarget }) => change({ baseMap: currentTarget.value })}
      >
        <option value="auto">{words.baseMapAuto}</option>
        <option value="none">{words.baseMapNone}</option>
        {all.map(({ id, name, state, error }) => (
          <option key={id} value={id} disabled={state !== 'ready'}>
            {state === 'ready' ? name : `${name}: ${error}`}
          </option>
        ))}
      </select>
    </label>
  );
}
