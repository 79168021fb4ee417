import { AppError } from '#domain/base/errors.ts';

const depthMax = 64;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads strict JSON: UTF-8, at most 64 levels, no duplicate member, no `__proto__`, and neither NUL
 * nor a lone surrogate, which PostgreSQL's text cannot hold. Undefined for an empty body.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  checkShape(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('well-formed JSON');
  }
  return value;
}

function malformed(rule: string): AppError {
  return new AppError('invalid_request', `The body must be ${rule}.`, {
    issues: [{ path: 'body', code: 'wrong_form', message: rule, limit: null, actual: null }],
  });
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed('UTF-8');
  }
}

/**
 * Checks the text in one pass before JSON.parse recurses into it. JSON.parse reports other errors.
 */
function checkShape(text: string): void {
  const members: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === 0x7b || sign === 0x5b) {
      members.push(sign === 0x7b ? new Set() : null);
      if (members.length > depthMax) throw malformed(`at most ${depthMax} levels deep`);
    } else if (sign === 0x7d || sign === 0x5d) {
      members.pop();
    } else if (sign === 0x22) {
      const end = endOfString(text, at);
      checkString(
        text.slice(at, end + 1),
        members.at(-1) ?? null,
        isFollowedByColon(text, end + 1),
      );
      at = end;
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === 0x5c) at += 1;
    else if (sign === 0x22) return at;
  }
  throw malformed('well-formed JSON');
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === 0x3a;
}

function checkString(literal: string, members: Set<string> | null, isKey: boolean): void {
  const value = literal.includes('\\') ? unescape(literal) : literal.slice(1, -1);
  if (!isStorableText(value)) throw malformed('text without NUL and without lone surrogates');
  if (!isKey || members === null) return;
  if (value === '__proto__') throw malformed('free of a member named __proto__');
  if (members.has(value)) throw malformed('free of duplicate members');
  members.add(value);
}

function unescape(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    throw malformed('well-formed JSON');
  }
}

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
