import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Operation } from '#contract/operation.ts';
import type { Ctx } from '#domain/base/context.ts';

type Part<Op, Name extends 'params' | 'query' | 'body'> =
  Op extends Record<Name, infer S extends z.ZodType> ? z.output<S> : undefined;
type Body<Op extends Operation> = {
  [S in keyof Op['responses']]: Op['responses'][S] extends z.ZodType
    ? z.input<Op['responses'][S]>
    : never;
};

/**
 * The arguments of a handler: validated parts and the caller. Handlers of class `auth` get no ctx,
 * because the caller is not identified yet.
 */
export interface RouteRequest<Op extends Operation> {
  ctx: Op['rateClass'] extends 'auth' ? null : Ctx;
  params: Part<Op, 'params'>;
  query: Part<Op, 'query'>;
  body: Part<Op, 'body'>;
  /**
   * Aborted when the client disconnects, and at the deadline unless the operation is idempotent.
   */
  signal: AbortSignal;
  raw: { request: FastifyRequest; reply: FastifyReply };
}

/** A response with a status other than the operation's first. */
export class ResponseOf<S extends number = number, B = unknown> {
  readonly status: S;
  readonly body: B;

  constructor(status: S, body: B) {
    this.status = status;
    this.body = body;
  }
}

/**
 * A response that is serialized already. Building a year of daily ranks as objects, only to
 * serialize them again, would cost more than reading them.
 */
export class SerializedJson {
  readonly bytes: Buffer;
  /** Called once the response has been sent or the client has disconnected. */
  readonly release: (() => void) | undefined;

  constructor(bytes: Buffer, release?: () => void) {
    this.bytes = bytes;
    this.release = release;
  }
}

/**
 * The HTML variant of an operation (`hasHtmlVariant`). It runs no script, and only our own pages
 * may frame it.
 */
export class HtmlPage {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

type Outcome<Op extends Operation> =
  | { [S in keyof Body<Op>]: ResponseOf<S & number, Body<Op>[S]> }[keyof Body<Op>]
  | Body<Op>[keyof Body<Op>]
  | SerializedJson
  | (Op extends { hasHtmlVariant: true } ? HtmlPage : never);

export type Handler<Op extends Operation> = (
  request: RouteRequest<Op>,
) => Promise<Outcome<Op>> | Outcome<Op>;

export interface Route {
  key: string;
  operation: Operation;
  // Each handler was checked against its own operation where it was declared.
  // oxlint-disable-next-line no-explicit-any
  handler: Handler<any>;
}

/** The handlers of a noun. A missing or superfluous one does not compile. */
export function routesOf<const T extends Record<string, Operation>>(
  operations: T,
  handlers: { [K in keyof T]: Handler<T[K]> },
): Route[] {
  return Object.entries(operations).map(([key, operation]) => ({
    key,
    operation,
    handler: handlers[key] as unknown as Route['handler'],
  }));
}
