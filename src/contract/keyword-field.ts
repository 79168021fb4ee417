import { z } from 'zod';
import {
  country,
  cursor,
  device,
  id,
  idParam,
  instant,
  integerText,
  listOf,
  requestedDevice,
  utcDay,
} from './common.ts';
import { maxKeywordFieldCharacters } from '#stores/profiles.ts';
import { operationsOf } from './operation.ts';

/** One field per app and locale; apps with one storefront language may omit the locale. */
export const locale = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'a language tag, such as en-US')
  .meta({
    id: 'Locale',
    example: 'en-US',
    description: 'A language tag; without one the field is stored under `default`.',
  });
const optionalLocale = locale.default('default');
const ofMarket = { country: country.optional(), device: requestedDevice.optional() };

/** The domain checks the limits of a text, so that each has its own error code. */
const fieldText = z
  .string()
  .max(262_144)
  .meta({ stated: { maxLength: 1_000, description: 'At most 1,000 characters as sent.' } });

const length = z
  .int()
  .min(0)
  .max(maxKeywordFieldCharacters)
  .meta({ description: 'In code points.' });
/** A draft may be longer than the store accepts. */
const draftLength = z.int().min(0).max(1_000).meta({ description: 'In code points.' });
const score = z.int().min(0).max(100).nullable();

export const keywordFieldRecord = z
  .strictObject({
    locale: z.string(),
    text: z.string().meta({ description: 'As it was sent.' }),
    normalized: z.string().meta({
      description:
        'NFKC, lower case, each phrase once, joined by commas without spaces, as the store counts.',
    }),
    length,
    limit: z
      .int()
      .min(1)
      .max(maxKeywordFieldCharacters)
      .meta({ description: 'The maximum number of characters that the app’s store accepts.' }),
    updatedAt: instant.nullable(),
  })
  .meta({ id: 'KeywordField' });

const fieldToken = z
  .strictObject({
    term: z.string(),
    inTitle: z
      .boolean()
      .nullable()
      .meta({ description: 'Null while the listing has not been read.' }),
    inSubtitle: z.boolean().nullable().meta({ description: 'Null when the subtitle is unknown.' }),
    duplicate: z.boolean().meta({ description: 'Occurs earlier in the field.' }),
    plural: z.boolean().meta({
      description: 'A plural or singular of an earlier word, or of one in the title or subtitle.',
    }),
    brand: z
      .boolean()
      .meta({ description: 'A word of the app’s own brand, which the store finds anyway.' }),
    stopword: z.boolean(),
    bytes: z.int().min(1),
    trackedKeywordIds: z.array(id).max(200),
    keywordId: id.nullable().meta({
      description: 'The tracked keyword equal to this word; null when there is none.',
    }),
    bestPosition: z
      .int()
      .min(1)
      .max(200)
      .nullable()
      .meta({ description: 'The best latest position of the tracked keywords that contain it.' }),
    traffic: score.meta({ description: 'The score of `keywordId`; null when there is none.' }),
    difficulty: score,
  })
  .meta({ id: 'KeywordFieldToken' });

const coverage = z.strictObject({
  keywordId: id,
  phrase: z.string(),
  covered: z.boolean().meta({
    description:
      'Each word except function words ("with", "the") and signs ("&") occurs in the title, ' +
      'the subtitle or the field.',
  }),
  missing: z.array(z.string()),
});

