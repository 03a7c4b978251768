export const soundWords = {
  startWatch: 'Start watch',
  soundOn: (pct: number) => `SOUND ON ${pct} % · Silence`,
  soundOff: 'SOUND OFF',
  silenced: (s: number) => `SILENCED ${s} s`,
  silenceHint: 'Silences the sound for 30 s (M). Settings switch it off.',
  soundAgainHint: 'Ends the silence',
  switchOff: 'Switch the sound off',
  volume: 'Volume',
  testSound: 'Play a test tone',
};
