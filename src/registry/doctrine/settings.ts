import { type DecisionConfig, type DecisionPolicy, decisionPolicySchema } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import { type Setting, unitOfName } from '../../model/setting.ts';
import { type SettingFacts, settingFacts, valueAt } from '../../model/setting_walk.ts';

const facts: readonly SettingFacts[] = settingFacts(decisionPolicySchema);

/** Every value of the decision config as a setting; `onBox` is the policy of the box before anything is saved. */
export function decisionSettings(config: DecisionConfig, onBox: DecisionPolicy): Setting[] {
  return facts.map(({ path, min, max, description }) => {
    const key = ['decision', ...path].join('.');
    const value = valueAt(config, path);
    const byDefault = valueAt(defaultPolicy, path);
    const inFile = valueAt(onBox, path);
    const trace: Setting['trace'] = [{ layer: 'default', value: byDefault, by: null, at: null }];
    if (JSON.stringify(inFile) !== JSON.stringify(byDefault)) {
      trace.push({ layer: 'file', value: inFile, by: path.join('.'), at: null });
    }
    if (config.version > 0) trace.push({ layer: 'workspace', value, by: config.updated_by, at: config.updated_at });
    return { key, value, default: byDefault, unit: unitOfName(key), min, max, description, trace };
  });
}
