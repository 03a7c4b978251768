import uPlot from 'uplot';
import { coloursOf } from '../map/colours.ts';
import type { Settings } from '../state/setting_values.ts';

/** Points of a plot; `height` is the label of the height axis, with the reference of the heights. */
type Series = { atS: number[]; height: string; heightM: (number | null)[]; speedMps: (number | null)[] };

const HEIGHT_PX = 150;
/** Least room of a label of time, px: eight characters and a gap. */
const LABEL_PX = 84;
/** Steps between labels of time, s. */
const STEPS_S = [5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600];
const clock = (s: number): string => `${new Date(s * 1_000).toISOString().slice(11, 19)}`;

/** Draws height and speed over time. Returns a function that removes the plot. */
export function plotOf(
  box: HTMLElement,
  { atS, height, heightM, speedMps }: Series,
  theme: Settings['theme'],
): () => void {
  const colours = coloursOf(theme);
  const axis = { stroke: colours.quiet, grid: { stroke: colours.line, width: 0.5 }, ticks: { stroke: colours.line } };
  const plot = new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false } },
      series: [
        {},
        { label: height, stroke: colours.text, scale: 'm' },
        { label: 'speed, m/s', stroke: colours.low, scale: 'mps', dash: [4, 3] },
      ],
      axes: [
        // The library's own labels have am and pm, and the month before the day.
        { ...axis, space: LABEL_PX, incrs: STEPS_S, values: (_plot, splits) => splits.map(clock) },
        { ...axis, scale: 'm', label: height, labelSize: 16, size: 44 },
        { ...axis, scale: 'mps', side: 1, label: 'speed, m/s', labelSize: 16, size: 44, grid: { show: false } },
      ],
    },
    [atS, heightM, speedMps],
    box,
  );
  return () => plot.destroy();
}