export const keywordFieldAnalysis = z
  .strictObject({
    country,
    device,
    normalized: z.string(),
    used: draftLength,
    free: length,
    comparedWith: z
      .strictObject({
        name: z.string(),
        subtitle: z.string().nullable(),
        country,
        takenAt: instant.nullable(),
      })
      .nullable(),
    tokens: z.array(fieldToken),
    combinations: z.strictObject({
      words: z.int().meta({ description: 'Different words of title, subtitle and field.' }),
      pairs: z.int().meta({ description: 'Phrases of two of them, in one order.' }),
      tracked: z.array(coverage).max(200),
      covered: z
        .int()
        .meta({ description: 'The share of all tracked keywords of the country and device.' }),
      total: z.int(),
    }),
    wastedCharacters: draftLength.meta({
      description: 'Characters freed by removing the wasted words, commas included.',
    }),
    suggestions: z
      .array(
        z.strictObject({
          term: z.string(),
          characters: z.int().min(1).meta({ description: 'Including its comma.' }),
          source: z.enum(['tracked', 'listing', 'serp', 'competitors']),
          keywordIds: z.array(id).max(200),
        }),
      )
      .meta({ description: 'Together they fit into the free characters.' }),
  })
  .meta({ id: 'KeywordFieldAnalysis' });

const outcomeSide = z.strictObject({
  from: utcDay,
  to: utcDay,
  averagePosition: z
    .number()
    .nullable()
    .meta({ description: 'Over ranked days; null when there is none.' }),
  ranked: z.int().meta({
    description: 'Days × keywords with a position of the last day’s search provider.',
  }),
  checked: z.int(),
  followed: z.int().meta({
    description: 'Days × keywords with a due check. Unchecked ones are unknown.',
  }),
});

export const keywordFieldVersion = z
  .strictObject({
    id,
    locale: z.string(),
    text: z.string(),
    normalized: z.string(),
    length,
    savedAt: instant,
    added: z.array(z.string()),
    removed: z.array(z.string()),
    affectedKeywordIds: z.array(id).max(200),
    before: outcomeSide,
    after: outcomeSide.nullable().meta({ description: 'Null until the day after.' }),
  })
  .meta({
    id: 'KeywordFieldVersion',
    description:
      'A correlation, not proof: releases, titles and competitors change in the same weeks.',
  });

const body = z.strictObject({ text: fieldText, locale: optionalLocale });

export const keywordField = operationsOf({
  'GET /apps/{id}/keyword-field': {
    summary: 'Get the keyword field',
    description: 'Returns the keyword field of an app, for stores that have keyword fields.',
    rateClass: 'read',
    readOnlyToken: true,
    versioned: ['text'],
    params: idParam,
    query: z.strictObject({ locale: optionalLocale }),
    responses: { 200: keywordFieldRecord },
  },
  'PUT /apps/{id}/keyword-field': {
    summary: 'Save the keyword field',
    description:
      'Saves the keyword field. It has at most 1,000 characters as sent and 100 when ' +
      'normalised. Every version is stored.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: ['text'],
    params: idParam,
    body,
    example: { text: 'habit,tracker,routine', locale: 'en-US' },
    responses: {
      200: keywordFieldRecord
        .extend({ analysis: keywordFieldAnalysis })
        .meta({ id: 'SavedKeywordField' }),
    },
  },
  'GET /apps/{id}/keyword-field/analysis': {
    summary: 'Analyse the keyword field',
    description:
      'Returns the value of each word of the keyword field, wasted characters, and words ' +
      'that would fit.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ locale: optionalLocale, ...ofMarket }),
    responses: { 200: keywordFieldAnalysis },
  },
  'POST /apps/{id}/keyword-field/preview': {
    summary: 'Preview a keyword field',
    description:
      'Analyses a text as a keyword field without saving it. It may have up to 1,000 characters, ' +
      'since the analysis shows what to remove.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject(ofMarket),
    body,
    example: { text: 'habit,tracker,routine' },
    responses: { 200: keywordFieldAnalysis },
  },
  'GET /apps/{id}/keyword-field/history': {
    summary: 'List keyword field versions',
    description:
      'Lists the versions of the keyword field, the newest first, with the positions of ' +
      'the affected keywords 14 days before and after.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      locale: locale.optional(),
      limit: integerText(1, 50).default(20),
      cursor: cursor.optional(),
    }),
    responses: { 200: listOf(keywordFieldVersion) },
  },
});
