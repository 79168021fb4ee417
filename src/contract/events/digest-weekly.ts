import { z } from 'zod';
import { id, storeName, utcDay } from '../common.ts';
import { rankPair } from '../rankings.ts';
import { defineEvent } from './event-definition.ts';
import { keywordFields, nameWithStore, sampleKeyword } from './event-shapes.ts';
import { enabled } from './rule-fields.ts';

const digestMove = z.strictObject({
  ...keywordFields,
  from: rankPair,
  to: rankPair,
  positionsGained: z.int().nullable(),
});

const digestApp = z.strictObject({
  appId: id,
  store: storeName,
  name: z.string(),
  keywords: z.int(),
  ranked: z.int(),
  notFound: z.int(),
  notChecked: z.int(),
  top3: z.int(),
  top10: z.int(),
  averagePosition: z.number().nullable().meta({ description: 'Over ranked keywords only.' }),
  improved: z.int(),
  dropped: z.int(),
  visibility: z.strictObject({ from: z.number().nullable(), to: z.number().nullable() }).meta({
    description:
      'The index of the first and of the last day of the week with a coverage of at least 0.95, ' +
      'over the keywords that were tracked on the first and on the last day of the week. Without ' +
      'two such days `from` is null, and `to` is of all keywords on the last day on which they ' +
      'have such a coverage, or else on the last day that was checked, if any.',
  }),
  coverage: z.number().min(0).max(1).nullable().meta({
    description: 'The share of tracked keyword days that were checked; null when there are none.',
  }),
  gained: z.array(digestMove).max(10).meta({ description: 'The largest moves of the week.' }),
  lost: z.array(digestMove).max(10),
  rating: z.number().nullable(),
  newReviews: z.int(),
  negativeReviews: z.int(),
  metadataChanges: z.int(),
  openActions: z.int(),
});

export const digestWeekly = defineEvent({
  type: 'digest.weekly',
  description: 'The week in figures, once an ISO week, even if nothing happened.',
  data: z
    .strictObject({
      week: utcDay.meta({ description: 'The Monday of the ISO week.' }),
      from: utcDay,
      to: utcDay,
      apps: z.array(digestApp).max(50),
      moreApps: z.int().min(0).meta({ description: 'The number of apps that are not listed.' }),
      events: z
        .record(z.string(), z.int())
        .meta({ description: 'The number of events of the week by type.' }),
    })
    .meta({ id: 'WeeklyDigest' }),
  sample: {
    week: '2026-11-16',
    from: '2026-11-16',
    to: '2026-11-22',
    apps: [
      {
        appId: 3,
        store: 'ios',
        name: 'Lumen Habits',
        keywords: 120,
        ranked: 84,
        notFound: 33,
        notChecked: 3,
        top3: 6,
        top10: 19,
        averagePosition: 41.3,
        improved: 22,
        dropped: 15,
        visibility: { from: 4.31, to: 5.02 },
        coverage: 0.9881,
        gained: [
          {
            ...sampleKeyword,
            from: { date: '2026-11-16', position: 44, depth: 200 },
            to: { date: '2026-11-22', position: 12, depth: 200 },
            positionsGained: 32,
          },
        ],
        lost: [],
        rating: 4.6,
        newReviews: 31,
        negativeReviews: 2,
        metadataChanges: 1,
        openActions: 4,
      },
    ],
    moreApps: 0,
    events: { 'rank.dropped': 15, 'rank.improved': 22, 'metadata.changed': 1 },
  },
  samplePath: '/digests/weekly?week=2026-11-16',
  isOfWorkspace: true,
  rule: z.strictObject({
    event: z.literal('digest.weekly'),
    enabled,
    mailTo: z.enum(['owners', 'everyone', 'nobody']).default('owners').meta({
      description: 'The people who also get it by email, if the instance can send email.',
    }),
  }),
  message: {
    title: 'the week',
    line: ({ from }) => `Week of ${from}`,
    list: ({ apps, moreApps }) => ({
      lines: apps.map(
        ({ top10, keywords, improved, dropped, ...app }) =>
          `${nameWithStore(app)}: ${top10} of ${keywords} in the top 10, ` +
          `▲ ${improved} ▼ ${dropped}`,
      ),
      more: moreApps,
    }),
  },
  texts: {
    en: {
      title: 'Weekly digest',
      about: 'A summary of the week in numbers.',
      sentence: 'Weekly digest, {{from}} to {{to}}',
    },
    de: {
      title: 'Wochenbericht',
      about: 'Eine Zusammenfassung der Woche in Zahlen.',
      sentence: 'Wochenbericht vom {{from}} bis {{to}}',
    },
    ja: {
      title: '週次レポート',
      about: '1週間のまとめを週に1回お知らせします。',
      sentence: '{{from}}から{{to}}までの週次レポート',
    },
  },
});
