import { imports } from '#contract/imports.ts';
import { importHistory } from '#domain/transfer/imports/import-history.ts';
import {
  getImport,
  importText,
  requestImport,
  storeImportPart,
} from '#domain/transfer/imports/workspace-imports.ts';
import { ResponseOf, routesOf } from '../route.ts';

export const importsRoutes = routesOf(imports, {
  'PUT /workspace/imports/parts/{part}': ({ ctx, params, body }) =>
    storeImportPart(ctx, params.part, body.text),
  'POST /workspace/imports': async ({ ctx, body }) => {
    if (body.format === 'csv') return new ResponseOf(200, await importHistory(ctx, body));
    if ('parts' in body) return new ResponseOf(202, await requestImport(ctx, body));
    return new ResponseOf(200, await importText(ctx, body.text));
  },
  'GET /workspace/imports/{importId}': ({ ctx, params }) => getImport(ctx, params.importId),
});
