/**
 * Sample code that verifies signatures of Standard Webhooks 1.0. A test runs the samples it can
 * against real deliveries.
 */
export const verifyCode = {
  node: `import { createHmac, timingSafeEqual } from 'node:crypto';

const secret = process.env.WEBHOOK_SECRET;
const isEncoded = secret.startsWith('whsec_');
const key = isEncoded ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);

// \`body\` is the text as it came, before JSON.parse. Throws when it is not from us.
export function verify(headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) throw new Error('too old');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  const isOurs = String(headers['webhook-signature']).split(' ').some((part) => {
    const [version, signature = ''] = part.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isOurs) throw new Error('wrong signature');
  return JSON.parse(body);
}
`,
  python: `import base64, hashlib, hmac, json, os, time

secret = os.environ["WEBHOOK_SECRET"]
key = base64.b64decode(secret[6:] + "==") if secret.startswith("whsec_") else secret.encode()


def verify(headers, body: bytes):
    """\`body\` is the bytes as they came. Raises ValueError when it is not from us."""
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("too old")
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = [part.partition(",") for part in headers["webhook-signature"].split()]
    if not any(v == "v1" and hmac.compare_digest(s.encode(), expected) for v, _, s in given):
        raise ValueError("wrong signature")
    return json.loads(body)
`,
  go: `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Verify returns nil when a request came from us. body is what was read from it, unchanged.
func Verify(secret string, header http.Header, body []byte) error {
	key := []byte(secret)
	if strings.HasPrefix(secret, "whsec_") {
		encoded := strings.TrimRight(strings.TrimPrefix(secret, "whsec_"), "=")
		decoded, err := base64.RawStdEncoding.DecodeString(encoded)
		if err != nil {
			return err
		}
		key = decoded
	}
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(time.Since(time.Unix(sent, 0)).Seconds()) > 300 {
		return errors.New("too old")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, part := range strings.Fields(header.Get("webhook-signature")) {
		given, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(part, "v1,"))
		if strings.HasPrefix(part, "v1,") && err == nil && hmac.Equal(given, expected) {
			return nil
		}
	}
	return errors.New("wrong signature")
}
`,
  php: `<?php

// $headers = array_change_key_case(getallheaders());
// $body = file_get_contents('php://input');
function verify(string $secret, array $headers, string $body): array
{
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (abs(time() - (int) $timestamp) > 300) {
        throw new RuntimeException('too old');
    }
    $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $part) {
        [$version, $signature] = explode(',', $part, 2) + ['', ''];
        if ($version === 'v1' && hash_equals($expected, $signature)) {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    throw new RuntimeException('wrong signature');
}
`,
} as const;

export type VerifyLanguage = keyof typeof verifyCode;
export const verifyLanguages = {
  node: 'Node',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
} as const satisfies Record<VerifyLanguage, string>;
