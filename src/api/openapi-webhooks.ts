import { eventTypes } from '#contract/choices.ts';
import { event } from '#contract/events.ts';
import { eventDefinitions } from '#contract/events/event-definitions.ts';
import { schemaOf, type Json } from './openapi-schemas.ts';

const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const signing: Json[] = [
  header(
    'webhook-id',
    'The event’s `id`: the same for every attempt, so that receivers can drop duplicates.',
    { type: 'string' },
  ),
  header(
    'webhook-timestamp',
    'The time of this attempt’s signature, in seconds since 1970. Reject attempts older than ' +
      'five minutes.',
    {
      type: 'string',
      pattern: '^\\d+$',
    },
  ),
  header(
    'webhook-signature',
    'One or more of `v1,` and the base64 of HMAC-SHA256 over ' +
      '`webhook-id.webhook-timestamp.body`, separated by spaces: one for each active secret.',
    { type: 'string' },
  ),
];

/** The bodies of webhooks in the format `standard`, by type: Standard Webhooks 1.0. */
export function describeWebhooks(components: Record<string, Json>): Json {
  const whole = schemaOf(event, 'output', components);
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on${type
            .split('.')
            .map((word) => word[0]!.toUpperCase() + word.slice(1))
            .join('')}`,
          summary: type,
          description: eventDefinitions[type].description,
          tags: ['webhooks'],
          security: [],
          parameters: signing,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  allOf: [whole, { type: 'object', properties: { type: { const: type } } }],
                },
              },
            },
          },
          responses: {
            '2XX': {
              description:
                'Accepted. Respond within 15 seconds; the response is stored in the log and ' +
                'not interpreted.',
            },
            '410': { description: 'Gone: the webhook is disabled.' },
            '4XX': { description: 'Not accepted: retried, ten times in three days.' },
            '5XX': { description: 'Not accepted: retried; `Retry-After` counts for 429 and 503.' },
          },
        },
      },
    ]),
  );
}
