import { z } from 'zod';
import { importBytesMax, largeZipBytes, largeZipMs, listingZipCharacters } from './body-limits.ts';
import { draftFields, listingTools } from './choices.ts';
import {
  country,
  cursor,
  deleted,
  id,
  idParam,
  instant,
  integerText,
  itemEtag,
  listOf,
  storeName,
  textOf,
  wholePaging,
} from './common.ts';
import { locale } from './keyword-field.ts';
import { operationsOf } from './operation.ts';

export { draftFields, type DraftField } from './choices.ts';

const draftField = z.enum(draftFields).meta({ id: 'ListingDraftField' });

/** A draft may be longer than the store accepts, since it shows what to remove. */
const short = textOf(1_000).optional();
const long = textOf(8_000).optional();
export const draftTexts = z
  .strictObject({
    title: short,
    subtitle: short,
    summary: short.meta({ description: 'The short description.' }),
    keywordField: short,
    promotionalText: short,
    description: long,
    whatsNew: long,
  })
  .meta({
    id: 'ListingDraftTexts',
    description:
      'The texts of a locale. A text that is missing is not drafted, so the store keeps its own; ' +
      'an empty text shall be empty in the store.',
  });

const name = textOf(60, z.string().trim().min(1)).meta({ description: 'At most 60 characters.' });
const savedBy = id.nullable().meta({
  description: 'The user id of the author; null when the account was deleted or the text imported.',
});
const current = z.boolean().meta({ description: 'One draft of an app is the current one.' });

/** The members that people edit: a save of any locale has a new version. */
export const editableOfDraft = ['lastVersionId', 'name'];

export const listingDraft = z
  .strictObject({
    id,
    appId: id,
    name: z.string(),
    current,
    locales: z.array(z.string()).meta({ description: 'Those with texts, in alphabetical order.' }),
    createdAt: instant,
    savedAt: instant.nullable().meta({ description: 'When a text was saved last.' }),
    lastVersionId: id
      .nullable()
      .meta({ description: 'The newest version of its texts; null before the first.' }),
    etag: itemEtag,
  })
  .meta({ id: 'ListingDraft' });

const liveTexts = z
  .strictObject({
    country: country.meta({ description: 'The storefront that was read.' }),
    takenAt: instant.meta({
      description:
        'When these texts were first read; never before this workspace began to track the ' +
        'listing in the country.',
    }),
  })
  .meta({ id: 'LiveListing' });

const comparedText = z
  .strictObject({
    field: draftField,
    draft: z.string().nullable(),
    live: z.string().nullable().meta({ description: 'Null when it is unknown or not public.' }),
    characters: z.int().min(0).meta({ description: 'Of the draft, in code points.' }),
    limit: z.int().nullable().meta({ description: 'The most that the store accepts.' }),
    diff: z
      .array(z.strictObject({ op: z.enum(['same', 'added', 'removed']), text: z.string() }))
      .nullable()
      .meta({ description: 'From live to draft, word by word; null unless both are known.' }),
  })
  .meta({ id: 'ComparedListingText' });

export const listingDraftLocale = z
  .strictObject({
    locale: z.string(),
    texts: draftTexts,
    savedAt: instant,
    savedBy,
    live: liveTexts.nullable().meta({
      description:
        'The newest stored listing of a tracked storefront that shows this locale first. Where ' +
        'the app lacks the locale, the store shows the app’s primary one.',
    }),
    compared: z.array(comparedText),
  })
  .meta({ id: 'ListingDraftLocale' });

const liveListing = z
  .strictObject({
    locale: z.string().meta({ description: 'The locale that the storefront shows first.' }),
    country: country.meta({ description: 'The storefront that was read.' }),
    takenAt: instant,
    texts: z.partialRecord(draftField, z.string()).meta({
      description:
        'The stored texts. No store shows the keyword field: it is the one saved for the locale.',
    }),
  })
  .meta({ id: 'LiveListingTexts' });

const listingDraftVersion = z
  .strictObject({ id, locale: z.string(), texts: draftTexts, savedAt: instant, savedBy })
  .meta({ id: 'ListingDraftVersion' });

