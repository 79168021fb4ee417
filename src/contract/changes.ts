import { z } from 'zod';
import { changedFields } from './choices.ts';
import {
  bigId,
  bigIdParam,
  country,
  dayRange,
  id,
  idParam,
  idText,
  instant,
  integerText,
  listOf,
  listText,
  paging,
  storeName,
  utcDay,
} from './common.ts';
import { operationsOf } from './operation.ts';

export const changedField = z.enum(changedFields).meta({ id: 'ChangedField' });
export type ChangedField = (typeof changedFields)[number];

const value = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])
  .meta({ id: 'ChangedValue' });

export const change = z
  .strictObject({
    id: bigId,
    appId: id,
    competitorId: id.nullable().meta({ description: 'Set when a competitor of the app changed.' }),
    listing: z.strictObject({
      store: storeName,
      storeAppId: z.string(),
      name: z.string().nullable(),
    }),
    country,
    locale: z
      .string()
      .nullable()
      .meta({ description: 'The language of the store request; null when unknown.' }),
    field: changedField,
    before: value,
    after: value,
    version: z.string().nullable().meta({ description: 'The listing’s version at the change.' }),
    detectedAt: instant.meta({ description: 'The time of the reading that found it.' }),
    previousAt: instant.meta({
      description: 'The time of the reading before: the change happened in between.',
    }),
    snapshotId: bigId,
  })
  .meta({ id: 'Change' });

const changesQuery = z.strictObject({
  ...paging,
  ...dayRange,
  field: listText(changedFields).optional(),
  scope: z.enum(['own', 'competitors']).optional().meta({ description: 'Both by default.' }),
  country: country.optional(),
});

const positions = z.number().min(1).max(200).nullable();
const impactGroup = z
  .strictObject({
    keywords: z.int().min(0).meta({ description: 'Tracked in the country of the change.' }),
    compared: z
      .int()
      .min(0)
      .meta({ description: 'Those found on 3 checked days or more on both sides.' }),
    meanBefore: positions.meta({
      description: 'The mean of the compared keywords’ mean positions.',
    }),
    meanAfter: positions,
    meanGain: z.number().nullable().meta({
      description: 'Mean positions gained (positive) or lost (negative) by the compared keywords.',
    }),
    entered: z.int().min(0).meta({
      description: 'Not found before, and found after within a depth that was examined before.',
    }),
    left: z.int().min(0),
    keywordIds: z.array(id).max(200).meta({ description: 'The first 200.' }),
  })
  .meta({ id: 'ImpactGroup' });

const impactReasons = [
  'not_own',
  'no_words',
  'too_early',
  'too_few_affected',
  'too_few_control',
  'no_spread',
] as const;

export const impact = z
  .strictObject({
    change,
    windowDays: z.int().min(1).max(60),
    before: z.strictObject({ from: utcDay, to: utcDay }),
    after: z
      .strictObject({ from: utcDay, to: utcDay })
      .nullable()
      .meta({ description: 'Null until the day after the change was found.' }),
    complete: z.boolean().meta({ description: 'True when the window after the change is over.' }),
    words: z.strictObject({
      gained: z.array(z.string()).max(200),
      lost: z.array(z.string()).max(200),
    }),
    affected: impactGroup,
    control: impactGroup,
    difference: z
      .number()
      .nullable()
      .meta({ description: 'Mean gain of the affected keywords minus that of the control.' }),
    interval: z
      .strictObject({ low: z.number(), high: z.number(), level: z.literal(0.95) })
      .nullable(),
    otherChanges: z.int().min(0).meta({
      description: 'Other changes of this app’s listing in the country within the two windows.',
    }),
    reason: z
      .enum(impactReasons)
      .nullable()
      .meta({ description: 'The reason for a missing difference or interval.' }),
    method: z.string(),
  })
  .meta({
    id: 'ChangeImpact',
    description:
      'A correlation, not proof: releases, ads and competitors move positions in the same weeks.',
  });

export const changes = operationsOf({
  'GET /apps/{id}/changes': {
    summary: 'List listing changes of an app',
    description: 'Lists listing changes of the app and its competitors, the newest first.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: changesQuery,
    responses: { 200: listOf(change) },
  },
  'GET /changes': {
    summary: 'List listing changes',
    description: 'Lists listing changes of all apps and competitors, the newest first.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({ ...changesQuery.shape, appId: idText.optional() }),
    responses: { 200: listOf(change) },
  },
  'GET /changes/{id}/impact': {
    summary: 'Get a change’s impact',
    description:
      'Compares positions before and after a change, for the keywords that it affected ' +
      'and for those that it did not affect.',
    rateClass: 'read',
    readOnlyToken: true,
    params: bigIdParam,
    query: z.strictObject({ windowDays: integerText(1, 60).default(14) }),
    responses: { 200: impact },
  },
});
