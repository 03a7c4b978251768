/** Centre frequencies of the Bluetooth LE advertising channels, Hz (Bluetooth Core 5.4, vol. 6 part B, 1.4.1). */
const advertisingHz: Readonly<Record<number, number>> = { 37: 2402e6, 38: 2426e6, 39: 2480e6 };

/**
 * Centre frequency, Hz, of a Wi-Fi channel (IEEE 802.11-2020, 15.4.4.3 and 17.3.8.4.2) or a Bluetooth LE advertising
 * channel. Without a band the channel number determines the band, since the two Wi-Fi bands share no numbers. Null if
 * the band has no such channel.
 */
export function channelHz(band: unknown, channel: unknown): number | null {
  if (typeof channel !== 'number' || !Number.isInteger(channel)) return null;
  if (band === 'BLE') return advertisingHz[channel] ?? null;
  const low = band !== '5GHz';
  const high = band !== '2.4GHz';
  if (low && channel >= 1 && channel <= 13) return (2407 + 5 * channel) * 1e6;
  if (low && channel === 14) return 2484e6;
  if (high && channel >= 32 && channel <= 177) return (5000 + 5 * channel) * 1e6;
  return null;
}
