import { isIP } from 'node:net';

import { withoutTrailing } from '#lib/text.ts';
// Parsers of settings. Each throws the rest of the sentence “X must be …”.

export const text = (value: string): string => value;

export function longText(min: number) {
  return (value: string): string => {
    if (value.length < min) throw new Error(`a text of at least ${min} characters`);
    return value;
  };
}

export function integer(min: number, max: number) {
  return (value: string): number => {
    if (!/^\d{1,16}$/.test(value) || Number(value) < min || Number(value) > max)
      throw new Error(`a whole number from ${min} to ${max}`);
    return Number(value);
  };
}

/** A part of a whole. */
export function share(value: string): number {
  if (!/^\d{1,3}(\.\d{1,9})?$/.test(value) || Number(value) > 1)
    throw new Error('a number from 0 to 1');
  return Number(value);
}

/** A number of days, or null for `forever`. */
export function keepDays(min: number) {
  const max = 36_500;
  return (value: string): number | null => {
    if (value === 'forever') return null;
    if (!/^\d{1,5}$/.test(value) || Number(value) < min || Number(value) > max)
      throw new Error(`a whole number from ${min} to ${max}, or forever`);
    return Number(value);
  };
}

export function oneOf<T extends string>(...values: T[]) {
  return (value: string): T => {
    if (!values.includes(value as T)) throw new Error(`one of ${values.join(', ')}`);
    return value as T;
  };
}

export const flag = (value: string): boolean => oneOf('true', 'false')(value) === 'true';
export const list = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export function address(...protocols: string[]) {
  return (value: string): string => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (!url || !protocols.includes(url.protocol))
      throw new Error(`an address starting with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return withoutTrailing(value, '/');
  };
}

/** An address for a client that decodes the user and password, and throws on a literal %. */
export function loginAddress(...protocols: string[]) {
  const parse = address(...protocols);
  return (value: string): string => requireDecodableLogin(parse(value));
}

function requireDecodableLogin(value: string): string {
  const { username, password } = new URL(value);
  try {
    decodeURIComponent(`${username}:${password}`);
  } catch {
    throw new Error('written with %25 for each % in a user or password');
  }
  return value;
}

/** The session's cookie and the API's prefix allow at most two folders. */
export function publicAddress(value: string): string {
  const url = new URL(address('http:', 'https:')(value));
  const path = url.pathname.replace(/\/$/, '');
  const others = url.username + url.password + url.search + url.hash;
  if (others !== '' || !/^(\/[\w-]+){0,2}$/.test(path))
    throw new Error(
      'an address of scheme, host and at most two folders of letters, digits, _ and -, such as ' +
        'https://example.org/aso',
    );
  return `${url.origin}${path}`;
}

export function addresses(...protocols: string[]) {
  const one = address(...protocols);
  return (value: string): string[] => {
    let found: string[];
    try {
      found = list(value).map(one);
    } catch {
      throw new Error(
        `addresses starting with ${protocols.map((p) => `${p}//`).join(' or ')}, separated ` +
          'by commas',
      );
    }
    return found.map(requireDecodableLogin);
  };
}

export function timeOfDay(value: string): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value);
  if (!match) throw new Error('a UTC time, HH:MM');
  return Number(match[1]) * 60 + Number(match[2]);
}

export function proxies(value: string): string[] {
  return list(value).map((item) => {
    const [network = '', bits = '0', ...more] = item.split('/');
    const most = isIP(network) === 4 ? 32 : 128;
    if (isIP(network) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most || more.length > 0)
      throw new Error('addresses or subnets, separated by commas');
    return item;
  });
}

/** `s3://bucket` or `s3://bucket/folder`. */
export function bucketAddress(value: string): string {
  if (!/^s3:\/\/\w[\w.-]{1,61}\w(\/[^?#\s]{1,500})?$/.test(value))
    throw new Error('the address of a bucket or of a folder in it, such as s3://bucket/folder');
  return withoutTrailing(value, '/');
}
