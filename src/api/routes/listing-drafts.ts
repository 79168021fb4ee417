import { listingDrafts } from '#contract/listing-drafts.ts';
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
import { routesOf } from '../route.ts';

export const listingDraftsRoutes = routesOf(listingDrafts, {
  'GET /apps/{id}/live-listings': ({ ctx, params }) => listLiveListings(ctx, params.id),
  'GET /apps/{id}/listing-drafts': ({ ctx, params }) => listDrafts(ctx, params.id),
  'POST /apps/{id}/listing-drafts': ({ ctx, params, body }) => createDraft(ctx, params.id, body),
  'GET /listing-drafts/{id}': ({ ctx, params, query }) => getDraft(ctx, params.id, query),
  'PATCH /listing-drafts/{id}': ({ ctx, params, body }) => updateDraft(ctx, params.id, body),
  'DELETE /listing-drafts/{id}': ({ ctx, params }) => deleteDraft(ctx, params.id),
  'PUT /listing-drafts/{id}/texts': ({ ctx, params, body }) => saveDraftTexts(ctx, params.id, body),
  'GET /listing-drafts/{id}/versions': ({ ctx, params, query }) =>
    listVersions(ctx, params.id, query),
});
