import type { FastifyError } from 'fastify';
import type { z } from 'zod';
import type { exports } from '#contract/exports.ts';
import type { Operation } from '#contract/operation.ts';
import type { Ctx, Services } from '#domain/base/context.ts';
import { stringifyExact } from '#lib/json.ts';
import type {
  HeavyError,
  HeavyRead,
  HeavyResult,
  OpenedExport,
} from '../heavy-reads/heavy-read.ts';
import { callHandler } from '../plugins/call-handler.ts';
import { asAppError } from '../plugins/errors.ts';
import { HtmlPage, ResponseOf, SerializedJson, type RouteRequest } from '../route.ts';
import { heavyRoutes } from './heavy-routes.ts';

type ExportOperation = (typeof exports)['GET /apps/{id}/exports/{kind}'];

/**
 * Runs the operation's own handler, in whatever thread. Known errors are results, because an error
 * that is thrown to another thread loses its class and its code.
 */
export async function handleHeavyRead(services: Services, read: HeavyRead): Promise<HeavyResult> {
  const { key, path, params, query, body } = read;
  const routes = await heavyRoutes[key]!();
  const route = routes.find((candidate) => candidate.key === key)!;
  try {
    const outcome = await callHandler(route, path, {
      ctx: contextOf(services, read),
      params,
      query,
      body,
      signal: new AbortController().signal,
    } as unknown as RouteRequest<Operation>);
    return toResult(outcome instanceof ResponseOf ? outcome.body : outcome);
  } catch (error) {
    return toHeavyError(error);
  }
}

/** Opens an app's export, in whatever thread. Known errors are results. */
export async function handleHeavyExport(
  services: Services,
  read: HeavyRead,
): Promise<OpenedExport | HeavyError> {
  const { openAppExport } = await import('#domain/transfer/exports/open-export.ts');
  const { id, kind } = read.params as z.output<ExportOperation['params']>;
  const query = read.query as z.output<ExportOperation['query']>;
  try {
    return { kind: 'export', ...(await openAppExport(contextOf(services, read), id, kind, query)) };
  } catch (error) {
    return toHeavyError(error);
  }
}

function contextOf(services: Services, { identity, nowMs }: HeavyRead): Ctx {
  const clock = { ...services.clock, now: () => new Date(nowMs) };
  return { ...services, ...identity, clock };
}

function toResult(outcome: unknown): HeavyResult {
  if (outcome instanceof HtmlPage) return { kind: 'html', html: outcome.html };
  if (!(outcome instanceof SerializedJson))
    return { kind: 'json', bytes: new TextEncoder().encode(stringifyExact(outcome)) };
  // The buffer belongs to a pool.
  const bytes = new Uint8Array(outcome.bytes);
  outcome.release?.();
  return { kind: 'json', bytes };
}

/** Throws what is no known error. */
export function toHeavyError(error: unknown): HeavyError {
  const known = asAppError(error as FastifyError);
  if (known === null) throw error;
  return { kind: 'error', code: known.code, message: known.message, detail: known.detail };
}
