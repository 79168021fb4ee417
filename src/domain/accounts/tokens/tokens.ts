import {
  countLiveTokens,
  countTokens,
  insertToken,
  listTokens as selectTokens,
  revokeToken as updateRevoked,
  updateTokenName,
  type Mine,
  type TokenRow,
} from '#db/queries/tokens/tokens.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inSystem, inTenant, type Ctx } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { holdCaller } from '#domain/base/hold-caller.ts';
import { createTokenSecret, hashTokenSecret, prefixOf } from './token-secret.ts';

export type { TokenRow };

const liveMax = 100;
const mine = (ctx: Ctx): Mine => ({ workspaceId: ctx.workspaceId, userId: ctx.actor.userId });

/**
 * Creates a token. Its secret is only in this response. Throws unauthenticated when the caller's
 * session has ended: whoever ended it may be revoking the tokens too.
 */
export async function createToken(
  ctx: Ctx,
  input: { name: string; readOnly: boolean; expiresAt?: string | undefined },
): Promise<{ row: TokenRow; secret: string }> {
  const createdAt = ctx.clock.now();
  const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
  if (expiresAt !== null && !(expiresAt > createdAt))
    throw invalid('expiresAt', 'an instant in the future', input.expiresAt);
  const secret = createTokenSecret();
  const row = await inSystem(ctx, async (tx) => {
    await holdCaller(tx, ctx);
    const live = await countLiveTokens(tx, mine(ctx), createdAt);
    if (live >= liveMax)
      throw invalid(
        'name',
        `at most ${liveMax} live tokens per user; revoke one first`,
        live,
        liveMax,
      );
    const { name, readOnly } = input;
    const kept = {
      name,
      prefix: prefixOf(secret),
      secretHash: hashTokenSecret(secret),
      readOnly,
      createdAt,
      expiresAt,
    };
    const made = await insertToken(tx, { ...mine(ctx), ...kept });
    await writeAudit(tx, ctx, {
      action: 'token.created',
      subject: `token ${made.id}`,
      detail: { name, readOnly },
    });
    return made;
  });
  return { row, secret };
}

export async function listTokens(
  ctx: Ctx,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ items: TokenRow[]; nextCursor: string | null; total: number }> {
  const beforeId = page.cursor === undefined ? null : readIdCursor('tokens', page.cursor);
  return inTenant(ctx, async (tx) => {
    const rows = await selectTokens(tx, mine(ctx), { limit: page.limit + 1, beforeId });
    const items = rows.slice(0, page.limit);
    return {
      items,
      nextCursor: rows.length > page.limit ? writeCursor('tokens', [items.at(-1)!.id]) : null,
      total: await countTokens(tx, mine(ctx)),
    };
  });
}

export async function updateToken(ctx: Ctx, tokenId: number, name: string): Promise<TokenRow> {
  return inTenant(ctx, async (tx) => {
    const row = await updateTokenName(tx, mine(ctx), tokenId, name);
    if (!row) throw notFound();
    await writeAudit(tx, ctx, {
      action: 'token.renamed',
      subject: `token ${tokenId}`,
      detail: { name },
    });
    return row;
  });
}

/** Takes effect with the next request; a second call changes nothing. */
export async function revokeToken(ctx: Ctx, tokenId: number): Promise<void> {
  await inTenant(ctx, async (tx) => {
    const wasLive = await updateRevoked(tx, mine(ctx), tokenId, ctx.clock.now());
    if (wasLive === undefined) throw notFound();
    if (wasLive)
      await writeAudit(tx, ctx, { action: 'token.revoked', subject: `token ${tokenId}` });
  });
}
