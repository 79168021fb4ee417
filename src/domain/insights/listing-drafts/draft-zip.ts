import type { z } from 'zod';
import { draftTexts, type listingDrafts } from '#contract/listing-drafts.ts';
import { locale as localeTag } from '#contract/keyword-field.ts';
import { listNewestVersions } from '#db/queries/listing-drafts/draft-versions.ts';
import { findDifferences, listNotEmptied, planPull, planPush } from '#listing-files/draft-plan.ts';
import type { DraftLocales } from '#listing-files/draft-plan.ts';
import { formatOf } from '#listing-files/formats.ts';
import { below, formatNames, type Fault, type Listing } from '#listing-files/listing.ts';
import { folderLimits, type FolderListing } from '#listing-files/read-listings.ts';
import { mayBeText } from '#listing-files/zip/may-be-text.ts';
import { readZipStream } from '#listing-files/zip/read-zip-stream.ts';
import { isSafePath, readZip, type ZipEntry } from '#listing-files/zip/read-zip.ts';
import { writeZip } from '#listing-files/zip/write-zip.ts';
import { ZipError } from '#listing-files/zip/zip-error.ts';
import { readZipListings } from '#listing-files/zip/zip-listings.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { AppError, invalid } from '#domain/base/errors.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { getDraftRow } from './present-draft.ts';
import type { DraftTexts } from './save-texts.ts';

type Operations = typeof listingDrafts;
type Preview = z.input<Operations['POST /listing-drafts/{id}/zip/preview']['responses'][200]>;
type Choice = NonNullable<z.output<Operations['POST /listing-drafts/{id}/zip']['body']>['listing']>;

/** Base64 of a whole zip, or a zip that is read while it comes, of which only texts are kept. */
export type ZipBody = string | AsyncIterable<Uint8Array>;

interface ZipRequest {
  zip?: ZipBody | undefined;
  listing?: Choice | undefined;
}

/** Compares a zip with a draft. Throws not_found and unusable_zip. */
export async function previewZip(
  ctx: Ctx,
  id: number,
  { zip, listing: choice }: ZipRequest & { zip: ZipBody },
): Promise<Preview> {
  const { store, draft } = await readDraft(ctx, id);
  return asRefusal(async () => {
    const listings = await readZipListings(await open(zip), choice?.tool);
    const found = listings.map(({ listing }) => ({
      ...nameOf(listing),
      store: listing.store,
      locales: [...listing.locales.keys()].toSorted(),
    }));
    const fitting = findFitting(listings, store, choice);
    const [only] = fitting;
    if (!only) throw noListing(store, listings);
    if (fitting.length > 1)
      return { found, chosen: null, faults: [], differences: [], locales: [], notEmptied: [] };
    const { listing } = only;
    const locales = planPush(listing, draft);
    const faults = [...listing.faults, ...findRefused(listing, locales)];
    return {
      found,
      chosen: nameOf(listing),
      faults,
      differences: findDifferences(listing, draft),
      locales: faults.length > 0 ? [] : locales,
      notEmptied: listNotEmptied(listing, draft),
    };
  });
}

/**
 * A zip with the texts of a draft: the sent one, its texts when it was read while it came, or a new
 * one. Throws not_found, unusable_zip, and invalid_request for a tool of another store.
 */
export async function downloadZip(
  ctx: Ctx,
  id: number,
  { zip, listing: choice }: ZipRequest,
): Promise<Buffer> {
  const { store, draft } = await readDraft(ctx, id);
  return asRefusal(async () => {
    const entries = zip === undefined ? [] : await open(zip);
    const { listing, texts } =
      zip === undefined
        ? makeEmpty(store, choice)
        : requireOne(await readZipListings(entries, choice?.tool), store, choice);
    const changes = formatOf(listing.format).change(listing, texts, planPull(listing, draft));
    // Files that are longer than any text were not kept, and belong to no listing.
    const kept =
      typeof zip === 'string'
        ? entries
        : entries.filter(({ bytes }) => bytes <= folderLimits.fileBytes);
    return writeZip(kept, changes, ctx.clock.now());
  });
}

async function readDraft(ctx: Ctx, id: number): Promise<{ store: StoreName; draft: DraftLocales }> {
  return inTenant(ctx, async (tx) => {
    const { appId } = await getDraftRow(tx, ctx, id);
    const { store } = await getApp(tx, ctx, appId);
    const versions = await listNewestVersions(tx, ctx.workspaceId, { draftId: id });
    return {
      store,
      draft: new Map(versions.map((one) => [one.locale, one.texts as DraftTexts])),
    };
  });
}

const open = (zip: ZipBody): Promise<ZipEntry[]> =>
  typeof zip === 'string' ? readZip(Buffer.from(zip, 'base64')) : readZipStream(zip, mayBeText);

const nameOf = ({ format, root }: Listing): Choice => ({ tool: format, root });

const findFitting = (
  listings: readonly FolderListing[],
  store: StoreName,
  choice: Choice | undefined,
): FolderListing[] =>
  listings.filter(
    ({ listing }) => listing.store === store && (!choice || listing.root === choice.root),
  );

function noListing(store: StoreName, listings: readonly FolderListing[]): ZipError {
  const others = listings.map(({ listing }) => `${listing.format} (${listing.store})`).join(', ');
  return new ZipError(
    'no_listing',
    null,
    `The zip has no listing for ${store}${others === '' ? '' : `; it has ${others}`}. Zip a ` +
      'folder such as fastlane/metadata.',
  );
}

function requireOne(
  listings: readonly FolderListing[],
  store: StoreName,
  choice: Choice | undefined,
): FolderListing {
  const fitting = findFitting(listings, store, choice);
  const [only] = fitting;
  if (!only) throw noListing(store, listings);
  if (fitting.length > 1)
    throw new ZipError('several_listings', null, 'The zip has several listings. Choose one.');
  const [fault] = only.listing.faults;
  if (fault) throw new ZipError('unusable_text', fault.file, fault.message);
  return only;
}

/** A new folder: of the chosen tool, or of the first one of the store. */
function makeEmpty(store: StoreName, choice: Choice | undefined): FolderListing {
  const tool = choice?.tool ?? formatNames.find((name) => formatOf(name).store === store)!;
  const format = formatOf(tool);
  if (format.store !== store) throw invalid('listing.tool', `a tool for ${store}`, tool);
  const root = choice?.root ?? '';
  if (!isSafePath(below(root, 'folder'))) throw invalid('listing.root', 'a path in the zip', root);
  return { listing: format.read(root, new Map()), texts: new Map() };
}

/** Texts and locales of the folder that a draft does not accept. */
function findRefused(listing: Listing, locales: ReturnType<typeof planPush>): Fault[] {
  return locales.flatMap(({ locale, texts }) => {
    const file = listing.root || '.';
    if (!localeTag.safeParse(locale).success)
      return [{ file, message: `"${locale.slice(0, 60)}" is not a locale: rename its folder` }];
    return (draftTexts.safeParse(texts).error?.issues ?? []).map(({ path, message }) => ({
      file,
      message: `${String(path[0])} of ${locale}: ${message}`,
    }));
  });
}

async function asRefusal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    const { fault, file, message } = error;
    const path = file === null ? 'zip' : `zip[${file}]`;
    throw new AppError('unusable_zip', message, {
      issues: [{ path, message, limit: null, actual: fault }],
    });
  }
}
