import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { buildOpenApi } from '#api/openapi.ts';
import { eventTypes } from '#contract/choices.ts';
import { eventSamples } from '#contract/events.ts';

/** Only the server can distinguish two paths of webhooks: the number is before or after a word. */
const accepted = new Set(['no-ambiguous-paths']);

async function lint(document: object) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config,
  });
  return problems.map(({ severity, ruleId, message, location }) => ({
    severity,
    ruleId,
    message,
    at: location[0]?.pointer,
  }));
}

test('the description passes a public linter without errors or new warnings', async () => {
  const problems = await lint(buildOpenApi());
  expect(
    problems.filter(({ severity, ruleId }) => severity === 'error' || !accepted.has(ruleId)),
  ).toEqual([]);
});

test('the linter finds unused parameters, dangling references and duplicate names', async () => {
  const document = structuredClone(buildOpenApi()) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  document.paths['/apps']!['get']!['parameters'] = [{ name: 'q', in: 'nowhere', schema: {} }];
  document.paths['/tokens']!['get']!['operationId'] =
    document.paths['/apps']!['post']!['operationId'];
  document.paths['/settings']!['get']!['responses'] = {
    200: { $ref: '#/components/responses/Nothing' },
  };
  const rules = (await lint(document))
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId }) => ruleId);
  expect(rules).toEqual(
    expect.arrayContaining(['no-unresolved-refs', 'operation-operationId-unique', 'struct']),
  );
});

interface DescribedWebhook {
  post: {
    parameters: { name: string }[];
    requestBody: { content: { 'application/json': { schema: { allOf: object[] } } } };
  };
}

test('describes all webhook types, signed, each with its own data', () => {
  const { webhooks, components } = buildOpenApi() as unknown as {
    webhooks: Record<string, DescribedWebhook>;
    components: {
      schemas: Record<
        string,
        { oneOf?: { properties: { type: { const: string }; data: object } }[] }
      >;
    };
  };
  expect(Object.keys(webhooks).toSorted()).toEqual(Object.keys(eventSamples).toSorted());
  for (const type of eventTypes) {
    const { parameters, requestBody } = webhooks[type]!.post;
    expect(parameters.map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    expect(requestBody.content['application/json'].schema.allOf[1]).toEqual({
      type: 'object',
      properties: { type: { const: type } },
    });
  }
  const members = components.schemas.Event!.oneOf!.map(({ properties }) => [
    properties.type.const,
    Object.keys(properties.data).length > 0,
  ]);
  expect(members).toEqual(eventTypes.map((type) => [type, true]));
});
