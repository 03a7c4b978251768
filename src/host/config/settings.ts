import { type Setting, unitOfName } from '../../model/setting.ts';
import { settingFacts, valueAt } from '../../model/setting_walk.ts';
import { type Config, configSchema, defaultConfig } from './schema.ts';

/**
 * Effective configuration, the configuration from its file alone, and the flags and variables that override the file.
 */
type ConfigOrigin = {
  config: Config;
  file: string | null;
  fromFile: Config;
  /** Flag or variable that overrides a configuration key, for example `--data` for `data.dir`. */
  overridden: Readonly<Record<string, string>>;
};

/**
 * Returns the settings of the configuration with the layers that set them: `default`, `file`, and `env` for a flag or
 * variable. The layer of the file is left out if its value is the default.
 */
export function configSettings({ config, file, fromFile, overridden }: ConfigOrigin): Setting[] {
  const defaults = defaultConfig();
  return settingFacts(configSchema).map(({ path, min, max, description }) => {
    const key = path.join('.');
    const value = plain(valueAt(config, path));
    const byDefault = plain(valueAt(defaults, path));
    const inFile = plain(valueAt(fromFile, path));
    const trace: Setting['trace'] = [{ layer: 'default', value: byDefault, by: null, at: null }];
    if (!same(inFile, byDefault)) trace.push({ layer: 'file', value: inFile, by: file, at: null });
    const by = overridden[key];
    if (by !== undefined) trace.push({ layer: 'env', value, by, at: null });
    return { key, value, default: byDefault, unit: unitOfName(key), min, max, description, trace };
  });
}

function plain(value: unknown): unknown {
  return value === undefined ? null : value;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
