import type { Cast } from '../cast.ts';

/** As a person calls it. */
export function nameOf(actorId: string, cast: Cast): string {
  return cast.of(actorId)?.name ?? actorId;
}

export function seconds(valueS: number): string {
  return `${figure(valueS)} s`;
}

export function metres(valueM: number): string {
  return `${figure(valueM)} m`;
}

/** To a tenth where it is small enough for that to matter. */
export function figure(value: number): string {
  const digits = Math.abs(value) < 1 ? 3 : Math.abs(value) < 100 ? 1 : 0;
  return String(Number(value.toFixed(digits)));
}

/** What was allowed, as the end of a sentence. */
export function allowed(byS: number | undefined): string {
  return byS === undefined ? '' : `; ${seconds(byS)} were allowed`;
}

/** Of what never came: until when it was waited for. */
export function within(byS: number | undefined): string {
  return byS === undefined ? '' : ` within ${seconds(byS)}`;
}
