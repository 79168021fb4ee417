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
import { onResponseClosed } from '#lib/on-response-closed.ts';
import { acquireSlot } from '../heavy-reads/acquire-slot.ts';
import { routesOf } from '../route.ts';

export const listingDraftsRoutes = routesOf(listingDrafts, {
  'GET /apps/{id}/live-listings': ({ ctx, params }) => listLiveListings(ctx, params.id),
  'GET /apps/{id}/listing-drafts': ({ ctx, params }) => listDrafts(ctx, params.id),
  'POST /apps/{id}/listing-drafts': ({ ctx, params, body }) => createDraft(ctx, params.id, body),
  'GET /listing-drafts/{id}': ({ ctx, params, query }) => getDraft(ctx, params.id, query),
  'PATCH /listing-drafts/{id}': ({ ctx, params, body }) => updateDraft(ctx, params.id, body),
  'DELETE /listing-drafts/{id}': ({ ctx, params }) => deleteDraft(ctx, params.id),
  'PUT /listing-drafts/{id}/texts': ({ ctx, params, body }) => saveDraftTexts(ctx, params.id, body),
  // An unpacked zip takes as much memory as an export, so both share the slots.
  'POST /listing-drafts/{id}/zip/preview': async ({ ctx, params, body, raw, signal }) => {
    const release = await acquireSlot(raw.request.server.api.exportSlots, ctx.workspaceId, signal);
    onResponseClosed(raw.reply.raw, release);
    return previewZip(ctx, params.id, body);
  },
  'POST /listing-drafts/{id}/zip': async ({ ctx, params, body, raw, signal }) => {
    const { request, reply } = raw;
    const release = await acquireSlot(request.server.api.exportSlots, ctx.workspaceId, signal);
    onResponseClosed(reply.raw, release);
    const bytes = await downloadZip(ctx, params.id, body);
    reply
      .code(200)
      .type('application/zip')
      .header('content-disposition', `attachment; filename="listing-draft-${params.id}.zip"`);
    void reply.send(bytes);
    return '';
  },
  'GET /listing-drafts/{id}/versions': ({ ctx, params, query }) =>
    listVersions(ctx, params.id, query),
});
