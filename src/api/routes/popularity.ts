import { popularity } from '#contract/popularity.ts';
import { listPeriods } from '#domain/tracking/popularity/list-periods.ts';
import { listTerms } from '#domain/tracking/popularity/list-terms.ts';
import {
  getPopularityImport,
  listImports,
  requestPopularityImport,
  storePopularityPart,
} from '#domain/transfer/popularity/imports.ts';
import {
  getPopularitySync,
  removePopularityCredentials,
  requestSync,
  savePopularityCredentials,
} from '#domain/transfer/popularity/sync/credentials.ts';
import {
  acceptQuarantined,
  discardQuarantined,
  listQuarantine,
} from '#domain/transfer/popularity/sync/quarantine.ts';
import { routesOf } from '../route.ts';

export const popularityRoutes = routesOf(popularity, {
  'PUT /popularity/imports/parts/{part}': ({ ctx, params, body }) =>
    storePopularityPart(ctx, params.part, body.data),
  'POST /popularity/imports': ({ ctx, body }) => requestPopularityImport(ctx, body),
  'GET /popularity/imports': ({ ctx, query }) => listImports(ctx, query),
  'GET /popularity/imports/{importId}': ({ ctx, params }) =>
    getPopularityImport(ctx, params.importId),
  'GET /popularity/sync': ({ ctx }) => getPopularitySync(ctx),
  'POST /popularity/sync': ({ ctx }) => requestSync(ctx),
  'PUT /popularity/credentials': ({ ctx, body }) => savePopularityCredentials(ctx, body),
  'DELETE /popularity/credentials': ({ ctx }) => removePopularityCredentials(ctx),
  'GET /popularity/quarantine': ({ ctx }) => listQuarantine(ctx),
  'POST /popularity/quarantine/{setId}/accept': ({ ctx, params }) =>
    acceptQuarantined(ctx, params.setId),
  'POST /popularity/quarantine/{setId}/discard': ({ ctx, params }) =>
    discardQuarantined(ctx, params.setId),
  'GET /popularity/periods': ({ ctx, query }) => listPeriods(ctx, query),
  'GET /popularity/terms': ({ ctx, query }) => listTerms(ctx, query),
});
