import { keywords } from '#contract/keywords.ts';
import { addKeywords } from '#domain/tracking/keywords/add-keywords.ts';
import { checkKeywords } from '#domain/tracking/keywords/check-keywords.ts';
import { copyMarket } from '#domain/tracking/keywords/copy-market.ts';
import { bulkDeleteKeywords, deleteKeyword } from '#domain/tracking/keywords/delete-keywords.ts';
import { importKeywords } from '#domain/tracking/keywords/import-keywords.ts';
import { getKeyword, listKeywords } from '#domain/tracking/keywords/list-keywords.ts';
import { listRemovedKeywords } from '#domain/tracking/keywords/list-removed-keywords.ts';
import { previewKeywords } from '#domain/tracking/keywords/preview-keywords.ts';
import { restoreKeywords } from '#domain/tracking/keywords/restore-keywords.ts';
import { bulkUpdateKeywords, updateKeyword } from '#domain/tracking/keywords/update-keywords.ts';
import { ResponseOf, routesOf } from '../route.ts';

/** 201 says that something was created. */
const respondToAddition = <Added extends { added: readonly unknown[] }>(result: Added) =>
  result.added.length > 0 ? new ResponseOf(201, result) : new ResponseOf(200, result);

export const keywordsRoutes = routesOf(keywords, {
  'GET /apps/{id}/keywords': ({ ctx, params, query }) => listKeywords(ctx, params.id, query),
  'POST /apps/{id}/keywords': async ({ ctx, params, body }) =>
    respondToAddition(await addKeywords(ctx, params.id, body)),
  'POST /apps/{id}/keywords/preview': ({ ctx, params, body }) =>
    previewKeywords(ctx, params.id, body),
  'POST /apps/{id}/keywords/import': ({ ctx, params, body }) =>
    importKeywords(ctx, params.id, body),
  'POST /apps/{id}/keywords/copy-market': async ({ ctx, params, body }) =>
    respondToAddition(await copyMarket(ctx, params.id, body)),
  'POST /apps/{id}/keywords/delete': ({ ctx, params, body }) =>
    bulkDeleteKeywords(ctx, params.id, body.ids),
  'POST /apps/{id}/keywords/update': ({ ctx, params, body }) =>
    bulkUpdateKeywords(ctx, params.id, body),
  'POST /apps/{id}/keywords/check': async ({ ctx, params, body, raw }) => {
    const { job, ...accepted } = await checkKeywords(ctx, params.id, body.ids);
    raw.request.isFree = job === null;
    return job === null
      ? new ResponseOf(200, { job, ...accepted })
      : new ResponseOf(202, { job, ...accepted });
  },
  'GET /apps/{id}/removed-keywords': ({ ctx, params, query }) =>
    listRemovedKeywords(ctx, params.id, query),
  'POST /apps/{id}/removed-keywords/restore': ({ ctx, params, body }) =>
    restoreKeywords(ctx, params.id, body.ids),
  'GET /keywords/{keywordId}': ({ ctx, params, query }) =>
    getKeyword(ctx, params.keywordId, query.include),
  'PATCH /keywords/{keywordId}': ({ ctx, params, body }) =>
    updateKeyword(ctx, params.keywordId, body),
  'DELETE /keywords/{keywordId}': ({ ctx, params }) => deleteKeyword(ctx, params.keywordId),
});
