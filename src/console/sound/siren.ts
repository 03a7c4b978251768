import { type Signal, signal } from '@preact/signals';
import type { Alert } from '../../model/alert.ts';
import type { LinkState } from '../stream/messages.ts';
import { DueSounds } from './due.ts';
import { type Tone, tones } from './tones.ts';

/**
 * State of the sound. It is off until a person starts it, because browsers demand a gesture. A silence ends by itself.
 */
export type SoundState = { on: boolean; silencedUntilMs: number };
export const sound: Signal<SoundState> = signal({ on: false, silencedUntilMs: 0 });

const SILENCE_MS = 30_000;

let context: AudioContext | null = null;
let volume = 0.7;

/** Starts the sound with a test tone; called for a person's gesture. */
export async function startSound(): Promise<void> {
  context ??= new AudioContext();
  await context.resume();
  sound.value = { on: true, silencedUntilMs: 0 };
  play(tones.notice);
}

export function stopSound(): void {
  sound.value = { on: false, silencedUntilMs: 0 };
}

/** Silences the sound for 30 s; then unacknowledged warning and critical alerts sound again (`repeatS`). */
export function silence(nowMs: number): void {
  sound.value = { ...sound.peek(), silencedUntilMs: nowMs + SILENCE_MS };
}

export function endSilence(): void {
  sound.value = { ...sound.peek(), silencedUntilMs: 0 };
}

export function setVolume(pct: number): void {
  volume = Math.max(0.2, Math.min(1, pct / 100));
}

/** True if a sound is audible now: it was started, and no silence lasts. */
const isAudible = (nowMs: number): boolean =>
  context !== null && sound.peek().on && nowMs >= sound.peek().silencedUntilMs;

function play(notes: readonly Tone[]): void {
  if (context === null) return;
  for (const { hz, atS, lengthS } of notes) {
    const [oscillator, gain] = [context.createOscillator(), context.createGain()];
    oscillator.frequency.value = hz;
    // A short ramp, because a tone that begins at full volume clicks.
    const from = context.currentTime + atS;
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(volume, from + 0.01);
    gain.gain.setValueAtTime(volume, from + lengthS - 0.02);
    gain.gain.linearRampToValueAtTime(0, from + lengthS);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(from);
    oscillator.stop(from + lengthS);
  }
}

const due = new DueSounds();

/**
 * Sounds what is due, one sound at a time: an alert before the loss of the link. Called each second, and after changes
 * of alerts or of the link.
 */
export function soundWatch(alerts: readonly Alert[], link: LinkState['state'], nowMs: number): void {
  if (!isAudible(nowMs)) return;
  const severity = due.ofAlerts(alerts, nowMs);
  if (severity !== null) play(tones[severity]);
  else if (due.ofLink(link, nowMs)) play(tones.no_link);
}
