import { exports } from '#contract/exports.ts';
import { openAppExport, type ExportFormat } from '#domain/transfer/exports/open-export.ts';
import {
  getWorkspaceExport,
  openWorkspaceExport,
  requestWorkspaceExport,
} from '#domain/transfer/exports/workspace-exports.ts';
import { sendStream } from '../plugins/send-stream.ts';
import { inSlot } from '../heavy-reads/acquire-slot.ts';
import { ResponseOf, routesOf } from '../route.ts';

const contentTypes: Record<ExportFormat, string> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

export const exportsRoutes = routesOf(exports, {
  // A workspace sends two exports at a time; each has its slot until its client has it all.
  'GET /apps/{id}/exports/{kind}': ({ ctx, params, query, raw, signal }) => {
    const { heavyReadRunner, exportSlots } = raw.request.server.api;
    return inSlot(exportSlots, ctx.workspaceId, { raw, signal }, async () => {
      const { fileName, text } =
        (await heavyReadRunner.openExport(raw.request, { params, query })) ??
        (await openAppExport(ctx, params.id, params.kind, query));
      await sendStream(raw, signal, {
        type: contentTypes[query.format],
        fileName: `${fileName}.${query.format}`,
        chunks: text,
      });
      return '';
    });
  },
  'POST /workspace/exports': async ({ ctx, body }) =>
    new ResponseOf(202, await requestWorkspaceExport(ctx, body.format)),
  'GET /workspace/exports/{exportId}': ({ ctx, params }) =>
    getWorkspaceExport(ctx, params.exportId),
  'GET /workspace/exports/{exportId}/file': ({ ctx, params, raw, signal }) => {
    const { exportSlots } = raw.request.server.api;
    return inSlot(exportSlots, ctx.workspaceId, { raw, signal }, async () => {
      const chunks = await openWorkspaceExport(ctx, params.exportId);
      await sendStream(raw, signal, {
        type: contentTypes.ndjson,
        fileName: `workspace-${params.exportId}.ndjson`,
        chunks,
      });
      return '';
    });
  },
});
