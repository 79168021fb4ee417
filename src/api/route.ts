import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Operation } from '../contract/operation.ts';
import type { Ctx } from '../domain/context.ts';

type Part<Op, Name extends 'params' | 'query' | 'body'> =
  Op extends Record<Name, infer S extends z.ZodType> ? z.output<S> : undefined;
type Body<Op extends Operation> = {
  [S in keyof Op['responses']]: Op['responses'][S] extends z.ZodType
    ? z.input<Op['responses'][S]>
    : never;
};

/** What a handler gets: validated parts, and who asks. Class `auth` handlers get no ctx: nobody is known yet. */
export interface RouteRequest<Op extends Operation> {
  ctx: Op['rateClass'] extends 'auth' ? null : Ctx;
  params: Part<Op, 'params'>;
  query: Part<Op, 'query'>;
  body: Part<Op, 'body'>;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  raw: { request: FastifyRequest; reply: FastifyReply };
}

/** An answer with a status other than the operation's first. */
export class Answer<S extends number = number, B = unknown> {
  readonly status: S;
  readonly body: B;

  constructor(status: S, body: B) {
    this.status = status;
    this.body = body;
  }
}

/** An answer that is written already: building a year of cells as objects, to write them again, costs more than reading them. */
export class WrittenJson {
  readonly bytes: Buffer;
  /** Called once the answer has been sent, or its client is gone. */
  readonly giveBack: (() => void) | undefined;

  constructor(bytes: Buffer, giveBack?: () => void) {
    this.bytes = bytes;
    this.giveBack = giveBack;
  }
}

/** A page of an operation that has one beside its JSON (`orPage`): it runs nothing, and only our own pages may frame it. */
export class WrittenPage {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

type Outcome<Op extends Operation> =
  | { [S in keyof Body<Op>]: Answer<S & number, Body<Op>[S]> }[keyof Body<Op>]
  | Body<Op>[keyof Body<Op>]
  | WrittenJson
  | (Op extends { orPage: true } ? WrittenPage : never);

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

/** A noun's handlers; one missing or one too many does not compile. */
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
