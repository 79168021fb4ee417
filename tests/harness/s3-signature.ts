import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SignedRequest {
  method: string;
  /** The path and the query as they were sent. */
  target: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface SigningKey {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

const maxSkewMs = 15 * 60_000;
const authorization = new RegExp(
  '^AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/s3/aws4_request, ?' +
    'SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$',
);

/**
 * Verifies signature version 4 as Amazon documents it, computed here from the bytes that arrived.
 * Returns the code of the error that S3 would send; null for a valid signature.
 */
export function findSignatureError(
  { method, target, headers, body }: SignedRequest,
  key: SigningKey,
  now: Date,
): string | null {
  const match = authorization.exec(headers.authorization ?? '');
  if (!match) return 'AccessDenied';
  const [accessKeyId = '', day = '', region = '', signedHeaders = '', signature] = match.slice(1);
  if (accessKeyId !== key.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== key.region) return 'AuthorizationHeaderMalformed';
  const date = String(headers['x-amz-date']);
  const sentAt = Date.parse(
    date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  );
  if (!(Math.abs(now.getTime() - sentAt) <= maxSkewMs)) return 'RequestTimeTooSkewed';
  const names = signedHeaders.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name)))
    return 'AccessDenied';
  const payloadHash = String(headers['x-amz-content-sha256']);
  if (payloadHash !== hashOf(body)) return 'XAmzContentSHA256Mismatch';
  const [path = '', query = ''] = target.split('?');
  const canonical = [
    method,
    path,
    canonicalQuery(query),
    ...names.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    names.join(';'),
    payloadHash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, hashOf(canonical)].join('\n');
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${key.secretAccessKey}`,
  );
  return hmac(signingKey, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch';
}

function canonicalQuery(query: string): string {
  const pairs = query.split('&').filter(Boolean);
  return pairs
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&');
}

const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string) =>
  createHmac('sha256', key).update(text).digest();
