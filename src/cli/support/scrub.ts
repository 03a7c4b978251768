import { hideTokens } from '../../host/journal/secrets.ts';

const HIDDEN = '[hidden]';

const secretName =
  '[\\w.-]*(?:password|passwd|passphrase|secret|token|ticket|authorization|cookie|credential|signing[_-]?key|private[_-]?key|api[_-]?key|(?<![a-z])key)[\\w-]*';
const value = `"(?:[^"\\\\]|\\\\.)*"|'[^']*'|[^\\s,;}\\]"']+`;
/** `name=value`, and `"name": value` as JSON has it. */
const assigned = new RegExp(`("?${secretName}"?\\s*=\\s*|"${secretName}"\\s*:\\s*)(?:${value})`, 'gi');
/** `name: value`, as YAML and headers have it. */
const named = new RegExp(`(\\b${secretName}\\s*:\\s*)(?:${value})`, 'gi');
const scheme = /\b((?:bearer|basic|digest)\s+)[\w+/=.~:-]{6,}/gi;
const pem = /-----BEGIN [^-]{1,60}-----[\s\S]*?(?:-----END [^-]{1,60}-----|$)/g;
const url = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)([^\s"'<>\\]+)/gi;
const ownHost = /^(?:127\.[\d.]+|localhost|\[::1\])(?::\d+)?(?=\/|$)/i;
const plainScheme = /^(?:udp|tcp|file):/i;
const longHex = /\b[0-9a-f]{32,}\b/gi;
const longBase64 = /(?<![\w+/-])[\w+/-]{40,}={0,2}(?![\w+/-])/g;
const placeField = /("(?:[a-z_]*_)?(?:lat|lon|latitude|longitude)(?:_deg)?"\s*:\s*)-?\d+(?:\.\d+)?/gi;
const placeWord = /\b((?:lat|lon|latitude|longitude)(?:_deg)?\s*[:= ]\s*)-?\d+(?:\.\d+)?/gi;
/** A pair of degrees, or a number as precise as a position is written. */
const placePair = /-?\d{1,3}\.\d{3,}°?\s*[NS]?\s*[,;/ ]\s*-?\d{1,3}\.\d{3,}/g;
const preciseNumber = /(?<![\d.])-?\d{1,3}\.\d{5,}/g;
/** A quoted text, as a problem of the configuration quotes what stands there. */
const quoted = /'[^'\n]*'|"[^"\n]*"/g;

/** Kind of a text: lines that programs and people write freely, sentences of this program, or a page of numbers. */
export type TextKind = 'log' | 'sentences' | 'numbers' | 'problems';

/** Removes secrets and positions from text. `known` are the secrets of this box, whatever stands around them. */
export function scrubber(known: readonly string[]): (text: string, kind: TextKind) => string {
  // The longest first: one may contain another.
  const exact = [...new Set(known)].filter(({ length }) => length >= 6).sort((a, b) => b.length - a.length);
  return (text, kind) => {
    let clean = text;
    for (const secret of exact) clean = clean.replaceAll(secret, HIDDEN);
    clean = hideTokens(clean).replace(pem, HIDDEN).replace(scheme, `$1${HIDDEN}`).replace(url, hideUrl);
    if (kind === 'numbers') return clean;
    if (kind === 'problems') clean = clean.replace(quoted, "'…'");
    clean = clean.replace(assigned, `$1"${HIDDEN}"`).replace(longHex, HIDDEN).replace(longBase64, hideBase64);
    if (kind !== 'log') return clean;
    return clean
      .replace(named, `$1${HIDDEN}`)
      .replace(placeField, `$1"${HIDDEN}"`)
      .replace(placeWord, `$1${HIDDEN}`)
      .replace(placePair, HIDDEN)
      .replace(preciseNumber, HIDDEN);
  };
}

/** An address of this box keeps its path; of others only the kind is left: they may hold a credential anywhere. */
function hideUrl(_all: string, kind: string, rest: string): string {
  if (ownHost.test(rest)) return kind + rest.replace(/[?#].*$/, '');
  if (plainScheme.test(kind) && !rest.includes('@')) return kind + rest;
  return `${kind}${HIDDEN}`;
}

/** A path of a file is as long as a key, and is kept. */
function hideBase64(text: string): string {
  const isMixed = /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);
  return isMixed && (text.match(/\//g)?.length ?? 0) < 4 ? HIDDEN : text;
}

const secretKey = /pass|secret|token|ticket|credential|authorization|cookie|(^|_)key$/i;
const placeKey = /^(lat|lon|latitude|longitude|coordinates)$/i;

/** A configuration without values of secret names and without positions. Paths of key files are kept. */
export function withoutSecrets(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutSecrets);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]) => {
      const isHidden = placeKey.test(key) || (secretKey.test(key) && !key.endsWith('_file') && inner !== null);
      return [key, isHidden && typeof inner !== 'boolean' ? HIDDEN : withoutSecrets(inner)];
    }),
  );
}
