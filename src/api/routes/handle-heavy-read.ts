import type { z } from 'zod';
import type { exports } from '#contract/exports.ts';
import type { Ctx, Services } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';
import { stringifyExact } from '#lib/json.ts';
import type {
  HeavyError,
  HeavyRead,
  HeavyResult,
  OpenedExport,
} from '../heavy-reads/heavy-read.ts';
import { HtmlPage, ResponseOf, SerializedJson, type RouteRequest } from '../route.ts';
import { heavyRoutes } from './heavy-routes.ts';

type ExportOperation = (typeof exports)['GET /apps/{id}/exports/{kind}'];

/** Runs the operation's own handler, in whatever thread. Errors of the domain are results. */
export async function handleHeavyRead(services: Services, read: HeavyRead): Promise<HeavyResult> {
  const { key, params, query, body } = read;
  const routes = await heavyRoutes[key]!();
  const { handler } = routes.find((route) => route.key === key)!;
  try {
    const outcome: unknown = await handler({
      ctx: contextOf(services, read),
      params,
      query,
      body,
      signal: new AbortController().signal,
    } as unknown as RouteRequest<never>);
    return toResult(outcome instanceof ResponseOf ? outcome.body : outcome);
  } catch (error) {
    return toHeavyError(error);
  }
}

/** Opens an app's export, in whatever thread. Errors of the domain are results. */
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

function toHeavyError(error: unknown): HeavyError {
  if (!(error instanceof AppError)) throw error;
  return { kind: 'error', code: error.code, message: error.message, detail: error.detail };
}
