import { z } from 'zod';

interface ErrorKind {
  status: number;
  meaning: string;
  remedy: string;
}

/** The closed list of error codes. New codes are added only here. */
export const errorCatalogue = {
  invalid_request: {
    status: 400,
    meaning: 'The request does not have the documented form.',
    remedy: 'Read `issues`, correct the request and send it again; nothing was written.',
  },
  invalid_country: {
    status: 400,
    meaning: 'A country is two lowercase letters.',
    remedy: 'Send it like `us`; nothing was written.',
  },
  phrase_too_long: {
    status: 400,
    meaning: 'A phrase has more than 100 characters.',
    remedy: 'Shorten it; nothing was written.',
  },
  too_many_words: {
    status: 400,
    meaning: 'A phrase has more than 5 words.',
    remedy: 'Split it; nothing was written.',
  },
  too_many_keywords: {
    status: 400,
    meaning: 'More than 200 keywords in one request.',
    remedy: 'Split the request; nothing was written.',
  },
  keyword_field_too_long: {
    status: 400,
    meaning: 'The keyword field text has more than 1,000 characters.',
    remedy: 'Shorten it; nothing was written.',
  },
  keyword_field_normalized_too_long: {
    status: 400,
    meaning: 'The normalised keyword field has more than 100 characters.',
    remedy: 'Remove words; nothing was written.',
  },
  unusable_zip: {
    status: 400,
    meaning: 'The zip cannot be used.',
    remedy:
      'Read `issues`: `actual` names the fault and `path` the file in the zip. Make the zip ' +
      'again; nothing was written.',
  },
  unknown_event: {
    status: 400,
    meaning: 'No event type has this name.',
    remedy: 'See GET /events/types.',
  },
  invalid_cursor: {
    status: 400,
    meaning: 'The cursor was not returned by this list.',
    remedy: 'Start again without a cursor.',
  },
  idempotency_mismatch: {
    status: 400,
    meaning: 'This Idempotency-Key was used with another body.',
    remedy: 'Use a new key for a new request.',
  },
  idempotency_response_lost: {
    status: 409,
    meaning:
      'The first request with this Idempotency-Key was carried out, at least in part, but its ' +
      'response was lost.',
    remedy: 'Read what exists now, and send what is missing with a new key.',
  },
  workspace_switched: {
    status: 409,
    meaning: 'The session was switched to another workspace than the one in X-Toprung-Workspace.',
    remedy: 'Read GET /auth/session and show that workspace; nothing was written.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not of the documented type, which is application/json for most.',
    remedy: 'Send Content-Type: application/json, or application/zip for a large zip.',
  },
  precondition_failed: {
    status: 412,
    meaning: 'This was changed after it was read: its ETag is not that of If-Match.',
    remedy:
      'Read it again, apply the change to the current state and send its ETag as If-Match; ' +
      'nothing was written.',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is larger than 256 KiB (1.5 MB for imports, 512 MiB for a large zip).',
    remedy: 'Split the request; send the texts of a zip without its pictures.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'This path does not support this method.',
    remedy: 'See GET /docs.',
  },
  unauthenticated: {
    status: 401,
    meaning: 'The credential is missing, malformed, revoked or expired.',
    remedy: 'Sign in, or send Authorization: Bearer with a valid token.',
  },
  credential_throttled: {
    status: 429,
    meaning: 'Too many rejected credentials from this address.',
    remedy: 'Wait retryAfterSeconds, then send a valid credential.',
  },
  auth_throttled: {
    status: 429,
    meaning: 'Too many sign-in attempts.',
    remedy: 'Wait retryAfterSeconds.',
  },
  no_live_plan: {
    status: 402,
    meaning: 'The workspace has no live plan.',
    remedy: 'Start a plan at entitlement.upgradePath.',
  },
  quota_apps: {
    status: 403,
    meaning: 'The plan’s limit of apps is reached.',
    remedy: 'Remove an app or upgrade.',
  },
  quota_keyword_markets: {
    status: 403,
    meaning: 'The plan’s limit of keyword markets is reached.',
    remedy: 'Remove keywords or upgrade.',
  },
  quota_members: {
    status: 403,
    meaning: 'The plan’s limit of members is reached.',
    remedy: 'Remove a member or upgrade.',
  },
  workspace_suspended: {
    status: 403,
    meaning: 'The workspace is suspended or was deleted: it can be read, not changed.',
    remedy:
      'GET /workspace has the reason. Ask the operator of this instance; an owner can ' +
      'restore a deleted workspace with POST /workspace/restore.',
  },
  read_only_token: {
    status: 403,
    meaning: 'This token is read-only.',
    remedy: 'Use a token with write access.',
  },
  forbidden: {
    status: 403,
    meaning: 'This credential does not have the permission.',
    remedy: 'Ask an owner of the workspace.',
  },
  not_found: {
    status: 404,
    meaning: 'The resource does not exist.',
    remedy: 'Check the path and the id.',
  },
  rate_limited: {
    status: 429,
    meaning: 'The plan’s rate limit is reached.',
    remedy: 'Wait retryAfterSeconds.',
  },
  on_demand_cap: {
    status: 429,
    meaning: 'The plan’s on-demand allowance is used up.',
    remedy: 'Wait retryAfterSeconds or upgrade.',
  },
  store_app_not_found: {
    status: 404,
    meaning: 'The store does not offer this app in this country.',
    remedy: 'Check the id or try another country.',
  },
  store_unavailable: {
    status: 503,
    meaning: 'The store did not give a usable response.',
    remedy: 'Nothing was lost or guessed; try again in retryAfterSeconds.',
  },
  popularity_key_missing: {
    status: 409,
    meaning: 'There are no credentials of the Apple Ads Platform API.',
    remedy: 'Save them with PUT /popularity/credentials.',
  },
  popularity_key_rejected: {
    status: 409,
    meaning: 'Apple does not accept the key, or it may not read an ad account.',
    remedy:
      'Compare client, team and key id with those under Account Settings, API, in Apple Ads; ' +
      'upload a new public key there when it was revoked, and save the new credentials.',
  },
  popularity_source_unavailable: {
    status: 503,
    meaning: 'Apple Ads did not send a usable response, so the credentials could not be tested.',
    remedy: 'Nothing was stored; try again in retryAfterSeconds.',
  },
  queue_full: {
    status: 500,
    meaning: 'The queue store has reached its limit.',
    remedy: 'Reads still work; try again when the queue has drained.',
  },
  unavailable: {
    status: 503,
    meaning: 'The service is starting, stopping or cannot reach its database.',
    remedy: 'Try again in retryAfterSeconds.',
  },
  internal: {
    status: 500,
    meaning: 'An internal error occurred.',
    remedy: 'Try again; the log has the details at this time.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorCatalogue;
export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

const issueCodes = [
  'missing',
  'unknown_member',
  'wrong_type',
  'wrong_form',
  'not_one_of',
  'too_long',
  'too_short',
  'too_many',
  'too_few',
  'too_large',
  'too_small',
  'invalid',
] as const;

export const issue = z
  .strictObject({
    path: z.string().meta({
      description:
        'Where the value was sent: a member of the body by its own path, others after `query.`, ' +
        '`params.` or `headers.`.',
    }),
    code: z.enum(issueCodes),
    message: z.string().meta({ description: 'The rule, in words.' }),
    limit: z
      .union([z.number(), z.string()])
      .nullable()
      .meta({ description: 'The bound, or the values that are allowed; null without one.' }),
    actual: z
      .union([z.number(), z.string()])
      .nullable()
      .meta({
        description:
          'The number, length or count for a code with `too_`, else what identifies the fault; ' +
          'null when there is nothing to add. A text is never repeated.',
      }),
  })
  .meta({ id: 'Issue' });

const quota = z.strictObject({
  kind: z.string(),
  limit: z.int(),
  used: z.int(),
  requested: z.int(),
  plan: z.string(),
  upgradeTo: z.string().nullable(),
});

export const errorEnvelope = z
  .strictObject({
    statusCode: z.int(),
    error: z.string(),
    message: z.string(),
    code: z.enum(errorCodes),
    path: z.string(),
    timestamp: z.string(),
    issues: z.array(issue).optional(),
    retryAfterSeconds: z.int().min(1).optional(),
    etag: z
      .string()
      .optional()
      .meta({ description: 'With `precondition_failed`: the ETag of the current state.' }),
    quota: quota.optional(),
    entitlement: z
      .strictObject({ state: z.string(), plan: z.string().nullable(), upgradePath: z.string() })
      .optional(),
    rateLimit: z
      .strictObject({
        window: z.enum(['minute', 'day', 'concurrent']),
        rateClass: z.string(),
        plan: z.string().nullable(),
        limit: z.int(),
        resetSeconds: z.int(),
        upgradeTo: z.string().nullable(),
      })
      .optional(),
  })
  .meta({ id: 'Error' });

export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
export type Issue = z.infer<typeof issue>;
