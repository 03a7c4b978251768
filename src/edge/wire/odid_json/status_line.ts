/**
 * Status lines of the mesh-detect family and what an ESP32 prints while it boots: the ROM's reset report and image table,
 * the second-stage bootloader, and log lines of ESP-IDF and Arduino (esp-rom, esp-idf log format `I (123) tag: text`).
 */
const known: readonly RegExp[] = [
  /^(?:\{")? *\[\+\] [A-Za-z][\w ,.()-]*(?:"\})?$/,
  /^Scanning\.{0,3}$/,
  /^USB Serial \(for JSON\) and UART \(Serial1\) initialized\.$/,
  /^\[(?:HOME|MESH|INFO|WARN)\] \S/,
  /^={8,}$/,
  /^ets [A-Z][a-z]{2} +\d{1,2} \d{4} \d\d:\d\d:\d\d$/,
  /^ESP-ROM:esp32[a-z0-9]*-\d{8}$/,
  /^Build:[A-Z][a-z]{2} +\d{1,2} \d{4}$/,
  /^rst:0x[0-9a-f]+ \([A-Z0-9_]+\),boot:0x[0-9a-f]+ \([A-Z0-9_]+\)$/,
  /^configsip: \d+, SPIWP:0x[0-9a-f]+$/,
  /^SPIWP:0x[0-9a-f]+$/,
  /^clk_drv:0x[0-9a-f]+,q_drv:0x[0-9a-f]+,d_drv:0x[0-9a-f]+,cs0_drv:0x[0-9a-f]+,hd_drv:0x[0-9a-f]+,wp_drv:0x[0-9a-f]+$/,
  /^mode:[A-Z]+, clock div:\d+$/,
  /^load:0x[0-9a-f]+,len:(?:0x)?[0-9a-f]+$/,
  /^entry 0x[0-9a-f]+$/,
  /^[EWIDV] \(\d+\) [\w.-]+: /,
  /^\[ *\d+\]\[[EWIDV]\]\[[\w./-]+:\d+\] /,
];

/** True for a line that these receivers print as a sign of life. */
export function isStatusLine(text: string): boolean {
  if (!/^[\x20-\x7e]+$/.test(text)) return false;
  return text.startsWith('{')
    ? isStatusObject(text) || known.some((form) => form.test(text))
    : known.some((form) => form.test(text));
}

/** `{"heartbeat": …}` and `{"status": …}`, with whatever counters; never an object about an aircraft. */
function isStatusObject(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || 'mac' in read) return false;
    return 'heartbeat' in read || 'status' in read;
  } catch {
    return false;
  }
}
