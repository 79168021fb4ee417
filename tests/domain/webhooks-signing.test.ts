import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import {
  retainOldSecrets,
  oldSecretsMax,
  decryptSecrets,
  readSecret,
  encryptSecret,
} from '#domain/alerting/webhooks/secrets.ts';
import { encrypt, decrypt } from '#domain/alerting/webhooks/encryption.ts';
import { signatureHeaders } from '#domain/alerting/webhooks/signature-headers.ts';
import { stringifyExact } from '#lib/json.ts';
import { anyCharacter } from '../harness/any-character.ts';

const now = new Date();
const key = randomBytes(32);
const runs = process.env.TORTURE ? 20_000 : 1_000;

const secretText = fc.oneof(
  fc.constant(undefined),
  fc
    .string({ minLength: 8, maxLength: 256, unit: 'grapheme' })
    .filter((text) => [...text].length >= 8),
  fc
    .uint8Array({ minLength: 24, maxLength: 64 })
    .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: anyCharacter }),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
})).value;

it(`${runs} random secrets and bodies verify with the public library and their secret`, () => {
  fc.assert(
    fc.property(secretText, value, (text, data) => {
      const { bytes, shown } = readSecret(text);
      const body = stringifyExact({ type: 'rank.dropped', timestamp: now.toISOString(), data });
      const headers = signatureHeaders([bytes], 'evt_0123456789', now, body);
      const known = shown ?? text!;
      const reader = known.startsWith('whsec_')
        ? new Webhook(known)
        : new Webhook(new TextEncoder().encode(known), { format: 'raw' });
      expect(() => reader.verify(body, headers)).not.toThrow();
      expect(() => reader.verify(`${body} `, headers)).toThrow();
      expect(() =>
        new Webhook(new Uint8Array(randomBytes(32)), { format: 'raw' }).verify(body, headers),
      ).toThrow();
    }),
    { numRuns: runs },
  );
});

describe('a secret', () => {
  it.each([
    [
      'whsec_ and base64 of 24 bytes',
      `whsec_${Buffer.alloc(24, 5).toString('base64')}`,
      Buffer.alloc(24, 5),
      'strong',
    ],
    [
      'the same without padding',
      `whsec_${Buffer.alloc(25, 5).toString('base64').replace(/=+$/, '')}`,
      Buffer.alloc(25, 5),
      'strong',
    ],
    [
      'whsec_ and 64 bytes',
      `whsec_${Buffer.alloc(64, 5).toString('base64')}`,
      Buffer.alloc(64, 5),
      'strong',
    ],
    ['eight characters', 'ächtzehn', Buffer.from('ächtzehn'), 'weak'],
    ['23 bytes', 'x'.repeat(23), Buffer.alloc(23, 'x'), 'weak'],
  ])('%s', (_name, text, bytes, strength) => {
    expect(readSecret(text)).toEqual({ bytes, strength, shown: null });
  });

  it.each([
    ['65 bytes', 'A'.repeat(88)],
    ['23 bytes', Buffer.alloc(23, 5).toString('base64')],
    ['no base64', 'not base64, but long enough!'],
    ['base64url', Buffer.alloc(32, 0xff).toString('base64url')],
  ])('of whsec_ and %s is refused, because receivers could not verify it', (_name, rest) => {
    expect(() => readSecret(`whsec_${rest}`)).toThrow('base64 of 24 to 64 bytes');
  });

  it('that is generated has 32 random bytes and is always different', () => {
    const made = Array.from({ length: 100 }, () => readSecret(undefined));
    expect(
      made.every(
        ({ bytes, shown }) => bytes.length === 32 && shown === `whsec_${bytes.toString('base64')}`,
      ),
    ).toBe(true);
    expect(new Set(made.map(({ shown }) => shown)).size).toBe(100);
  });

  it('signs the example of Standard Webhooks as published', () => {
    const { bytes } = readSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const headers = signatureHeaders(
      [bytes],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      new Date(1_614_265_330_000),
      '{"test": 2432232314}',
    );
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('signs together with the previous one until its day is over, ten at most', () => {
    let row = {
      secret: encryptSecret(key, 7, Buffer.from('secret 0')),
      oldSecrets: [] as { encrypted: string; until: string }[],
    };
    for (let index = 1; index <= 14; index += 1) {
      row = {
        secret: encryptSecret(key, 7, Buffer.from(`secret ${index}`)),
        oldSecrets: retainOldSecrets(row, now),
      };
    }
    const open = (at: Date) => decryptSecrets(key, 7, row, at).map(String);
    expect(open(now)).toEqual(
      Array.from({ length: oldSecretsMax + 1 }, (_, index) => `secret ${14 - index}`),
    );
    expect(open(new Date(now.getTime() + 24 * 3_600_000 - 1)).length).toBe(11);
    expect(open(new Date(now.getTime() + 24 * 3_600_000))).toEqual(['secret 14']);
  });
});

describe('a stored secret', () => {
  it('decrypts with its key in its workspace, and never otherwise', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 80 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (bytes, at, flip) => {
          const encrypted = encrypt(key, 'here', bytes);
          expect([...decrypt(key, 'here', encrypted)]).toEqual([...bytes]);
          expect(() => decrypt(randomBytes(32), 'here', encrypted)).toThrow(
            'another ENCRYPTION_KEY',
          );
          expect(() => decrypt(key, 'there', encrypted)).toThrow('another ENCRYPTION_KEY');
          const changed = Buffer.from(encrypted);
          changed[at % changed.length]! ^= flip;
          expect(() => decrypt(key, 'here', changed)).toThrow('another ENCRYPTION_KEY');
          expect(() => decrypt(key, 'here', encrypted.subarray(0, -1))).toThrow(
            'another ENCRYPTION_KEY',
          );
        },
      ),
    );
  });

  it('is never encrypted to the same bytes twice', () => {
    expect(
      encryptSecret(key, 7, Buffer.from('again and again')).equals(
        encryptSecret(key, 7, Buffer.from('again and again')),
      ),
    ).toBe(false);
  });
});
