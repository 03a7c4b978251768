import { type Signal, signal } from '@preact/signals';
import type { Alert } from '../../model/alert.ts';
import { repeatS, type Tone, tones } from './tones.ts';

/** State of the sound. It is off until a person starts it (browsers demand a gesture), and can be silenced until a time, ms. */
export type SoundState = { on: boolean; silencedUntilMs: number };
export const sound: Signal<SoundState> = signal({ on: false, silencedUntilMs: 0 });

const SILENCE_MS = 30_000;
const severities: readonly Alert['severity'][] = ['info', 'notice', 'warning', 'critical'];

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

/** Silences the sound for 30 s; then unacknowledged alerts sound again. */
export function silence(nowMs: number): void {
  sound.value = { ...sound.peek(), silencedUntilMs: nowMs + SILENCE_MS };
}

export function setVolume(pct: number): void {
  volume = Math.max(0.2, Math.min(1, pct / 100));
}

export function play(notes: readonly Tone[]): void {
  if (context === null || !sound.peek().on || performance.now() < sound.peek().silencedUntilMs) return;
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

/** Time of the last sound of each alert, by its id and the time of its last worsening. */
const sounded = new Map<string, number>();

/**
 * Sounds the most severe due alert: new or worse alerts at once, unacknowledged ones again after an interval. There is
 * one sound at a time, so that a flood of alerts is one alarm. Called with each batch and each second.
 */
export function soundAlerts(alerts: readonly Alert[], nowMs: number): void {
  const waiting = alerts.filter(({ acknowledged, state }) => acknowledged === null && state !== 'cleared');
  const keys = new Set(waiting.map(keyOf));
  for (const key of sounded.keys()) if (!keys.has(key)) sounded.delete(key);
  const due = waiting.filter((alert) => isDue(alert, nowMs));
  const [worst] = due.toSorted((a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity));
  if (!worst) return;
  for (const alert of due) sounded.set(keyOf(alert), nowMs);
  play(tones[worst.severity]);
}

const keyOf = ({ id, escalated_at }: Alert): string => `${id} ${escalated_at ?? ''}`;

function isDue(alert: Alert, nowMs: number): boolean {
  const last = sounded.get(keyOf(alert));
  const every = repeatS[alert.severity];
  return last === undefined || (every !== null && nowMs - last >= every * 1_000);
}
