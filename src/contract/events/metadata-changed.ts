import { z } from 'zod';
import { fieldChange } from '../apps.ts';
import { changedFields } from '../choices.ts';
import { country, id, utcDay } from '../common.ts';
import { defineEvent } from './event-definition.ts';
import { eventListing, sampleListing } from './event-shapes.ts';
import { appScope, enabled } from './rule-fields.ts';

export const metadataChanged = defineEvent({
  type: 'metadata.changed',
  description: 'The listing of an app or of a competitor differs from the previous snapshot.',
  data: z
    .strictObject({
      subject: z.enum(['app', 'competitor']),
      competitorId: id.nullable(),
      listing: eventListing,
      country,
      date: utcDay,
      previousDate: utcDay,
      changes: z.array(fieldChange).min(1),
    })
    .meta({ id: 'MetadataChange' }),
  sample: {
    subject: 'competitor',
    competitorId: 12,
    listing: sampleListing,
    country: 'us',
    date: '2026-11-21',
    previousDate: '2026-11-20',
    changes: [
      { field: 'subtitle', before: 'Build better habits', after: 'Habit tracker & streaks' },
    ],
  },
  samplePath: '/apps/3/timeline',
  rule: z.strictObject({
    event: z.literal('metadata.changed'),
    enabled,
    scope: appScope,
    subjects: z
      .array(z.enum(['app', 'competitor']))
      .min(1)
      .max(2)
      .default(['app', 'competitor']),
    fields: z
      .array(z.enum(changedFields))
      .min(1)
      .max(changedFields.length)
      .optional()
      .meta({ description: 'Only changes of these fields; the event then contains no others.' }),
  }),
  message: {
    title: 'a listing changed',
    line: ({ listing, country: where, changes }) =>
      `${listing.name ?? listing.storeAppId} (${where}): ` +
      `${changes.map((change) => change.field).join(', ')}`,
  },
  texts: {
    en: {
      title: 'Listing changed',
      about: 'Your listing or the listing of a competitor changes.',
      app: 'Your listing changed ({{country}}): {{fields}}',
      competitor: '{{name}} changed its listing ({{country}}): {{fields}}',
    },
    de: {
      title: 'Store-Eintrag geändert',
      about: 'Ihr Store-Eintrag oder der eines Wettbewerbers ändert sich.',
      app: 'Ihr Store-Eintrag hat sich geändert ({{country}}): {{fields}}',
      competitor: '{{name}} hat den Store-Eintrag geändert ({{country}}): {{fields}}',
    },
    ja: {
      title: '掲載情報の変更',
      about: '自分のアプリまたは競合の掲載情報が変わったとき。',
      app: '{{country}}の掲載情報が変わりました：{{fields}}',
      competitor: '{{name}}が{{country}}の掲載情報を変更しました：{{fields}}',
    },
  },
});
