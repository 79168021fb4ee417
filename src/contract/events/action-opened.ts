import { z } from 'zod';
import { bigId, id } from '../common.ts';
import { defineEvent } from './event-definition.ts';

export const actionOpened = defineEvent({
  type: 'action.opened',
  description: 'A new suggested action.',
  data: z
    .strictObject({
      actionId: bigId,
      actionType: z.string(),
      severity: z.enum(['high', 'medium', 'low']),
      title: z.string(),
      reason: z.string(),
      evidence: z.record(z.string(), z.unknown()),
      keywordIds: z.array(id),
    })
    .meta({ id: 'OpenedAction' }),
  sample: {
    actionId: 77,
    actionType: 'striking-distance',
    severity: 'medium',
    title: '“habit tracker” is just outside the top 10',
    reason: 'It has been at 11 or 12 for five checked days and has traffic 63.',
    evidence: { keywordId: 481, positions: [12, 11, 11, 12, 11], traffic: 63 },
    keywordIds: [481],
  },
  samplePath: '/actions/77',
  rule: null,
  message: {
    title: 'a suggested action',
    line: ({ title, reason }) => `${title}. ${reason}`,
  },
  texts: {
    en: { title: 'Suggested action', sentence: 'Suggested: {{title}}' },
    de: { title: 'Vorgeschlagene Maßnahme', sentence: 'Vorgeschlagen: {{title}}' },
    ja: { title: 'アクションの提案', sentence: '提案：{{title}}' },
  },
});
