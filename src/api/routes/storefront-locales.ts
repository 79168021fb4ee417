import { storefrontLocales } from '#contract/storefront-locales.ts';
import { getLocaleCoverage } from '#domain/insights/storefront-locales/get-coverage.ts';
import { previewCoverage } from '#domain/insights/storefront-locales/preview-coverage.ts';
import {
  changeStorefrontLocale,
  listStorefrontLocales,
} from '#domain/insights/storefront-locales/storefront-locales.ts';
import { routesOf } from '../route.ts';

export const storefrontLocalesRoutes = routesOf(storefrontLocales, {
  'GET /storefront-locales': ({ ctx, query }) => listStorefrontLocales(ctx, query),
  'PUT /storefront-locales': ({ ctx, body }) => changeStorefrontLocale(ctx, body),
  'GET /apps/{id}/locale-coverage': ({ ctx, params, query }) =>
    getLocaleCoverage(ctx, params.id, query),
  'POST /apps/{id}/locale-coverage/preview': ({ ctx, params, query, body }) =>
    previewCoverage(ctx, params.id, query, body),
});
