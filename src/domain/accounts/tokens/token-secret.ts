import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const tokenPrefix = 'toprung';
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^toprung_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/**
 * `toprung_`, 30 random characters (178 bits) and 6 of checksum, so that scanners and the server
 * can reject a fake without a lookup.
 */
export function createTokenSecret(): string {
  const random = Array.from({ length: 30 }, () => digits[randomInt(62)]).join('');
  return `${tokenPrefix}_${random}${checksumOf(random)}`;
}

export function isTokenSecret(text: string): boolean {
  const match = shape.exec(text);
  return match !== null && checksumOf(match[1]!) === match[2];
}

/** The characters that stay visible, to distinguish tokens. */
export function prefixOf(secret: string): string {
  return secret.slice(0, tokenPrefix.length + 7);
}

/** A plain hash is enough for 178 random bits, and does not depend on AUTH_SECRET. */
export function hashTokenSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function checksumOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let index = 0; index < 6; index += 1) {
    text = digits[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
