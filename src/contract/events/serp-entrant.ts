import { z } from 'zod';
import { id, utcDay } from '../common.ts';
import { depth } from '../rankings.ts';
import { defineEvent } from './event-definition.ts';
import {
  eventListing,
  formatCountryAndDevice,
  keywordFields,
  sampleKeyword,
  sampleListing,
} from './event-shapes.ts';
import { cooldownOf, enabled, keywordScope } from './rule-fields.ts';

export const serpEntrant = defineEvent({
  type: 'serp.entrant',
  description:
    'By default: an app ranks in the top 10 of a tracked market and was in none of its results ' +
    'on the last 7 checked days.',
  data: z
    .strictObject({
      ...keywordFields,
      date: utcDay,
      position: z.int().min(1).max(200),
      depth,
      entrant: eventListing,
      competitorId: id
        .nullable()
        .meta({ description: 'Set when the workspace tracks it as a competitor.' }),
      daysAbsent: z
        .int()
        .min(1)
        .meta({ description: 'Checked days before this one without it in the results.' }),
    })
    .meta({ id: 'SerpEntrantData' }),
  sample: {
    ...sampleKeyword,
    date: '2026-11-21',
    position: 4,
    depth: 200,
    entrant: sampleListing,
    competitorId: null,
    daysAbsent: 7,
  },
  samplePath: '/keywords/481/serp',
  rule: z.strictObject({
    event: z.literal('serp.entrant'),
    enabled,
    scope: keywordScope,
    top: z.int().min(1).max(50).default(10),
    minDays: z.int().min(1).max(7).default(7).meta({
      description:
        'It was absent from the last 7 checked days; at least this many of them must be known.',
    }),
    cooldownDays: cooldownOf(0),
  }),
  message: {
    title: 'a new app in the results',
    line: ({ entrant, position, phrase, ...market }) =>
      `● ${entrant.name ?? entrant.storeAppId} is ${position} for ${phrase} ` +
      `(${formatCountryAndDevice(market)})`,
  },
  texts: {
    en: {
      title: 'New app in results',
      about: 'A new app enters the top results of one of your keywords.',
      sentence: '{{name}} entered at {{position}} for “{{phrase}}” ({{country}})',
      note_one: 'It was not in the results on the {{count}} checked day before.',
      note_other: 'It was not in the results on the {{count}} checked days before.',
      competitorNote_one:
        'A tracked competitor. It was not in the results on the {{count}} checked day before.',
      competitorNote_other:
        'A tracked competitor. It was not in the results on the {{count}} checked days before.',
    },
    de: {
      title: 'Neue App in den Ergebnissen',
      about: 'Eine neue App erscheint in den ersten Ergebnissen eines Ihrer Keywords.',
      sentence: '{{name}} ist neu auf Position {{position}} für „{{phrase}}“ ({{country}})',
      note_one: 'Am {{count}} geprüften Tag davor war die App nicht in den Ergebnissen.',
      note_other: 'An den {{count}} geprüften Tagen davor war die App nicht in den Ergebnissen.',
      competitorNote_one:
        'Ein verfolgter Wettbewerber. Am {{count}} geprüften Tag davor war die App nicht in den ' +
        'Ergebnissen.',
      competitorNote_other:
        'Ein verfolgter Wettbewerber. An den {{count}} geprüften Tagen davor war die App nicht ' +
        'in den Ergebnissen.',
    },
    ja: {
      title: '検索結果に新しいアプリ',
      about: 'それまで圏外だったアプリが、キーワードの上位に入ったとき。',
      sentence: '{{country}}の「{{phrase}}」で{{name}}が{{position}}位に入りました',
      note_other: 'それまでにチェックした{{count}}日間は圏外でした。',
      competitorNote_other: '追跡中の競合です。それまでにチェックした{{count}}日間は圏外でした。',
    },
  },
});
