import { useEffect, useRef, useState } from 'preact/hooks';
import type { TrackPoint } from '../../model/track.ts';
import { calls } from '../api/calls.ts';
import { Refusal } from '../api/client.ts';
import { settings } from '../state/settings.ts';
import { words } from '../words/en.ts';

const REFRESH_MS = 10_000;

/** Plot of a track's height and speed over time. uPlot draws it, in a separate chunk. */
export function TrackPlot({ id }: { id: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [sentence, setSentence] = useState<string | null>(null);
  useEffect(() => {
    let isOver = false;
    let remove = (): void => {};
    const draw = async (): Promise<void> => {
      try {
        const [points, { plotOf }] = await Promise.all([calls.history(id), import('../parts/plot.ts')]);
        if (isOver || !box.current) return;
        remove();
        remove = points.length < 2 ? () => {} : plotOf(box.current, seriesOf(points), settings.peek().theme);
        setSentence(points.length < 2 ? words.noHistory : null);
      } catch (thrown) {
        // A scenario that begins again forgets the tracks of the run before.
        const isGone = thrown instanceof Refusal && thrown.status === 404;
        if (!isOver) setSentence(isGone ? words.noHistory : sentenceOf(thrown));
      }
    };
    void draw();
    const timer = setInterval(() => void draw(), REFRESH_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
      remove();
    };
  }, [id]);
  return (
    <section>
      <h3>{words.history}</h3>
      {sentence === null ? null : <p class="empty">{sentence}</p>}
      <div class="plot" ref={box} />
    </section>
  );
}

const sentenceOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** References of heights, in the order of the panel. The plot uses the first one that any point has, for all points. */
const references = ['alt_agl_m', 'height_takeoff_m', 'alt_msl_m'] as const;

function seriesOf(points: readonly TrackPoint[]) {
  const reference = references.find((one) => points.some((point) => point[one] !== null)) ?? 'alt_msl_m';
  return {
    atS: points.map(({ at }) => Date.parse(at) / 1_000),
    height: words.heightAxis[reference],
    heightM: points.map((point) => point[reference]),
    speedMps: points.map(({ speed_mps }) => speed_mps),
  };
}
