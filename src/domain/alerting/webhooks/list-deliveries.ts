import type { z } from 'zod';
import type { delivery, deliveryDetail, EventType, webhooks } from '#contract/webhooks.ts';
import {
  countDeliveries,
  findDelivery,
  listAttempts,
  listDeliveryRows,
  type AttemptRow,
  type DeliveryRow,
} from '#db/queries/webhooks/deliveries.ts';
import { findWebhook } from '#db/queries/webhooks/webhooks.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';
import { notFound } from '#domain/base/errors.ts';
import { targetOf } from '../formats/index.ts';
import { maskAddress, maskBody } from './mask-address.ts';

type Query = z.output<(typeof webhooks)['GET /webhooks/{id}/deliveries']['query']>;
export type DeliveryRecord = z.input<typeof delivery>;
export type DeliveryDetail = z.input<typeof deliveryDetail>;
type Attempt = NonNullable<DeliveryRecord['lastAttempt']>;

const attemptsMax = 200;

/** The deliveries of a webhook, newest first. Throws not_found. */
export function listDeliveries(
  ctx: Ctx,
  webhookId: number,
  query: Query,
): Promise<{ items: DeliveryRecord[]; nextCursor: string | null; total: number }> {
  const list = `deliveries ${webhookId}`;
  const before =
    query.cursor === undefined ? null : readIdCursor(list, query.cursor, Number.MAX_SAFE_INTEGER);
  const filter = {
    webhookId,
    state: query.state,
    type: query.type,
    from: query.from === undefined ? null : new Date(query.from),
  };
  return inTenant(ctx, async (tx) => {
    if (!(await findWebhook(tx, ctx.workspaceId, webhookId))) throw notFound();
    const rows = await listDeliveryRows(tx, ctx.workspaceId, {
      ...filter,
      before,
      limit: query.limit + 1,
    });
    const items = rows.slice(0, query.limit);
    return {
      items: items.map(toDelivery),
      nextCursor: rows.length > query.limit ? writeCursor(list, [items.at(-1)!.id]) : null,
      total: await countDeliveries(tx, ctx.workspaceId, filter),
    };
  });
}

/** A delivery with its attempts, newest first, and the sent body. Throws not_found. */
export function getDelivery(ctx: Ctx, deliveryId: number): Promise<DeliveryDetail> {
  return inTenant(ctx, async (tx) => {
    const row = await findDelivery(tx, ctx.workspaceId, deliveryId);
    if (!row) throw notFound();
    const log = await listAttempts(tx, ctx.workspaceId, deliveryId, attemptsMax);
    return {
      ...toDelivery(row),
      request: {
        url: maskAddress({ ...row, url: targetOf(row) }),
        headers: log[0]?.requestHeaders ?? {},
        body: maskBody(row),
      },
      log: log.map((attempt) => ({
        ...toAttempt(attempt),
        requestHeaders: attempt.requestHeaders,
        responseHeaders: attempt.responseHeaders,
        responseHead: attempt.responseHead,
      })),
    };
  });
}

function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    id: row.id,
    webhookId: row.webhookId,
    messageId: row.messageId,
    type: row.type as EventType,
    sequence: row.sequence,
    state: row.state,
    attempts: row.attempts,
    partOf: row.partOf,
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: row.nextAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    lastAttempt:
      row.last &&
      toAttempt({
        ...row.last,
        at: new Date(row.last.at),
        nextAt: row.last.nextAt === null ? null : new Date(row.last.nextAt),
      }),
  };
}

const snippetMax = 300;

function toAttempt(row: Omit<AttemptRow, 'requestHeaders' | 'responseHeaders'>): Attempt {
  return {
    number: row.number,
    at: row.at.toISOString(),
    httpStatus: row.status,
    latencyMs: row.latencyMs,
    error: row.error,
    responseSnippet:
      row.responseHead === null ? null : [...row.responseHead].slice(0, snippetMax).join(''),
    nextAttemptAt: row.nextAt?.toISOString() ?? null,
  };
}
