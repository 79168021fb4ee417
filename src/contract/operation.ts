import type { z } from 'zod';

/** `auth` routes are how a credential is obtained: throttled per address, no credential needed. */
export type RateClass = 'read' | 'write' | 'store' | 'auth';
export type OnDemand = 'refresh' | 'run-daily' | 'score' | 'suggestions';

/**
 * One route of the API: its shapes and its policy. The server, the OpenAPI document, the clients and the tests
 * all derive from it. Handlers live in api/routes/<noun>.ts.
 */
export interface Operation {
  summary: string;
  rateClass: RateClass;
  onDemand?: OnDemand;
  /** A read-only token may call it: it changes nothing (it may touch a store). */
  readOnlyToken: boolean;
  /** Who may call it; anybody else is told that it does not exist (`hidden`) or that it is forbidden. */
  role?: 'owner' | 'operator';
  hidden?: boolean;
  /** Shows the whole instance: where several workspaces share it, operators alone may see it, if any are named. */
  ofInstance?: boolean;
  /** Of metered instances alone: elsewhere it does not exist. What is not read is for paying, and works in every state of a workspace. */
  metered?: boolean;
  /** Its body is taken to the byte as it comes, for the signature over it, which is the credential. Only where there are payments. */
  signed?: boolean;
  /** It works in every state of a workspace: it takes back what made the state, or is nobody's business but one's own. */
  inAnyState?: boolean;
  /** It only takes somebody's access away: a lapsed workspace does it too, for whom a leaked token would read on. */
  takesAccessAway?: boolean;
  /** Only a session may call it, never a token. */
  sessionOnly?: boolean;
  /** It enqueues work: refused with queue_full while the queue store is at its ceiling. */
  enqueues?: boolean;
  /** A token may come as the password of HTTP Basic too, for readers that can send nothing else. */
  basicAuth?: boolean;
  /** Accepts an Idempotency-Key. */
  idempotent?: boolean;
  /** Of a body that may be larger than the 256 KiB of all others. */
  bodyBytesMax?: number;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** By status; success statuses only, the error envelope is common to all. */
  responses: Record<number, z.ZodType>;
  /** Answers something other than JSON, written by the handler itself, of these types (`text/html` where none is named). */
  raw?: boolean;
  contentTypes?: readonly string[];
  /** It answers a page as well, where `format=html` asks for one. */
  orPage?: boolean;
}

export type Operations = Record<
  `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  Operation
>;

/** Keeps the literal keys and schemas while checking the shape. */
export function operationsOf<const T extends Operations>(operations: T): T {
  return operations;
}
