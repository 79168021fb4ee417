import type { z } from 'zod';

/** `auth` operations issue credentials: they need none and are throttled per address. */
export type RateClass = 'read' | 'write' | 'store' | 'auth';
export type OnDemand = 'refresh' | 'run-daily' | 'score' | 'suggestions';

/**
 * One route of the API: its shapes and its policy. The server, the OpenAPI document, the clients
 * and the tests all derive from it. Handlers are in api/routes/<noun>.ts.
 */
export interface Operation {
  /** Imperative and short, as `List webhooks`. */
  summary: string;
  /** Whole sentences: the effect, and what a caller must know. */
  description: string;
  rateClass: RateClass;
  onDemand?: OnDemand;
  /**
   * Some of its requests need no allowance, so it is admitted after the allowance is used up. Its
   * handler calls `assertAllowance` where one is needed.
   */
  mayBeFree?: boolean;
  /**
   * Reads so much that it runs beside the event loop, one at a time for each workspace. Its file is
   * in src/api/routes/heavy-routes.ts.
   */
  heavy?: boolean;
  /** A read that costs as much as a write, and counts as one in the limits of plans. */
  countsAsWrite?: boolean;
  /** It counts neither as use nor in limits of plans: it is cheap, and one page needs hundreds. */
  isUncounted?: boolean;
  /** A read-only token may call it: it changes nothing (it may query a store). */
  readOnlyToken: boolean;
  /** The required role; other callers get 404 when `hidden` is set, else 403. */
  role?: 'owner' | 'operator';
  hidden?: boolean;
  /**
   * Shows the whole instance: only operators may see it when there can be several workspaces.
   */
  instanceWide?: boolean;
  /**
   * Exists only when billing is on. Operations other than reads are for payment and work in every
   * state of a workspace.
   */
  metered?: boolean;
  /**
   * The body is read as raw bytes because its signature is the credential. Only with a payment
   * provider.
   */
  signed?: boolean;
  /**
   * Works in every state of a workspace: it reverts the state, or concerns only the caller's own
   * account.
   */
  allowedInAnyState?: boolean;
  /**
   * Works whichever workspace a page shows, because it concerns the session or the account of the
   * caller.
   */
  inAnyWorkspace?: boolean;
  /**
   * Only revokes access: a lapsed workspace may do it too, since a leaked token could still read
   * and a webhook receives events.
   */
  revokesAccess?: boolean;
  /**
   * Lists who or what has access. A session may read it after the limits of the plan are used up,
   * to find what to revoke.
   */
  showsAccess?: boolean;
  /** Requires a session; tokens are rejected. */
  sessionOnly?: boolean;
  /** Grants access to somebody: not in a lapsed workspace, although it requires a session. */
  grantsAccess?: boolean;
  /** Enqueues work: rejected with queue_full while the queue store is at its limit. */
  enqueues?: boolean;
  /**
   * Accepts the token as the password of HTTP Basic too, for feed readers that send nothing else.
   */
  basicAuth?: boolean;
  /** Responds while the database is away too, to a credential that was formed by us. */
  reportsOutage?: boolean;
  /**
   * The members of its response that people edit. Reads and writes return their ETag, and a write
   * with another one as If-Match fails; its verb calls `assertUnchanged`.
   */
  versioned?: readonly string[];
  /** Accepts an Idempotency-Key. */
  idempotent?: boolean;
  /** Members of the response that hold a secret. A replay leaves them out. */
  shownOnce?: readonly string[];
  /**
   * The body is of this type instead of JSON, and the handler reads it while it comes, within these
   * limits.
   */
  streams?: { contentType: 'application/zip'; bytesMax: number; timeoutMs: number };
  /** A larger limit than the 256 KiB of other bodies. */
  bodyBytesMax?: number;
  /**
   * A list without a query of its own for each page: `cut` is computed as a whole, and the server
   * cuts the page; `one` is a live response of a store, which has one page.
   */
  pages?: 'cut' | 'one';
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** A body that the schema accepts; every operation with a body has one. */
  example?: unknown;
  /** By status, success only; all operations share the error envelope. */
  responses: Record<number, z.ZodType>;
  /**
   * The handler writes the response itself, in one of these types (`text/html` by default), instead
   * of JSON.
   */
  raw?: boolean;
  contentTypes?: readonly string[];
  /** The handler sends an ETag, and 304 for the same one in If-None-Match. */
  isTagged?: boolean;
  /** Returns an HTML page for `format=html`. */
  hasHtmlVariant?: boolean;
}

export type Operations = Record<
  `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  Operation
>;

/** Keeps the literal keys and schemas while checking the shape. */
export function operationsOf<const T extends Operations>(operations: T): T {
  return operations;
}
