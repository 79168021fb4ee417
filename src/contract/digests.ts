import { z } from 'zod';
import { idParam, utcDay } from './common.ts';
import { weeklyDigest } from './event-data.ts';
import { operationsOf } from './operation.ts';

export const digests = operationsOf({
  'GET /digests/weekly': {
    summary: 'A week in figures: what digest.weekly holds',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      week: utcDay
        .optional()
        .meta({ description: 'Any day of the ISO week; without it, the last whole week.' }),
      format: z
        .enum(['json', 'html'])
        .default('json')
        .meta({ description: '`html`: the letter that is mailed, with its charts.' }),
    }),
    orPage: true,
    responses: { 200: weeklyDigest },
  },
  'GET /apps/{id}/feed': {
    summary:
      'The newest events of an app as an Atom feed; a token may come as the password of HTTP Basic',
    rateClass: 'read',
    readOnlyToken: true,
    basicAuth: true,
    params: idParam,
    raw: true,
    contentTypes: ['application/atom+xml'],
    responses: { 200: z.string() },
  },
});
