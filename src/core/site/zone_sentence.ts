import type { ZoneEvent } from '../../model/firing.ts';

const basis = {
  altitude: '',
  takeoff: ', by its height above where it took off',
  unknown: ', although its height is unknown',
} as const;

/** Sentence for the log about a transition. `label` is the track's label. */
export function zoneSentence(event: ZoneEvent, label: string, zoneName: string): string {
  return `${label} ${whatHappened(event, zoneName)}${basis[event.height]}.`;
}

function whatHappened({ transition, because, etaS }: ZoneEvent, zone: string): string {
  switch (transition) {
    case 'approach':
      return `will be in ${zone} in ${Math.round(etaS ?? 0)} s as it flies`;
    case 'dwell':
      return `stays in ${zone}`;
    case 'enter':
      if (because === 'zone') return `is in ${zone}, which is active from now on`;
      return because === 'flown' ? `entered ${zone}` : `was found in ${zone}`;
    case 'exit':
      return exitOf(because, zone);
  }
}

function exitOf(because: ZoneEvent['because'], zone: string): string {
  switch (because) {
    case 'flown':
      return `left ${zone}`;
    case 'zone':
      return `is no longer in ${zone}, which was changed or is not active now`;
    case 'track':
      return `is no longer a track that ${zone} applies to`;
    case 'closed':
      return `was last seen in ${zone} and is not followed any more`;
    case 'dropped':
      return `was dropped while in ${zone}`;
    case 'merged':
      return `turned out to be another track while in ${zone}`;
  }
}
