import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { PopularityApiError, type PopularityKey } from '#domain/base/ports.ts';

const lifetimeSeconds = 20 * 60;

/**
 * The client secret of a token request: a JWT signed with ES256. Accepts SEC1 and PKCS#8. Throws
 * PopularityApiError with `bad_key`, whose message has nothing of the key.
 */
export function signClientSecret(key: PopularityKey, now: Date): string {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const head = { alg: 'ES256', kid: key.keyId, typ: 'JWT' };
  const claims = {
    sub: key.clientId,
    iss: key.teamId,
    aud: 'https://appleid.apple.com',
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
  };
  const text = `${encode(head)}.${encode(claims)}`;
  const dsaEncoding = 'ieee-p1363';
  const signature = sign('sha256', Buffer.from(text), {
    key: readKey(key.privateKey),
    dsaEncoding,
  });
  return `${text}.${signature.toString('base64url')}`;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function readKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    throw badKey('is not a PEM file without a password');
  }
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw badKey('is not a key of the curve P-256');
  return key;
}

const badKey = (fault: string): PopularityApiError =>
  new PopularityApiError(
    'bad_key',
    `The private key ${fault}. Paste the whole file that begins with “-----BEGIN EC PRIVATE ` +
      'KEY-----” or “-----BEGIN PRIVATE KEY-----”.',
  );
