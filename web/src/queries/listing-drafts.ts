import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callVersioned, type Request, type ResponseOf, type Versioned } from '../api.ts';
import { readBase64 } from '../read-base64.ts';
import type { MarketFilter } from '../scope.ts';

export type ListingDraft = ResponseOf<'GET /apps/{id}/listing-drafts'>['items'][number];
export type DraftWithTexts = Versioned<ResponseOf<'GET /listing-drafts/{id}'>>;
export type LiveListing = ResponseOf<'GET /apps/{id}/live-listings'>['items'][number];
export type DraftVersion = ResponseOf<'GET /listing-drafts/{id}/versions'>['items'][number];
export type CoveragePreview = ResponseOf<'POST /apps/{id}/locale-coverage/preview'>;
export type CoveredPhrase = CoveragePreview['phrases'][number];
export type StorefrontLocale = ResponseOf<'GET /storefront-locales'>['items'][number];
export type ZipPreview = ResponseOf<'POST /listing-drafts/{id}/zip/preview'>;
export type ListingInZip = NonNullable<ZipPreview['chosen']>;
export type SearchedTexts = Request<'POST /apps/{id}/locale-coverage/preview'>['body']['locales'];

export const draftsQuery = (appId: number) =>
  queryOptions({
    queryKey: ['apps', appId, 'listing-drafts'],
    queryFn: ({ signal }) =>
      call('GET /apps/{id}/listing-drafts', { params: { id: appId }, query: {} }, signal),
  });

export const draftQuery = (id: number) =>
  queryOptions({
    queryKey: ['listing-drafts', id],
    queryFn: ({ signal }) =>
      callVersioned('GET /listing-drafts/{id}', { params: { id }, query: {} }, signal),
    // Read again only when the page opens, so that typing is not overwritten.
    refetchOnMount: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  });

export const liveListingsQuery = (appId: number) =>
  queryOptions({
    queryKey: ['apps', appId, 'live-listings'],
    queryFn: ({ signal }) =>
      call('GET /apps/{id}/live-listings', { params: { id: appId }, query: {} }, signal),
    staleTime: 60_000,
  });

export const coveragePreviewQuery = (
  appId: number,
  requested: {
    market: MarketFilter;
    draft: Pick<DraftWithTexts, 'id' | 'lastVersionId'>;
    /** Those that differ from the saved ones. */
    locales: SearchedTexts;
  },
) =>
  queryOptions({
    queryKey: ['apps', appId, 'coverage-preview', requested],
    queryFn: ({ signal }) =>
      call(
        'POST /apps/{id}/locale-coverage/preview',
        {
          params: { id: appId },
          query: { ...requested.market, draftId: String(requested.draft.id) },
          body: { locales: requested.locales },
        },
        signal,
      ),
    staleTime: 60_000,
    retry: false,
  });

/** The listings in a zip, and how it differs from a state of a draft. */
export const zipPreviewQuery = (
  { id, etag }: DraftWithTexts,
  taken: { id: number; zip: Blob } | null,
  listing: ListingInZip | undefined,
) =>
  queryOptions({
    queryKey: ['listing-drafts', id, 'zip', etag, taken?.id, listing],
    queryFn: async ({ signal }) =>
      call(
        'POST /listing-drafts/{id}/zip/preview',
        {
          params: { id },
          body: { zip: await readBase64(taken!.zip), ...(listing && { listing }) },
        },
        signal,
      ),
    enabled: taken !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

export const versionsQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['listing-drafts', id, 'versions'],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /listing-drafts/{id}/versions',
        { params: { id }, query: { limit: 20, cursor: pageParam } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

export const storefrontLocalesQuery = (country: string | undefined) =>
  queryOptions({
    queryKey: ['storefront-locales', country ?? null],
    queryFn: ({ signal }) => call('GET /storefront-locales', { query: { country } }, signal),
  });
