import {
  countWebhooks,
  deleteWebhook as removeWebhook,
  findWebhook,
  listWebhookRows,
  lockWebhookSecrets,
  updateWebhookSecret,
} from '#db/queries/webhooks/webhooks.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';
import { notFound } from '#domain/base/errors.ts';
import { toWebhook, type WebhookRecord } from './present-webhook.ts';
import { retainOldSecrets, readSecret, encryptSecret } from './secrets.ts';

/** Newest first. */
export function listWebhooks(
  ctx: Ctx,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ items: WebhookRecord[]; nextCursor: string | null; total: number }> {
  const before = page.cursor === undefined ? null : readIdCursor('webhooks', page.cursor);
  return inTenant(ctx, async (tx) => {
    const rows = await listWebhookRows(tx, ctx.workspaceId, { before, limit: page.limit + 1 });
    const items = rows.slice(0, page.limit);
    return {
      items: items.map((row) => toWebhook(row, ctx.clock.now())),
      nextCursor: rows.length > page.limit ? writeCursor('webhooks', [items.at(-1)!.id]) : null,
      total: await countWebhooks(tx, ctx.workspaceId),
    };
  });
}

/** A webhook of this workspace. Throws not_found. */
export async function getWebhook(ctx: Ctx, id: number): Promise<WebhookRecord> {
  const row = await inTenant(ctx, (tx) => findWebhook(tx, ctx.workspaceId, id));
  if (!row) throw notFound();
  return toWebhook(row, ctx.clock.now());
}

/** Deletes a webhook with its deliveries and their log. Throws not_found. */
export async function deleteWebhook(ctx: Ctx, id: number): Promise<void> {
  await inTenant(ctx, async (tx) => {
    if (!(await removeWebhook(tx, ctx.workspaceId, id))) throw notFound();
    await writeAudit(tx, ctx, { action: 'webhook.deleted', subject: `webhook ${id}` });
  });
}

/**
 * Rotates the secret. The new one signs from now on, and older ones for another 24 hours. A
 * generated secret is only in this response.
 */
export async function rotateWebhookSecret(
  ctx: Ctx,
  id: number,
  text: string | undefined,
): Promise<WebhookRecord & { secret?: string }> {
  const { bytes, strength, shown } = readSecret(text);
  const secret = encryptSecret(await ctx.encryptionKey(), ctx.workspaceId, bytes);
  const now = ctx.clock.now();
  return inTenant(ctx, async (tx) => {
    const current = await lockWebhookSecrets(tx, ctx.workspaceId, id);
    if (!current) throw notFound();
    await updateWebhookSecret(tx, ctx.workspaceId, id, {
      secret,
      oldSecrets: retainOldSecrets(current, now),
      secretStrength: strength,
    });
    await writeAudit(tx, ctx, { action: 'webhook.secret_changed', subject: `webhook ${id}` });
    const row = await findWebhook(tx, ctx.workspaceId, id);
    return { ...toWebhook(row!, now), ...(shown !== null && { secret: shown }) };
  });
}
