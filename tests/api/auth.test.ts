import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../harness/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('a session and a token are two keys to the same door', async () => {
  const ann = await api.signUp();
  const token = await api.token(ann);
  expect((await api.ok('GET /auth/session', null, ann)).credential).toBe('session');
  expect((await api.ok('GET /auth/session', null, token)).credential).toBe('token');
  const nobody = await api.call('GET /workspace');
  expect(nobody.status).toBe(401);
  expect(nobody.body.code).toBe('unauthenticated');
});
