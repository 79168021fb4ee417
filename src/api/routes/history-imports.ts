import { historyImports } from '#contract/history-imports.ts';
import {
  createHistoryImport,
  getHistoryImport,
  listImports,
  removeHistoryImport,
  requestHistoryCheck,
  requestHistoryRun,
  storeHistoryPart,
} from '#domain/transfer/history/imports.ts';
import { listHistoryRows, openHistoryRows } from '#domain/transfer/history/list-rows.ts';
import { describePresets } from '#domain/transfer/history/presets.ts';
import { previewHistory } from '#domain/transfer/history/preview-file.ts';
import { inSlot } from '../heavy-reads/acquire-slot.ts';
import { sendStream } from '../plugins/send-stream.ts';
import { routesOf } from '../route.ts';

export const historyImportsRoutes = routesOf(historyImports, {
  'GET /history-imports/presets': () => ({ items: describePresets() }),
  'GET /history-imports': ({ ctx, query }) => listImports(ctx, query),
  'POST /history-imports': ({ ctx, body }) => createHistoryImport(ctx, body),
  'GET /history-imports/{importId}': ({ ctx, params }) => getHistoryImport(ctx, params.importId),
  'DELETE /history-imports/{importId}': ({ ctx, params }) =>
    removeHistoryImport(ctx, params.importId),
  'PUT /history-imports/{importId}/parts/{part}': ({ ctx, params, body }) =>
    storeHistoryPart(ctx, params.importId, params.part, body.data),
  'POST /history-imports/{importId}/preview': ({ ctx, params, body }) =>
    previewHistory(ctx, params.importId, body.reading),
  'POST /history-imports/{importId}/checks': ({ ctx, params, body }) =>
    requestHistoryCheck(ctx, params.importId, body),
  'POST /history-imports/{importId}/runs': ({ ctx, params }) =>
    requestHistoryRun(ctx, params.importId),
  'GET /history-imports/{importId}/rows': ({ ctx, params, query }) =>
    listHistoryRows(ctx, params.importId, query),
  'GET /history-imports/{importId}/rows/file': ({ ctx, params, query, raw, signal }) => {
    const { exportSlots } = raw.request.server.api;
    return inSlot(exportSlots, ctx.workspaceId, { raw, signal }, async () => {
      const chunks = await openHistoryRows(ctx, params.importId, query.outcome);
      await sendStream(raw, signal, {
        type: 'text/csv; charset=utf-8; header=present',
        fileName: `history-import-${params.importId}.csv`,
        chunks,
      });
      return '';
    });
  },
});
