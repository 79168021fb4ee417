import { z } from 'zod';
import { operationsOf } from './operation.ts';

/** The parts that a live event names as changed; the dashboard reads them again. */
export const liveTopics = ['runs', 'jobs', 'positions', 'events'] as const;
export type LiveTopic = (typeof liveTopics)[number];

export const live = operationsOf({
  'GET /live': {
    summary: 'Stream changes',
    description:
      'With `Accept: text/event-stream`, a stream of server-sent events that ends with the ' +
      'session or token. An event `change` has the topics of the workspace that changed, as ' +
      '`{"topics":["jobs"]}`: `runs`, `jobs`, `positions` or `events`. It has no data of them; ' +
      'read them again. The first event names what changed since the id in `Last-Event-ID` or ' +
      '`since`. Without that Accept header the response ends after the first event, and also if ' +
      'the account has 10 streams or the workspace 50: reconnect after the milliseconds of its ' +
      '`retry`.',
    rateClass: 'read',
    readOnlyToken: true,
    isUncounted: true,
    raw: true,
    contentTypes: ['text/event-stream'],
    query: z.strictObject({
      since: z
        .string()
        .max(200)
        .regex(/^[\w.-]*$/)
        .optional()
        .meta({ description: 'The id of the last event, instead of `Last-Event-ID`.' }),
    }),
    responses: { 200: z.unknown() },
  },
});
