import { z } from 'zod';
import { importBytesMax } from './body-limits.ts';
import {
  country,
  id,
  idParam,
  idText,
  instant,
  itemEtag,
  listOf,
  requestedDevice,
  textOf,
  wholePaging,
} from './common.ts';
import { locale } from './keyword-field.ts';
import { operationsOf } from './operation.ts';

/** The members that people edit. */
export const editableOfStorefrontLocale = ['enabled', 'note'];

const sourceNames = ['aso-light', 'outrank', 'aso.dev', 'notes'] as const;
const sources = z.array(z.enum(sourceNames).meta({ id: 'StorefrontLocaleSource' }));
const note = textOf(500).nullable();

export const storefrontLocale = z
  .strictObject({
    country,
    locale: z.string(),
    displays: z.enum(['primary', 'secondary']).nullable().meta({
      description: 'Apple documents that the storefront shows it; null when it does not.',
    }),
    claimedBy: sources.meta({
      description:
        'Sources that say that searches of the storefront find its words. No store documents it.',
    }),
    deniedBy: sources.meta({ description: 'Sources that have the storefront without the locale.' }),
    confidence: z
      .enum(['high', 'medium', 'documented', 'low'])
      .nullable()
      .meta({
        description:
          'high: Apple and others agree. medium: some differ. documented: Apple alone has it. ' +
          'low: others alone have it. Null for a row of the workspace.',
      }),
    addedIn: z.string().nullable().meta({ description: 'The month in which Apple added it.' }),
    enabledByDefault: z.boolean().meta({ description: 'False for rows of low confidence.' }),
    enabled: z.boolean().meta({ description: 'Counted in coverage.' }),
    note,
    savedAt: instant
      .nullable()
      .meta({ description: 'When the workspace changed it; null: never.' }),
    etag: itemEtag,
  })
  .meta({ id: 'StorefrontLocale' });

const insteadOf = z
  .string()
  .nullable()
  .meta({
    description:
      'The language of the storefront, when the app has no listing in it and the store shows ' +
      'this locale.',
  });

const coveredPhrase = z.strictObject({
  keywordId: id,
  phrase: z.string(),
  coveredBy: z
    .array(z.string())
    .meta({ description: 'Locales, each with all words of the phrase.' }),
  missing: z
    .array(z.string())
    .meta({ description: 'The words that the nearest locale lacks; empty when it is covered.' }),
});

export const localeCoverage = z
  .strictObject({
    country,
    draftId: id.nullable().meta({ description: 'Null when the app has no current draft.' }),
    locales: z.array(
      z.strictObject({
        locale: z.string(),
        insteadOf,
        isDrafted: z.boolean(),
        freeCharacters: z.int().min(0).nullable().meta({
          description: 'Of the drafted keyword field; null without a draft, or without a field.',
        }),
      }),
    ),
    phrases: z.array(coveredPhrase).max(1_000),
    covered: z.int().min(0),
    total: z.int().min(0),
    repeatedWords: z
      .array(z.strictObject({ word: z.string(), locales: z.array(z.string()) }))
      .max(500)
      .meta({ description: 'Words that several locales have. This is no fault.' }),
  })
  .meta({ id: 'LocaleCoverage' });

const searchedText = textOf(1_000).optional();
const score = z.int().min(0).max(100).nullable();

export const coveragePreview = z
  .strictObject({
    country,
    device: z.string(),
    locales: z.array(
      z.strictObject({
        locale: z.string(),
        insteadOf,
        isLiveKnown: z.boolean().meta({ description: 'A stored live listing shows it first.' }),
        freeCharacters: z
          .int()
          .min(0)
          .nullable()
          .meta({ description: 'Of the keyword field; null for a store without one.' }),
      }),
    ),
    phrases: z
      .array(
        coveredPhrase.extend({
          words: z.array(z.string()).meta({ description: 'Without function words and signs.' }),
          liveCoveredBy: z.array(z.string()).meta({ description: 'Before the change.' }),
          position: z.int().min(1).max(200).nullable(),
          traffic: score,
          difficulty: score,
          opportunity: score,
        }),
      )
      .max(1_000),
    covered: z.int().min(0),
    liveCovered: z.int().min(0),
    total: z.int().min(0),
    repeatedWords: localeCoverage.shape.repeatedWords,
  })
  .meta({ id: 'LocaleCoveragePreview' });

export const storefrontLocales = operationsOf({
  'GET /storefront-locales': {
    summary: 'List storefront locales',
    description:
      'Lists the locales of the App Store’s storefronts: those that Apple documents as shown, ' +
      'and those whose words searches are said to find, with the workspace’s changes. With a ' +
      'country and a locale it has their row, also when no source has it.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      ...wholePaging,
      country: country.optional(),
      locale: locale.optional().meta({ description: 'Only with a country.' }),
    }),
    pages: 'cut',
    responses: { 200: listOf(storefrontLocale) },
  },
  'PUT /storefront-locales': {
    summary: 'Change a storefront locale',
    description:
      'Switches a row on or off for this workspace, or adds one. `enabled: null` restores the ' +
      'shipped row, and a row of the workspace is then absent and off. An update of the shipped ' +
      'table changes no row of a workspace.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editableOfStorefrontLocale,
    body: z.strictObject({
      country,
      locale,
      enabled: z.boolean().nullable(),
      note: note.optional(),
    }),
    example: { country: 'gb', locale: 'en-AU', enabled: true, note: 'Our test in May' },
    responses: { 200: storefrontLocale },
  },
  'GET /apps/{id}/locale-coverage': {
    summary: 'Get the coverage of a storefront',
    description:
      'Returns which locales of a draft have the words of each tracked phrase of a storefront, ' +
      'over its enabled locales. On Android a country shows one locale, in its language or ' +
      'instead of it. Words of different locales are never combined.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      country: country.optional(),
      device: requestedDevice.optional(),
      draftId: idText.optional(),
    }),
    responses: { 200: localeCoverage },
  },
  'POST /apps/{id}/locale-coverage/preview': {
    summary: 'Preview the coverage of a storefront',
    description:
      'Compares the coverage of a storefront’s tracked phrases by the live listing with that ' +
      'after a change, which is not saved. A text that is left out stays as it is live. On ' +
      'Android a country shows one locale, and its title, short description and description count.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    bodyBytesMax: importBytesMax,
    query: z.strictObject({
      country: country.optional(),
      device: requestedDevice.optional(),
      draftId: idText.optional().meta({
        description: 'The saved texts of this draft count for locales that the body lacks.',
      }),
    }),
    body: z.strictObject({
      locales: z
        .array(
          z.strictObject({
            locale,
            title: searchedText,
            subtitle: searchedText,
            summary: searchedText,
            keywordField: searchedText,
            description: textOf(8_000).optional(),
          }),
        )
        .max(100),
    }),
    example: { locales: [{ locale: 'en-US', title: 'Habit Tracker' }] },
    responses: { 200: coveragePreview },
  },
});
