import { eventTypes } from '../contract/choices.ts';
import { event } from '../contract/events.ts';
import { eventMeanings } from '../domain/events/describe-types.ts';
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
    'The event’s `id`: the same for every attempt. Whoever has seen it has seen the event.',
    { type: 'string' },
  ),
  header(
    'webhook-timestamp',
    'When this attempt was signed, in seconds since 1970. Refuse what is older than five minutes.',
    {
      type: 'string',
      pattern: '^\\d+$',
    },
  ),
  header(
    'webhook-signature',
    'One or more of `v1,` and the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`, separated by blanks: ' +
      'one for each secret that is in force.',
    { type: 'string' },
  ),
];

/** What webhooks of the format `standard` are sent, by type: Standard Webhooks 1.0. */
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
          description: eventMeanings[type],
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
                'Taken. Answer within 15 seconds; what the answer says is kept in the log, and not read.',
            },
            '410': { description: 'Gone: the webhook is disabled.' },
            '4XX': { description: 'Not taken: tried again, ten times in three days.' },
            '5XX': { description: 'Not taken: tried again; `Retry-After` counts for 429 and 503.' },
          },
        },
      },
    ]),
  );
}
