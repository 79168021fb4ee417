import type { z } from 'zod';
import type { webhooks } from '../../contract/webhooks.ts';
import { countWebhooks, findWebhook, insertWebhook } from '../../db/queries/webhooks.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { inTenant, type Ctx } from '../context.ts';
import { invalid } from '../errors.ts';
import { findMissingPart } from './formats/index.ts';
import { kindOf, type WebhookKind } from './kinds.ts';
import { toWebhook, type WebhookRecord } from './present-webhook.ts';
import { readSecret, sealSecret } from './secrets.ts';

type Input = z.output<(typeof webhooks)['POST /webhooks']['body']>;

const webhooksMax = 50;

/** Refuses addresses that lead inward, now and at every delivery. The secret is in this answer alone, and only when it was made here. */
export async function registerWebhook(
  ctx: Ctx,
  input: Input,
): Promise<WebhookRecord & { secret?: string }> {
  const url = await readAddress(ctx, input.url, input.format);
  const kind = input.format ?? kindOf(new URL(url));
  const { bytes, strength, shown } = readSecret(input.secret);
  const secret = sealSecret(await ctx.sealKey(), ctx.workspaceId, bytes);
  const createdAt = ctx.clock.now();
  return inTenant(ctx, async (tx) => {
    const count = await countWebhooks(tx, ctx.workspaceId);
    if (count >= webhooksMax)
      throw invalid('url', `at most ${webhooksMax} webhooks; remove one first`, count, webhooksMax);
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
    // The host alone: the rest of a chat's address is its secret.
    await writeAudit(tx, ctx, {
      action: 'webhook.created',
      subject: `webhook ${id}`,
      detail: { host: new URL(url).host },
    });
    const row = await findWebhook(tx, ctx.workspaceId, id);
    return { ...toWebhook(row!, createdAt), ...(shown !== null && { secret: shown }) };
  });
}

/** The address as it will be used. Throws invalid_request where we would not send there. */
export async function readAddress(
  ctx: Pick<Ctx, 'webhooks'>,
  text: string,
  format?: WebhookKind,
): Promise<string> {
  const url = new URL(text);
  url.hash = '';
  const why = await ctx.webhooks.judge(url.href);
  if (why !== null) throw invalid('url', `an address on the public internet: ${why}`);
  const missing = findMissingPart({ kind: format ?? kindOf(url), url: url.href });
  if (missing !== null) throw invalid('url', missing);
  return url.href;
}
