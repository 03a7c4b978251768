import { measurement } from '../state/measure.ts';
import { words } from '../words/en.ts';
import { distanceAndCourse, project } from './camera.ts';
import { camera } from './view.ts';

/** The measured line with its length and its course, over the map. */
export function Measure() {
  const [now, line] = [camera.value, measurement.value];
  if (now === null || line === null) return null;
  const { from, to } = line;
  const apart = from !== null && to !== null ? distanceAndCourse(from, to) : null;
  const spots = [from, to].flatMap((place) => (place === null ? [] : [project(now, place)]));
  return (
    <>
      <svg class="measure" aria-hidden="true">
        <polyline points={spots.map((spot) => spot.join(',')).join(' ')} />
        {spots.map(([x, y]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={4} />
        ))}
      </svg>
      <p class="measured" role="status">
        {apart === null
          ? from === null
            ? words.measureFrom
            : words.measureTo
          : words.measured(apart.distanceM, apart.courseDeg, from?.name ?? null, to?.name ?? null)}
      </p>
    </>
  );
}
