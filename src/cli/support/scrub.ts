import { hideTokens } from '../../host/journal/secrets.ts';

const HIDDEN = '[hidden]';

const secretName =
  '[\\w.-]*(?:password|passwd|passphrase|secret|token|ticket|authorization|cookie|credential|signing[_-]?key|private[_-]?key|api[_-]?key|(?<![a-z])key)[\\w-]*';
const value = `"(?:[^"\\\\]|\\\\.)*"|'[^']*'|[^\\s,;}\\]"']+`;
/** Pattern of `name=value`, and of `"name": value` as in JSON. */
const assigned = new RegExp(`("?${secretName}"?\\s*=\\s*|"${secretName}"\\s*:\\s*)(?:${value})`, 'gi');
/** Pattern of `name: value`, as in YAML and HTTP headers. */
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
/** Patterns of a position: a pair of numbers in degrees, and a single number with at least five decimals. */
const placePair = /-?\d{1,3}\.\d{3,}°?\s*[NS]?\s*[,;/ ]\s*-?\d{1,3}\.\d{3,}/g;
const preciseNumber = /(?<![\d.])-?\d{1,3}\.\d{5,}/g;
/** Pattern of a quoted text: problems of the configuration quote its values. */
const quoted = /'[^'\n]*'|"[^"\n]*"/g;

/**
 * Kind of a text, which decides how much is removed. `log`: free text of programs and people. `sentences`: text of this
 * program. `problems`: sentences that quote the configuration. `numbers`: a page of numbers.
 */
export type TextKind = 'log' | 'sentences' | 'numbers' | 'problems';

/**
 * Returns a function that removes secrets, and from a `log` also positions. Each text of `known` with at least 6
 * characters is removed wherever it occurs.
 */
export function scrubber(known: readonly string[]): (text: string, kind: TextKind) => string {
  // Longer secrets are removed first, because they may contain shorter ones.
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

/**
 * Hides a URL. A URL of this box loses only its query and fragment, and a UDP, TCP or file address without `@` is kept.
 * Any other URL loses all but its scheme, because a credential may be anywhere in it.
 */
function hideUrl(_all: string, kind: string, rest: string): string {
  if (ownHost.test(rest)) return kind + rest.replace(/[?#].*$/, '');
  if (plainScheme.test(kind) && !rest.includes('@')) return kind + rest;
  return `${kind}${HIDDEN}`;
}

/**
 * Hides a text that looks like a base64 key: it has digits, lower and upper case. A text with four slashes or more is a
 * file path, and is kept.
 */
function hideBase64(text: string): string {
  const isMixed = /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);
  return isMixed && (text.match(/\//g)?.length ?? 0) < 4 ? HIDDEN : text;
}

const secretKey = /pass|secret|token|ticket|credential|authorization|cookie|(^|_)key$/i;
const placeKey = /^(lat|lon|latitude|longitude|coordinates)$/i;

/** Returns a configuration in which positions and the values of secret keys are hidden. Paths of key files are kept. */
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
