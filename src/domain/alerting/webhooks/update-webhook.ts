import type { z } from 'zod';
import type { webhooks } from '#contract/webhooks.ts';
import {
  disableWebhook,
  enableWebhook,
  findWebhook,
  lockWebhookSecrets,
  updateWebhookRow,
} from '#db/queries/webhooks/webhooks.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { inSystem, inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { holdCaller } from '#domain/base/hold-caller.ts';
import { kindOf } from '#contract/receiver-kinds.ts';
import { isMasked, isShownAddressOf } from './mask-address.ts';
import { toWebhook, type WebhookRecord } from './present-webhook.ts';
import { readAddress, refuseUrl } from './register-webhook.ts';

type Input = z.output<(typeof webhooks)['PATCH /webhooks/{id}']['body']>;

/**
 * Updates a webhook. Disabling abandons pending deliveries; enabling resets failures. An address of
 * another kind is rejected, because it needs another webhook. The shown address changes nothing.
 * Throws not_found, precondition_failed, invalid_request, and unauthenticated when the caller's
 * access has ended: whoever ended it may be disabling the webhooks too.
 */
export async function updateWebhook(ctx: Ctx, id: number, set: Input): Promise<WebhookRecord> {
  // Checked before the address is resolved, which queries name servers, and resolved before the
  // transaction.
  const known = await inTenant(ctx, (tx) => findWebhook(tx, ctx.workspaceId, id));
  if (!known) throw notFound();
  const isNewUrl = set.url !== undefined && !isShownAddressOf(known, set.url);
  const url = isNewUrl ? await readAddress(ctx, set.url!, known.kind) : known.url;
  const isOfItsHost = kindOf(new URL(known.url)) === known.kind;
  if (isOfItsHost && kindOf(new URL(url)) !== known.kind)
    throw refuseUrl('other_kind', 'another kind of receiver: create a new webhook for it');
  if (set.enabled === true && isMasked(url))
    throw refuseUrl('hidden_part', 'the whole address before the webhook is enabled');
  const now = ctx.clock.now();
  return inSystem(ctx, async (tx) => {
    await holdCaller(tx, ctx);
    await lockWebhookSecrets(tx, ctx.workspaceId, id);
    const row = await findWebhook(tx, ctx.workspaceId, id);
    if (!row) throw notFound();
    assertUnchanged(ctx, toWebhook(row, now));
    const { events = row.events, description = row.description } = set;
    await updateWebhookRow(tx, ctx.workspaceId, id, {
      url: isNewUrl ? url : row.url,
      events: [...new Set(events)],
      description,
    });
    const which = { workspaceId: ctx.workspaceId, webhookId: id, now };
    if (set.enabled === true && !row.enabled) await enableWebhook(tx, which);
    if (set.enabled === false && row.enabled) await disableWebhook(tx, { ...which, by: 'user' });
    await writeAudit(tx, ctx, {
      action: 'webhook.changed',
      subject: `webhook ${id}`,
      detail: { fields: Object.keys(set).join(', ') },
    });
    return toWebhook((await findWebhook(tx, ctx.workspaceId, id))!, now);
  });
}
