import { exports } from '#contract/exports.ts';
import type { Operation } from '#contract/operation.ts';
import { openAppExport, type ExportFormat } from '#domain/transfer/exports/open-export.ts';
import {
  getWorkspaceExport,
  openWorkspaceExport,
  requestWorkspaceExport,
} from '#domain/transfer/exports/workspace-exports.ts';
import { sendStream } from '../plugins/send-stream.ts';
import { onResponseClosed } from '#lib/on-response-closed.ts';
import { acquireSlot } from '../heavy-reads/acquire-slot.ts';
import { ResponseOf, routesOf, type RouteRequest } from '../route.ts';

const contentTypes: Record<ExportFormat, string> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** A workspace sends two exports at a time; each has its slot until its client has it all. */
async function takeSlot(
  { request, reply }: RouteRequest<Operation>['raw'],
  workspaceId: number,
  signal: AbortSignal,
): Promise<void> {
  const release = await acquireSlot(request.server.api.exportSlots, workspaceId, signal);
  onResponseClosed(reply.raw, release);
}

export const exportsRoutes = routesOf(exports, {
  'GET /apps/{id}/exports/{kind}': async ({ ctx, params, query, raw, signal }) => {
    await takeSlot(raw, ctx.workspaceId, signal);
    const { heavyReadRunner } = raw.request.server.api;
    const { fileName, text } =
      (await heavyReadRunner.openExport(raw.request, { params, query })) ??
      (await openAppExport(ctx, params.id, params.kind, query));
    sendStream(raw.request, raw.reply, {
      type: contentTypes[query.format],
      fileName: `${fileName}.${query.format}`,
      chunks: text,
    });
    return '';
  },
  'POST /workspace/exports': async ({ ctx, body }) =>
    new ResponseOf(202, await requestWorkspaceExport(ctx, body.format)),
  'GET /workspace/exports/{exportId}': ({ ctx, params }) =>
    getWorkspaceExport(ctx, params.exportId),
  'GET /workspace/exports/{exportId}/file': async ({ ctx, params, raw, signal }) => {
    await takeSlot(raw, ctx.workspaceId, signal);
    const chunks = await openWorkspaceExport(ctx, params.exportId);
    sendStream(raw.request, raw.reply, {
      type: contentTypes.ndjson,
      fileName: `workspace-${params.exportId}.ndjson`,
      chunks,
    });
    return '';
  },
});
