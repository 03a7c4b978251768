import type { Engagement } from '../../model/engagement.ts';
import type { Task } from '../../model/task.ts';
import { calls } from '../api/calls.ts';
import { forbidden, store } from '../console.ts';
import { ActButton, Fact, Facts } from '../parts/field.tsx';
import { announce, attempt } from '../state/attempt.ts';
import { assetName, trackNumber } from '../state/names.ts';
import { words } from '../words/en.ts';
import { terms } from '../words/terms.ts';
import { distanceText, durationText } from '../words/units.ts';

/** Ids of the plans that this screen cancelled. */
const cancelledHere = new Set<string>();
/** Verbs of cameras. Their cancellation orders no hold: the vehicle continues the flight that it had before. */
const cameraVerbs: ReadonlySet<string> = new Set(['look_at', 'zoom', 'take_image', 'start_video', 'stop_video']);

/**
 * A plan in execution, with its progress. Once the plan is over, it can no longer be cancelled. The button is above the
 * progress, whose rows come and go.
 */
export function FlownCard({ engagement, isOver }: { engagement: Engagement; isOver: boolean }) {
  return (
    <article class="card flown" data-over={isOver} aria-label={words.engagementOf(trackNumber(engagement.track_id))}>
      <h3>
        {trackNumber(engagement.track_id)} · {isOver ? endOf(engagement) : engagement.state}
      </h3>
      <ActButton whyNot={isOver ? words.planOver : forbidden('safer')} onPress={() => void cancel(engagement)}>
        {words.cancel}
      </ActButton>
      {engagement.tasks.map((task) => (
        <TaskFacts key={task.id} task={store.tasks.get(task.id) ?? task} isOver={isOver} />
      ))}
    </article>
  );
}

/** Cancels a plan in execution, and announces it, because the card disappears. */
async function cancel({ id, track_id }: Engagement): Promise<void> {
  const say = words.cancelledPlan(trackNumber(track_id));
  if ((await attempt(() => calls.cancel(id, words.cancelledHere))) === null) return;
  cancelledHere.add(id);
  announce(say);
}

function endOf({ id, tasks }: Engagement): string {
  if (!cancelledHere.has(id)) return words.ended;
  return tasks.every(({ verb }) => cameraVerbs.has(verb)) ? words.cancelledAndFlies : words.cancelledAndHeld;
}

/** Reason of a vehicle's hold during a task, as its row in the log gives it; null where this page has no such row. */
const whyHolding = ({ asset_id, started_at }: Task): string | null =>
  store.log.value.findLast(
    ({ kind, subject, at }) => kind === 'task.holding' && subject?.id === asset_id && at >= started_at,
  )?.text ?? null;

/** Progress of one vehicle. A plan that is over has no phase: its last report may be older than its end. */
function TaskFacts({ task, isOver }: { task: Task; isOver: boolean }) {
  const { asset_id, verb, phase, eta_s: eta, distance_m: distance, closest_m: closest, breaches } = task;
  const why = phase === 'holding' && !isOver ? whyHolding(task) : null;
  return (
    <Facts>
      <Fact name={assetName(asset_id)}>
        {words.verb(verb)}
        {isOver ? '' : ` · ${terms.phase(phase)}`}
        {why === null ? null : <span class="second">{words.spoken(why)}</span>}
      </Fact>
      {eta === null || isOver || phase !== 'going' ? null : (
        <Fact name={words.arrives}>{eta < 1 ? words.atOnce : `in ${durationText(eta)}`}</Fact>
      )}
      <Fact name={words.distance}>{distance === null ? words.noDistance(phase) : distanceText(distance)}</Fact>
      <Fact name={words.closestSoFar}>{closest === null ? words.unknown : distanceText(closest)}</Fact>
      {cameraVerbs.has(verb) && !isOver ? <Fact name={words.picture}>{words.pictureElsewhere}</Fact> : null}
      {breaches > 0 ? <Fact name={words.breaches}>{breaches}</Fact> : null}
    </Facts>
  );
}
