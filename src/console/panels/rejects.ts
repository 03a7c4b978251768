/** Counts above zero as a text, for example `3 crc, 1 length`. */
export function rejectsText(rejects: Record<string, number>): string {
  const counted = Object.entries(rejects).filter(([, count]) => count > 0);
  return counted.map(([reason, count]) => `${count} ${reason.replace('_', ' ')}`).join(', ');
}
