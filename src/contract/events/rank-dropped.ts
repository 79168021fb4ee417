import { z } from 'zod';
import { defineEvent } from './event-definition.ts';
import { sampleKeyword } from './event-shapes.ts';
import { formatRankMove, rankMove, rankRuleFields } from './rank-move.ts';

export const rankDropped = defineEvent({
  type: 'rank.dropped',
  description:
    'A keyword fell by 5 positions or more, across 1, 3, 10 or 50, or out of the examined depth.',
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
      about: 'A keyword ranks lower than in its previous check.',
      sentence: '“{{phrase}}” in {{country}} fell from {{from}} to {{to}}',
    },
    de: {
      title: 'Position verloren',
      about: 'Ein Keyword steht tiefer als bei der vorherigen Prüfung.',
      sentence: '„{{phrase}}“ in {{country}} ist von {{from}} auf {{to}} gefallen',
    },
    ja: {
      title: '順位の低下',
      about: 'キーワードの順位が前回のチェックより下がったとき。',
      sentence: '{{country}}の「{{phrase}}」が{{from}}位から{{to}}位に下がりました',
    },
  },
});
