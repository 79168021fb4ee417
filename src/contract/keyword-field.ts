import { z } from 'zod';
import { country, cursor, id, idParam, instant, integerText, listOf, utcDay } from './common.ts';
import { operationsOf } from './operation.ts';

/** One field an app and locale; apps with one storefront language need not name it. */
export const locale = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'a language tag, such as en-US')
  .meta({
    id: 'Locale',
    example: 'en-US',
    description: 'A language tag; without one the field is kept under `default`.',
  });
const optionalLocale = locale.default('default');

/** Which limit a text breaks is the domain's to say, so that each has its own code. */
const fieldText = z.string().max(262_144);

const length = z.int().min(0).max(100).meta({ description: 'In code points.' });
const score = z.int().min(0).max(100).nullable();

export const keywordFieldRecord = z
  .strictObject({
    locale: z.string(),
    text: z.string().meta({ description: 'As it was sent.' }),
    normalized: z
      .string()
      .meta({
        description:
          'NFKC, lower case, each phrase once, joined by commas without spaces: what the store counts.',
      }),
    length,
    limit: z.literal(100),
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
    inSubtitle: z
      .boolean()
      .nullable()
      .meta({ description: 'Null where the subtitle is not known.' }),
    duplicate: z.boolean().meta({ description: 'Stands in the field before.' }),
    plural: z
      .boolean()
      .meta({
        description:
          'Differs only by its plural from a word before it, or from one of the title or subtitle.',
      }),
    brand: z
      .boolean()
      .meta({ description: 'A word of the app’s own brand, which the store finds anyway.' }),
    stopword: z.boolean(),
    bytes: z.int().min(1),
    trackedKeywordIds: z.array(id).max(200),
    keywordId: id
      .nullable()
      .meta({
        description: 'The tracked keyword that is this very word; null when there is none.',
      }),
    bestPosition: z
      .int()
      .min(1)
      .max(200)
      .nullable()
      .meta({ description: 'The best newest position of the tracked keywords that hold it.' }),
    traffic: score.meta({ description: 'Of `keywordId`; null when there is none, or no score.' }),
    difficulty: score,
  })
  .meta({ id: 'KeywordFieldToken' });

const coverage = z.strictObject({
  keywordId: id,
  phrase: z.string(),
  covered: z
    .boolean()
    .meta({
      description:
        'Each word but function words ("with", "the") stands in the title, the subtitle or the field.',
    }),
  missing: z.array(z.string()),
});

export const keywordFieldAnalysis = z
  .strictObject({
    country,
    normalized: z.string(),
    used: length,
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
      covered: z.int().meta({ description: 'Of all tracked keywords of the country.' }),
      total: z.int(),
    }),
    wastedCharacters: length.meta({
      description: 'What leaving out the words that add nothing would free, commas included.',
    }),
    suggestions: z
      .array(
        z.strictObject({
          term: z.string(),
          characters: z.int().min(1).meta({ description: 'With its comma.' }),
          source: z.enum(['tracked', 'listing', 'serp', 'competitors']),
          keywordIds: z.array(id).max(200),
        }),
      )
      .meta({ description: 'Together they fit into what is free.' }),
  })
  .meta({ id: 'KeywordFieldAnalysis' });

const outcomeSide = z.strictObject({
  from: utcDay,
  to: utcDay,
  averagePosition: z
    .number()
    .nullable()
    .meta({ description: 'Of the ranked cells; null when there is none.' }),
  ranked: z.int(),
  checked: z.int(),
  followed: z
    .int()
    .meta({
      description: 'Days × keywords on which a check was due. What lies between is not known.',
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
      'A correlation, not a proof: releases, titles and rivals change in the same weeks.',
  });

const body = z.strictObject({ text: fieldText, locale: optionalLocale });

export const keywordField = operationsOf({
  'GET /apps/{id}/keyword-field': {
    summary: 'The keyword field of an iOS app',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ locale: optionalLocale }),
    responses: { 200: keywordFieldRecord },
  },
  'PUT /apps/{id}/keyword-field': {
    summary: 'Save the keyword field: 1,000 characters as sent, 100 normalised; a version is kept',
    rateClass: 'write',
    readOnlyToken: false,
    params: idParam,
    body,
    responses: {
      200: keywordFieldRecord
        .extend({ analysis: keywordFieldAnalysis })
        .meta({ id: 'SavedKeywordField' }),
    },
  },
  'GET /apps/{id}/keyword-field/analysis': {
    summary: 'What each word of the saved field is worth, what is wasted, and what would fit',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ locale: optionalLocale, country: country.optional() }),
    responses: { 200: keywordFieldAnalysis },
  },
  'POST /apps/{id}/keyword-field/preview': {
    summary: 'The analysis of a text that is not saved',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ country: country.optional() }),
    body,
    responses: { 200: keywordFieldAnalysis },
  },
  'GET /apps/{id}/keyword-field/history': {
    summary:
      'Past versions, newest first, with the positions of the keywords they touch 14 days before and after',
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