const tool = z.enum(listingTools).meta({ id: 'ListingTool' });
const listingInZip = z
  .strictObject({
    tool,
    root: textOf(1_000).meta({
      description: 'The path of its folder in the zip; empty when it is the zip itself.',
    }),
  })
  .meta({ id: 'ListingInZip' });
const zip = z
  .string()
  .min(4)
  .max(listingZipCharacters)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'base64')
  .meta({ description: 'The zip of a folder, at most 1,100,000 bytes, encoded in base64.' });
const streams = {
  contentType: 'application/zip',
  bytesMax: largeZipBytes,
  timeoutMs: largeZipMs,
} as const;
/** Beside a body that is the zip. */
const listingQuery = z.strictObject({
  tool: tool.optional().meta({ description: 'Chooses one of several listings.' }),
  root: textOf(1_000).optional().meta({
    description: 'Only with a tool: the path of its folder in the zip; default: the zip itself.',
  }),
});
const localeAndField = { locale: z.string(), field: draftField };

const zipPreview = z
  .strictObject({
    found: z
      .array(
        listingInZip
          .extend({ store: storeName, locales: z.array(z.string()) })
          .meta({ id: 'FoundListing' }),
      )
      .meta({ description: 'The listings in the zip, also those of other stores.' }),
    chosen: listingInZip.nullable().meta({
      description: 'The compared one; null when several fit: choose one with `listing`.',
    }),
    faults: z
      .array(z.strictObject({ file: z.string(), message: z.string() }))
      .meta({ description: 'Files that cannot be used. Correct them before texts are saved.' }),
    differences: z
      .array(
        z.strictObject({
          ...localeAndField,
          folder: z.string().nullable(),
          draft: z.string().nullable(),
        }),
      )
      .meta({ description: 'Texts in which folder and draft differ; null where there is none.' }),
    locales: z.array(z.strictObject({ locale: z.string(), texts: draftTexts })).meta({
      description:
        'What to send to `PUT /listing-drafts/{id}/texts`, so that the draft has the texts of ' +
        'the folder. Empty when there are faults.',
    }),
    notEmptied: z.array(z.strictObject(localeAndField)).meta({
      description:
        'Texts that the draft empties and the tool cannot: their files are removed, and the ' +
        'store keeps its texts.',
    }),
  })
  .meta({ id: 'ListingZipPreview' });

