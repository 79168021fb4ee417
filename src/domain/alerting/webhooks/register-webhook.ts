import type { z } from 'zod';
import type { WebhookUrlFault } from '#contract/choices.ts';
import type { webhooks } from '#contract/webhooks.ts';
import {
  countWebhooks,
  findWebhook,
  insertWebhook,
  lockNewWebhooks,
} from '#db/queries/webhooks/webhooks.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { invalid, type AppError } from '#domain/base/errors.ts';
import { holdCaller } from '#domain/base/hold-caller.ts';
import { findMissingPart } from '../formats/index.ts';
import { kindOf, type WebhookKind } from '#contract/receiver-kinds.ts';
import { hiddenPart, isMasked } from './mask-address.ts';
import { toWebhook, type WebhookRecord } from './present-webhook.ts';
import { readSecret, encryptSecret } from './secrets.ts';

type Input = z.output<(typeof webhooks)['POST /webhooks']['body']>;

const webhooksMax = 50;

/**
 * Registers a webhook. Addresses that the SSRF guard blocks are rejected now and at every delivery.
 * A generated secret is only in this response. Throws unauthenticated when the caller's access has
 * ended.
 */
export async function registerWebhook(
  ctx: Ctx,
  input: Input,
): Promise<WebhookRecord & { secret?: string }> {
  const url = await readAddress(ctx, input.url, input.format);
  const kind = input.format ?? kindOf(new URL(url));
  const { bytes, strength, shown } = readSecret(input.secret);
  const secret = encryptSecret(await ctx.encryptionKey(), ctx.workspaceId, bytes);
  const createdAt = ctx.clock.now();
  return inSystem(ctx, async (tx) => {
    await holdCaller(tx, ctx);
    await lockNewWebhooks(tx, ctx.workspaceId);
    const count = await countWebhooks(tx, ctx.workspaceId);
    if (count >= webhooksMax)
      throw invalid(
        'url',
        `at most ${webhooksMax} webhooks; delete one first`,
        count + 1,
        webhooksMax,
      );
    const id = await insertWebhook(tx, ctx.workspaceId, {
      url,
      kind,
      events: [...new Set(input.events)],
      description: input.description ?? null,
      enabled: input.enabled,
      secret,
      secretStrength: strength,
      createdAt,
    });
    // Only the host: the rest of a chat's address is its secret.
    await writeAudit(tx, ctx, {
      action: 'webhook.created',
      subject: `webhook ${id}`,
      detail: { host: new URL(url).host },
    });
    const row = await findWebhook(tx, ctx.workspaceId, id);
    return { ...toWebhook(row!, createdAt), ...(shown !== null && { secret: shown }) };
  });
}

/** The normalised address. Throws invalid_request for a blocked one. */
export async function readAddress(
  ctx: Pick<Ctx, 'webhooks'>,
  text: string,
  format?: WebhookKind,
): Promise<string> {
  const url = new URL(text);
  url.hash = '';
  if (isMasked(url.href))
    throw refuseUrl(
      'hidden_part',
      `the whole address: ${hiddenPart} replaces a part that is not shown`,
    );
  const why = await ctx.webhooks.checkUrl(url.href);
  if (why !== null) throw refuseUrl('not_public', `an address on the public internet: ${why}`);
  const missing = findMissingPart({ kind: format ?? kindOf(url), url: url.href });
  if (missing !== null) throw refuseUrl(missing.fault, missing.rule);
  return url.href;
}

export const refuseUrl = (fault: WebhookUrlFault, rule: string): AppError =>
  invalid('url', rule, fault);
