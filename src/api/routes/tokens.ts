import { tokens } from '#contract/tokens.ts';
import {
  createToken,
  listTokens,
  updateToken,
  revokeToken,
  type TokenRow,
} from '#domain/accounts/tokens/tokens.ts';
import { ResponseOf, routesOf } from '../route.ts';

function showToken(row: TokenRow) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    readOnly: row.readOnly,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastUsedIp: row.lastUsedIp,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}

export const tokensRoutes = routesOf(tokens, {
  'GET /tokens': async ({ ctx, query }) => {
    const { items, nextCursor, total } = await listTokens(ctx, query);
    return { items: items.map(showToken), nextCursor, total };
  },
  'POST /tokens': async ({ ctx, body }) => {
    const { row, secret } = await createToken(ctx, body);
    return new ResponseOf(201, { ...showToken(row), token: secret });
  },
  'PATCH /tokens/{id}': async ({ ctx, params, body }) =>
    showToken(await updateToken(ctx, params.id, body.name)),
  'DELETE /tokens/{id}': async ({ ctx, params }) => {
    await revokeToken(ctx, params.id);
    return { id: params.id, deleted: true as const };
  },
});
