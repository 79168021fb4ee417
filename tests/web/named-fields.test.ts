import './api.fixtures.ts';
import type { TFunction } from 'i18next';
import { expect, test, vi } from 'vitest';
import { ApiError } from '#client/http.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const { nameFields } = await import('#web/pages/imports-exports/history/use-named-fields.ts');
const t = ((key: string) => `<${key}>`) as TFunction;

const refuse = (...paths: string[]) =>
  nameFields(
    new ApiError({
      statusCode: 400,
      error: 'Bad Request',
      message: `${paths[0]}: too long`,
      code: 'invalid_request',
      path: '/history-imports/1/preview',
      timestamp: '2026-11-21T00:00:00Z',
      issues: paths.map((path) => ({
        path,
        code: 'too_long',
        message: 'too long',
        limit: 40,
        actual: 41,
      })),
    }),
    t,
  );

test.each([
  ['reading.notFound.0', '<history.notFound>'],
  ['reading.columns.date', '<history.field.date>'],
  ['reading.date', '<history.dateOfAll>'],
  ['reading.columns', 'reading.columns'],
  ['importId', 'importId'],
])('a refused setting of a history has its label: %s', (path, label) => {
  const { envelope } = refuse(path, 'reading.depth') as ApiError;
  expect(envelope.message).toBe(`${label}: too long`);
  expect(envelope.issues?.map((issue) => issue.path)).toEqual([label, '<csv.depthOfAll>']);
});

test('any other error stays as it is', () => {
  const error = new TypeError('Failed to fetch');
  expect(nameFields(error, t)).toBe(error);
  expect(nameFields(null, t)).toBeNull();
});
