import type { FastifyReply } from 'fastify';
import { listingDrafts } from '#contract/listing-drafts.ts';
import { downloadZip, previewZip } from '#domain/insights/listing-drafts/draft-zip.ts';
import { getDraft } from '#domain/insights/listing-drafts/get-draft.ts';
import { listLiveListings } from '#domain/insights/listing-drafts/list-live.ts';
import { listVersions } from '#domain/insights/listing-drafts/list-versions.ts';
import {
  createDraft,
  deleteDraft,
  listDrafts,
  updateDraft,
} from '#domain/insights/listing-drafts/manage-drafts.ts';
import { saveDraftTexts } from '#domain/insights/listing-drafts/save-texts.ts';
import { invalid } from '#domain/base/errors.ts';
import { inSlot } from '../heavy-reads/acquire-slot.ts';
import { streamOf } from '../plugins/bodies.ts';
import { routesOf } from '../route.ts';

type Choice = Parameters<typeof previewZip>[2]['listing'];

function readChoice({
  tool,
  root,
}: {
  tool?: NonNullable<Choice>['tool'] | undefined;
  root?: string | undefined;
}): Choice {
  if (tool === undefined && root !== undefined)
    throw invalid('query.root', 'a tool beside the root', root);
  return tool && { tool, root: root ?? '' };
}

function sendZip(reply: FastifyReply, id: number, bytes: Buffer): string {
  reply
    .code(200)
    .type('application/zip')
    .header('content-disposition', `attachment; filename="listing-draft-${id}.zip"`);
  void reply.send(bytes);
  return '';
}

export const listingDraftsRoutes = routesOf(listingDrafts, {
  'GET /apps/{id}/live-listings': ({ ctx, params }) => listLiveListings(ctx, params.id),
  'GET /apps/{id}/listing-drafts': ({ ctx, params }) => listDrafts(ctx, params.id),
  'POST /apps/{id}/listing-drafts': ({ ctx, params, body }) => createDraft(ctx, params.id, body),
  'GET /listing-drafts/{id}': ({ ctx, params, query }) => getDraft(ctx, params.id, query),
  'PATCH /listing-drafts/{id}': ({ ctx, params, body }) => updateDraft(ctx, params.id, body),
  'DELETE /listing-drafts/{id}': ({ ctx, params }) => deleteDraft(ctx, params.id),
  'PUT /listing-drafts/{id}/texts': ({ ctx, params, body }) => saveDraftTexts(ctx, params.id, body),
  // An unpacked zip takes as much memory as an export, so both share the slots.
  'POST /listing-drafts/{id}/zip/preview': ({ ctx, params, body, raw, signal }) => {
    const { exportSlots } = raw.request.server.api;
    return inSlot(exportSlots, ctx.workspaceId, { raw, signal }, () =>
      previewZip(ctx, params.id, body),
    );
  },
  'POST /listing-drafts/{id}/zip': ({ ctx, params, body, raw, signal }) => {
    const { exportSlots } = raw.request.server.api;
    return inSlot(exportSlots, ctx.workspaceId, { raw, signal }, async () => {
      const bytes = await downloadZip(ctx, params.id, body);
      return sendZip(raw.reply, params.id, bytes);
    });
  },
  'POST /listing-drafts/{id}/large-zip/preview': ({ ctx, params, query, raw, signal }) => {
    const { largeZipSlots } = raw.request.server.api;
    const listing = readChoice(query);
    return inSlot(largeZipSlots, ctx.workspaceId, { raw, signal }, () =>
      previewZip(ctx, params.id, { zip: streamOf(raw.request), listing }),
    );
  },
  'POST /listing-drafts/{id}/large-zip': ({ ctx, params, query, raw, signal }) => {
    const { largeZipSlots } = raw.request.server.api;
    const listing = readChoice(query);
    return inSlot(largeZipSlots, ctx.workspaceId, { raw, signal }, async () => {
      const zip = streamOf(raw.request);
      const bytes = await downloadZip(ctx, params.id, { zip, listing });
      return sendZip(raw.reply, params.id, bytes);
    });
  },
  'GET /listing-drafts/{id}/versions': ({ ctx, params, query }) =>
    listVersions(ctx, params.id, query),
});
