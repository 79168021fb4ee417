import type { Services } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';
import { stringifyExact } from '#lib/json.ts';
import { HtmlPage, ResponseOf, SerializedJson, type RouteRequest } from '../route.ts';
import type { HeavyRead, HeavyResult } from '../heavy-reads/heavy-read.ts';
import { heavyRoutes } from './heavy-routes.ts';

/** Runs the operation's own handler, in whatever thread. Errors of the domain are results. */
export async function handleHeavyRead(services: Services, read: HeavyRead): Promise<HeavyResult> {
  const { key, identity, params, query, body, nowMs } = read;
  const clock = { ...services.clock, now: () => new Date(nowMs) };
  const routes = await heavyRoutes[key]!();
  const { handler } = routes.find((route) => route.key === key)!;
  try {
    const outcome: unknown = await handler({
      ctx: { ...services, ...identity, clock },
      params,
      query,
      body,
      signal: new AbortController().signal,
    } as unknown as RouteRequest<never>);
    return toResult(outcome instanceof ResponseOf ? outcome.body : outcome);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'error', code: error.code, message: error.message, detail: error.detail };
  }
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
