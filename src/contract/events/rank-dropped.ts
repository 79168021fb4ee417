import { z } from 'zod';
import { defineEvent } from './event-definition.ts';
import { sampleKeyword } from './event-shapes.ts';
import { formatRankMove, rankMove, rankRuleFields } from './rank-move.ts';

export const rankDropped = defineEvent({
  type: 'rank.dropped',
  description:
    'By default: a keyword left the top 10, or fell by 15 positions or more, on two checked days ' +
    'in a row.',
  data: rankMove,
  sample: {
    ...sampleKeyword,
    from: { date: '2026-11-20', position: 8, depth: 200 },
    to: { date: '2026-11-21', position: 21, depth: 200 },
    positionsGained: -13,
    reasons: ['moved', 'crossed'],
    crossed: [10],
  },
  samplePath: '/keywords/481/rankings',
  rule: z.strictObject({ event: z.literal('rank.dropped'), ...rankRuleFields }),
  message: {
    title: 'a keyword fell',
    line: (data, formatPosition) => `▼ ${formatRankMove(data, formatPosition)}`,
  },
  texts: {
    en: {
      title: 'Position lost',
      about: 'A keyword ranks lower than before.',
      sentence: '“{{phrase}}” ({{country}}) fell from {{from}} to {{to}}',
    },
    de: {
      title: 'Position verloren',
      about: 'Ein Keyword steht tiefer als zuvor.',
      sentence: '„{{phrase}}“ ({{country}}) ist von {{from}} auf {{to}} gefallen',
    },
    ja: {
      title: '順位の低下',
      about: 'キーワードの順位が以前より下がったとき。',
      sentence: '{{country}}の「{{phrase}}」が{{from}}から{{to}}に下がりました',
    },
  },
});
