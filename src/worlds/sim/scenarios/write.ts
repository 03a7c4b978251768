import { Document, isPair, isScalar, visit } from 'yaml';
import { type ScenarioSpec, scenarioSpecSchema } from '../../../model/scenario.ts';
import { isTooDense } from './bounds.ts';
import { withoutDefaults } from './without_defaults.ts';

/** What is as short as this stands in one line. */
const MOST_IN_LINE = 90;

/** A scenario as YAML that a person can go on writing: what is as it is by default is left out. */
export function writeScenario(spec: ScenarioSpec): string {
  const said = withoutDefaults(scenarioSpecSchema, spec);
  const doc = new Document(said, { aliasDuplicateObjects: false });
  visit(doc, {
    Collection(_, node) {
      const plain = node.items.every((item) => isScalar(isPair(item) ? item.value : item));
      if (plain && JSON.stringify(node.toJSON()).length <= MOST_IN_LINE) node.flow = true;
    },
  });
  const text = doc.toString({ lineWidth: 120 });
  // Longer than is read as YAML: JSON is YAML too, and is read at any length.
  return isTooDense(text) ? `${JSON.stringify(said, null, 1)}\n` : text;
}
