import { Fault } from '../../model/fault.ts';
import { type DetectionLine, readDetection } from './detection_line.ts';
import type { Figures } from './figures.ts';
import { Scenario, type ScenarioOptions } from './scenario.ts';

type RunOptions = ScenarioOptions & {
  /** Yields the numbered lines in the order of the file. Calls `problem` for each line that it leaves out. */
  lines(problem: (sentence: string) => void): AsyncIterable<{ text: string; number: number }>;
  /** Called with a sentence for each line that cannot be used. */
  onProblem(sentence: string): void;
};

/** Runs a core over a scenario as fast as possible. Resolves with the figures of the run. */
export async function runScenario({ lines, onProblem, ...options }: RunOptions): Promise<Figures> {
  const scenario = new Scenario(options);
  const problem = (sentence: string): void => {
    scenario.figures.badLines++;
    onProblem(sentence);
  };
  for await (const { text, number } of lines(problem)) {
    if (text.trim() === '') continue;
    const line = goodLine(text, scenario);
    if (typeof line === 'string') problem(`line ${number}: ${line}`);
    else await scenario.take(line);
  }
  await scenario.finish();
  return scenario.figures;
}

/** Returns the detection of a line, or a sentence about its fault. */
function goodLine(text: string, scenario: Scenario): DetectionLine | string {
  try {
    const line = readDetection(text);
    scenario.check(line);
    return line;
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.message;
    throw thrown;
  }
}
