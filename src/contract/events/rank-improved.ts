import { z } from 'zod';
import { defineEvent } from './event-definition.ts';
import { sampleKeyword } from './event-shapes.ts';
import { formatRankMove, rankMove, rankRuleFields } from './rank-move.ts';

export const rankImproved = defineEvent({
  type: 'rank.improved',
  description:
    'By default: a keyword reached the top 10, or rose by 15 positions or more, on two checked ' +
    'days in a row.',
  data: rankMove,
  sample: {
    ...sampleKeyword,
    from: { date: '2026-11-20', position: null, depth: 200 },
    to: { date: '2026-11-21', position: 47, depth: 200 },
    positionsGained: null,
    reasons: ['entered', 'crossed'],
    crossed: [50],
  },
  samplePath: '/keywords/481/rankings',
  rule: z.strictObject({ event: z.literal('rank.improved'), ...rankRuleFields }),
  message: {
    title: 'a keyword rose',
    line: (data, formatPosition) => `▲ ${formatRankMove(data, formatPosition)}`,
  },
  texts: {
    en: {
      title: 'Position gained',
      about: 'A keyword ranks higher than before.',
      sentence: '“{{phrase}}” ({{country}}) rose from {{from}} to {{to}}',
    },
    de: {
      title: 'Position gewonnen',
      about: 'Ein Keyword steht höher als zuvor.',
      sentence: '„{{phrase}}“ ({{country}}) ist von {{from}} auf {{to}} gestiegen',
    },
    ja: {
      title: '順位の上昇',
      about: 'キーワードの順位が以前より上がったとき。',
      sentence: '{{country}}の「{{phrase}}」が{{from}}から{{to}}に上がりました',
    },
  },
});
