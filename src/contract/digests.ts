import { z } from 'zod';
import { idParam, utcDay } from './common.ts';
import { eventData } from './events/event-definitions.ts';
import { operationsOf } from './operation.ts';

export const digests = operationsOf({
  'GET /digests/weekly': {
    summary: 'Get the weekly digest',
    description: 'Returns the content of a `digest.weekly` event, as data or as a page.',
    rateClass: 'read',
    heavy: true,
    countsAsWrite: true,
    readOnlyToken: true,
    query: z.strictObject({
      week: utcDay
        .optional()
        .meta({ description: 'Any day of the ISO week; by default the last complete week.' }),
      format: z
        .enum(['json', 'html'])
        .default('json')
        .meta({ description: '`html`: the mailed page with its charts.' }),
    }),
    hasHtmlVariant: true,
    responses: { 200: eventData['digest.weekly'] },
  },
  'GET /apps/{id}/feed': {
    summary: 'Get an app’s Atom feed',
    description:
      'Returns the newest events of an app as an Atom feed. A token may be sent as the ' +
      'password of HTTP Basic.',
    rateClass: 'read',
    readOnlyToken: true,
    basicAuth: true,
    params: idParam,
    raw: true,
    contentTypes: ['application/atom+xml'],
    responses: { 200: z.string() },
  },
});
