import { describe, expect, test } from 'vitest';
import { buildOpenApi } from '#api/openapi.ts';
import { noteKeyOf } from '#api/openapi-parameters.ts';
import { operationList } from '#contract/index.ts';
import { parameterNotes } from '#contract/parameter-notes.ts';
import { readDescription, type Schema } from '../harness/openapi.ts';

interface Described {
  summary: string;
  description: string;
  tags: string[];
  parameters?: {
    name: string;
    in: string;
    description?: string;
    example?: unknown;
    required: boolean;
    schema: Schema;
  }[];
  responses: Record<string, { headers?: Record<string, unknown> }>;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

const document = buildOpenApi() as unknown as {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { responses: Record<string, { headers: Record<string, unknown> }> };
};
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    key: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

describe('the OpenAPI description', () => {
  test('describes every operation in whole sentences', () => {
    const bare = described.filter(
      ({ operation: { description, summary } }) =>
        !/^[A-Z].{20,}\.$/s.test(description) || description === summary,
    );
    expect(bare.map(({ key }) => key)).toEqual([]);
  });

  test('describes every parameter, with an example that its schema accepts', () => {
    const { isValid } = readDescription();
    const faults = operationList.flatMap(([key, operation]) =>
      (described.find((one) => one.key === key)!.operation.parameters ?? []).flatMap(
        ({ name, in: location, description, example, schema: published }) => {
          if (!/^.{8,}\.$/s.test(description ?? '')) return [`${key} ${name}: no description`];
          if (location === 'header') return example === undefined ? [`${key} ${name}`] : [];
          const schema = location === 'path' ? operation.params : operation.query;
          const shape = (schema as unknown as { shape: Record<string, typeof schema> }).shape;
          const { success } = shape[name]!.safeParse(String(example));
          // A path or a query is text, so the first check accepts '12' for a number.
          const isAccepted = success && isValid(published, example);
          return isAccepted ? [] : [`${key} ${name}: ${String(example)}`];
        },
      ),
    );
    expect(faults).toEqual([]);
  });

  test('describes no required parameter as a filter, and a country with its default', () => {
    const parameters = described.flatMap(({ key, operation }) =>
      (operation.parameters ?? []).map((parameter) => ({ key, ...parameter })),
    );
    const filters = parameters.filter(
      ({ required, description }) => required && description?.startsWith('Only '),
    );
    expect(filters.map(({ key, name }) => `${key} ${name}`)).toEqual([]);
    const byDefault = parameters.filter(
      ({ name, description }) => name === 'country' && description?.includes('primary country'),
    );
    expect(byDefault.map(({ key }) => key).toSorted()).toEqual([
      'GET /apps/{id}/compare',
      'GET /apps/{id}/keyword-field/analysis',
      'GET /apps/{id}/keyword-suggestions',
      'GET /apps/{id}/locale-coverage',
      'POST /apps/{id}/keyword-field/preview',
      'POST /apps/{id}/locale-coverage/preview',
    ]);
  });

  test('has one name for a state, a search text, a phrase and a list of keywords', () => {
    const others = ['status', 'search', 'query', 'term', 'seed', 'event', 'keyword', 'keywordId'];
    const named = described.flatMap(({ key, operation }) =>
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query' && others.includes(parameter.name))
        .map(({ name }) => `${key} ${name}`),
    );
    expect(named).toEqual([]);
  });

  test('has no note that no parameter uses', () => {
    const used = new Set(
      described.flatMap(({ key, operation }) =>
        (operation.parameters ?? [])
          .filter(({ in: location }) => location !== 'header')
          .map(({ name, in: location }) => noteKeyOf(key, location as 'path' | 'query', name)),
      ),
    );
    expect(Object.keys(parameterNotes).filter((name) => !used.has(name))).toEqual([]);
  });

  test('has an example of every body, which the body accepts', () => {
    const faults = operationList.flatMap(([key, { body, example, signed }]) => {
      // A signed body is read as bytes.
      if (signed) return [];
      if (!body) return example === undefined ? [] : [`${key} needs no example`];
      const issues = body.safeParse(example).error?.issues;
      return example === undefined || issues ? [`${key}: ${JSON.stringify(issues)}`] : [];
    });
    expect(faults).toEqual([]);
  });

  test('has a tag for each noun, and no tag without an operation', () => {
    const used = new Set(described.flatMap(({ operation }) => operation.tags));
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
    expect(described.filter(({ operation }) => operation.tags[0] === 'apps')).toHaveLength(10);
  });

  test('states the limits of keywords and of the keyword field', () => {
    const { operations, isValid } = readDescription();
    const bodyOf = (key: string) => operations.find((one) => one.key === key)!.body!;
    const add = bodyOf('POST /apps/{id}/keywords');
    const adds = (count: number, phrase: string, country = 'us') =>
      isValid(add, { keywords: Array.from({ length: count }, () => ({ phrase, country })) });
    expect([adds(200, 'x'.repeat(100)), adds(201, 'x'), adds(1, 'x'.repeat(101))]).toEqual([
      true,
      false,
      false,
    ]);
    expect(adds(1, 'x', 'US')).toBe(false);
    const field = bodyOf('PUT /apps/{id}/keyword-field');
    expect([1_000, 1_001].map((length) => isValid(field, { text: 'x'.repeat(length) }))).toEqual([
      true,
      false,
    ]);
    expect(JSON.stringify(add)).toContain('"default":200');
  });

  test('states the limits of new passwords, and no other for the current one', () => {
    const { operations, isValid } = readDescription();
    const bodyOf = (key: string) => operations.find((one) => one.key === key)!.body!;
    const change = bodyOf('POST /auth/password');
    const changes = (current: string, next: string) => isValid(change, { current, next });
    expect([changes('x', 'y'.repeat(128)), changes('x'.repeat(512), '1234')]).toEqual([true, true]);
    expect([changes('x', 'y'.repeat(129)), changes('x', '12')]).toEqual([false, false]);
    for (const key of [
      'POST /auth/sign-up',
      'POST /auth/password/reset',
      'POST /auth/invites/{token}/accept',
    ])
      expect([key, bodyOf(key).properties!.password]).toMatchObject([key, { maxLength: 128 }]);
  });

  test('requires a body where the operation does', () => {
    const { operations } = readDescription();
    const optional = operations.filter(({ body, bodyRequired }) => body !== null && !bodyRequired);
    expect(optional.map(({ key }) => key).toSorted()).toEqual(
      operationList
        .flatMap(([key, { body }]) => (body?.safeParse(undefined).success ? [key] : []))
        .toSorted(),
    );
    expect(optional).toHaveLength(3);
  });

  test('has the headers of a picture, which may be unchanged or come later', () => {
    const { responses } = document.paths['/images']!.get!;
    const headersOf = (status: string) => Object.keys(responses[status]?.headers ?? {});
    expect([headersOf('200'), headersOf('304'), headersOf('202')]).toEqual([
      expect.arrayContaining(['ETag']),
      expect.arrayContaining(['ETag']),
      expect.arrayContaining(['Retry-After']),
    ]);
  });

  test('pages every list in the same way', () => {
    const schemas = readDescription().schemas;
    const isList = ({ responses }: Described) => {
      const schema = (responses['200'] as Content | undefined)?.content?.['application/json']
        ?.schema;
      const name = schema?.$ref?.split('/').at(-1);
      return 'nextCursor' in ((name ? schemas[name] : schema)?.properties ?? {});
    };
    const lists = described.filter(({ operation }) => isList(operation));
    const faults = lists.filter(({ operation }) => {
      const names = operation.parameters?.map(({ name }) => name) ?? [];
      return !names.includes('limit') || !names.includes('cursor');
    });
    expect(lists.length).toBeGreaterThan(40);
    expect(faults.map(({ key }) => key)).toEqual([]);
  });

  test('names the rate-limit headers on every response', () => {
    const names = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'];
    const responses = [
      ...described.flatMap(({ operation }) => Object.values(operation.responses)),
      ...Object.values(document.components.responses),
    ].filter((response) => !('$ref' in response));
    for (const { headers } of responses)
      expect(Object.keys(headers!)).toEqual(expect.arrayContaining(names));
  });

  test('has pages on paging, idempotency, webhook verification and errors', () => {
    for (const page of ['Paging', 'Idempotency', 'Webhook verification', 'Errors'])
      expect(document.info.description).toContain(`\n# ${page}\n`);
    expect(document.info.description).toContain("{ format: 'raw' }");
  });
});