export const listingDrafts = operationsOf({
  'GET /apps/{id}/live-listings': {
    summary: 'List live listings',
    description:
      'Lists the stored texts of an app’s listing by locale: those of the storefronts in ' +
      'which it is tracked.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: listOf(liveListing) },
  },
  'GET /apps/{id}/listing-drafts': {
    summary: 'List listing drafts',
    description: 'Lists the drafts of an app’s listing, the current one first.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: listOf(listingDraft) },
  },
  'POST /apps/{id}/listing-drafts': {
    summary: 'Create a listing draft',
    description:
      'Creates a draft, empty or as a copy of another draft of the app. The first draft of an ' +
      'app is the current one. An app has at most 20.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    params: idParam,
    body: z.strictObject({
      name,
      copyOf: id.optional().meta({ description: 'The id of the draft to copy.' }),
    }),
    example: { name: 'Spring release' },
    responses: { 201: listingDraft },
  },
  'GET /listing-drafts/{id}': {
    summary: 'Get a listing draft',
    description: 'Returns the texts of a draft by locale, each compared with the live listing.',
    rateClass: 'read',
    readOnlyToken: true,
    versioned: editableOfDraft,
    params: idParam,
    query: z.strictObject({ locale: locale.optional() }),
    responses: {
      200: listingDraft
        .extend({ texts: z.array(listingDraftLocale) })
        .meta({ id: 'ListingDraftWithTexts' }),
    },
  },
  'PATCH /listing-drafts/{id}': {
    summary: 'Update a listing draft',
    description: 'Renames a draft, or makes it the current one of its app.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editableOfDraft,
    params: idParam,
    body: z.strictObject({ name: name.optional(), current: z.literal(true).optional() }),
    example: { current: true },
    responses: { 200: listingDraft },
  },
  'DELETE /listing-drafts/{id}': {
    summary: 'Delete a listing draft',
    description: 'Deletes a draft with all versions. No other draft becomes the current one.',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    responses: { 200: deleted },
  },
  'PUT /listing-drafts/{id}/texts': {
    summary: 'Save texts of a listing draft',
    description:
      'Saves the texts of up to 10 locales, all or nothing. Each locale gets a version, unless ' +
      'its texts are those of its newest one. Locales that are not named stay as they are, and a ' +
      'locale without texts is removed from the draft. A draft has at most 100 locales.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editableOfDraft,
    params: idParam,
    body: z.strictObject({
      locales: z
        .array(z.strictObject({ locale, texts: draftTexts }))
        .min(1)
        .max(10),
    }),
    example: { locales: [{ locale: 'en-US', texts: { title: 'Habit Tracker' } }] },
    responses: { 200: listingDraft },
  },
  'POST /listing-drafts/{id}/zip/preview': {
    summary: 'Compare a zip with a listing draft',
    description:
      'Finds the listings of known tools in the zip of a folder, and compares one with the ' +
      'draft. Nothing is written or kept.',
    rateClass: 'read',
    readOnlyToken: true,
    bodyBytesMax: importBytesMax,
    params: idParam,
    body: z.strictObject({ zip, listing: listingInZip.optional() }),
    // It has `en-US/subtitle.txt`.
    example: {
      zip:
        'UEsDBBQAAAAAAAAAe10QkdFaDAAAAAwAAAASAAAAZW4tVVMvc3VidGl0bGUudHh0U21hbGwgc3RlcHMK' +
        'UEsBAhQDFAAAAAAAAAB7XRCR0VoMAAAADAAAABIAAAAAAAAAAAAAAKSBAAAAAGVuLVVTL3N1YnRpdGxl' +
        'LnR4dFBLBQYAAAAAAQABAEAAAAA8AAAAAAA=',
    },
    responses: { 200: zipPreview },
  },
  'POST /listing-drafts/{id}/zip': {
    summary: 'Download a listing draft as a zip',
    description:
      'Returns the sent zip with the texts of the draft in its files; every other file keeps its ' +
      'bytes. Without a zip it returns a new folder of the tool of `listing`, or of fastlane.',
    rateClass: 'read',
    readOnlyToken: true,
    raw: true,
    contentTypes: ['application/zip'],
    bodyBytesMax: importBytesMax,
    params: idParam,
    body: z.strictObject({ zip: zip.optional(), listing: listingInZip.optional() }),
    example: { listing: { tool: 'deliver', root: 'fastlane/metadata' } },
    responses: { 200: z.unknown() },
  },
  'POST /listing-drafts/{id}/large-zip/preview': {
    summary: 'Compare a large zip with a listing draft',
    description:
      'Like `POST /listing-drafts/{id}/zip/preview`, for a zip that also has screenshots and ' +
      'other files. The body is the zip, of at most 512 MiB and 50,000 files. It is read while ' +
      'it comes; files that are no texts of a listing are skipped, and nothing is kept.',
    rateClass: 'read',
    readOnlyToken: true,
    streams,
    params: idParam,
    query: listingQuery,
    responses: { 200: zipPreview },
  },
  'POST /listing-drafts/{id}/large-zip': {
    summary: 'Download the texts of a large zip',
    description:
      'Returns the texts of the sent zip with those of the draft, and none of its other files. ' +
      'Unpack it over the folder. The body is as for ' +
      '`POST /listing-drafts/{id}/large-zip/preview`.',
    rateClass: 'read',
    readOnlyToken: true,
    streams,
    raw: true,
    contentTypes: ['application/zip'],
    params: idParam,
    query: listingQuery,
    responses: { 200: z.unknown() },
  },
  'GET /listing-drafts/{id}/versions': {
    summary: 'List versions of a listing draft',
    description: 'Lists the saved versions, the newest first.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      locale: locale.optional(),
      limit: integerText(1, 50).default(20),
      cursor: cursor.optional(),
    }),
    responses: { 200: listOf(listingDraftVersion) },
  },
});
