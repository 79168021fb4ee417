import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTenant } from '#domain/base/context.ts';
import { loadSettings } from '#domain/tracking/settings/get-settings.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';

let api: TestApi;
let ann: Account;
beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
});
afterAll(() => api.close());

const patch = (body: unknown, who: { headers: Record<string, string> } = ann) =>
  api.raw(
    '/settings',
    {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    },
    who,
  );

describe('settings', () => {
  test('start with defaults, and an update keeps what it does not name', async () => {
    const person = await api.signUp();
    const first = await api.ok('GET /settings', null, person);
    expect(first).toEqual({
      defaultDepth: 200,
      digestDay: 'monday',
      digestHour: 8,
      thresholds: { movePositions: 5, highTraffic: 60, highDifficulty: 60 },
      reviewNegativeMaxRating: 2,
      timezoneForDisplay: 'UTC',
    });
    const changed = await api.ok(
      'PATCH /settings',
      { body: { digestDay: 'friday', thresholds: { movePositions: 3 } } },
      person,
    );
    expect(changed).toEqual({
      ...first,
      digestDay: 'friday',
      thresholds: { ...first.thresholds, movePositions: 3 },
    });
    await api.ok(
      'PATCH /settings',
      { body: { timezoneForDisplay: 'Asia/Kolkata', thresholds: { highTraffic: 70 } } },
      person,
    );
    const last = {
      ...changed,
      timezoneForDisplay: 'Asia/Kolkata',
      thresholds: { ...changed.thresholds, highTraffic: 70 },
    };
    expect(await api.ok('GET /settings', null, person)).toEqual(last);
    expect(await inTenant(person.ctx, (tx) => loadSettings(tx, person.workspaceId))).toEqual(last);
  });

  test('keep both of two concurrent updates', async () => {
    const person = await api.signUp();
    const changes = [
      { digestHour: 3 },
      { digestDay: 'sunday' },
      { thresholds: { movePositions: 9 } },
      { thresholds: { highTraffic: 9 } },
    ] as const;
    await Promise.all(changes.map((body) => api.ok('PATCH /settings', { body }, person)));
    expect(await api.ok('GET /settings', null, person)).toMatchObject({
      digestHour: 3,
      digestDay: 'sunday',
      thresholds: { movePositions: 9, highTraffic: 9 },
    });
  });

  test('belong to one workspace, and a read-only token cannot update them', async () => {
    const bob = await api.signUp();
    await api.ok('PATCH /settings', { body: { digestHour: 20 } }, bob);
    expect((await api.ok('GET /settings', null, ann)).digestHour).toBe(8);
    const reader = await api.token(bob, { readOnly: true });
    expect((await api.ok('GET /settings', null, reader)).digestHour).toBe(20);
    expect((await patch({ digestHour: 1 }, reader)).body.code).toBe('read_only_token');
    expect((await api.ok('GET /settings', null, bob)).digestHour).toBe(20);
  });

  test.each([
    [{ defaultDepth: 0 }],
    [{ defaultDepth: 201 }],
    [{ defaultDepth: '50' }],
    [{ defaultDepth: null }],
    [{ digestDay: 'Monday' }],
    [{ digestDay: 1 }],
    [{ digestHour: 24 }],
    [{ digestHour: -1 }],
    [{ digestHour: 1.5 }],
    [{ thresholds: { movePositions: 0 } }],
    [{ thresholds: { other: 1 } }],
    [{ thresholds: null }],
    [{ reviewNegativeMaxRating: 6 }],
    [{ timezoneForDisplay: 'Mars/Olympus' }],
    [{ timezoneForDisplay: '+05:00' }],
    [{ timezoneForDisplay: 'x'.repeat(10_000) }],
    [{ digestHour: 5, unknown: true }],
    [[]],
  ])('refuse %j and write nothing', async (body) => {
    const before = await describeTables(api);
    const response = await patch(body);
    expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
    expect(await describeTables(api)).toEqual(before);
  });

  test('supply the default depth for new, previewed and imported keywords', async () => {
    const person = await api.signUp();
    const app = await insertApp(api, person);
    await api.ok('PATCH /settings', { body: { defaultDepth: 50 } }, person);
    const params = { id: app.id };
    const body = {
      keywords: [
        { phrase: 'usual', country: 'us' },
        { phrase: 'deep', country: 'us', depth: 120 },
      ],
    };
    const preview = await api.ok('POST /apps/{id}/keywords/preview', { params, body }, person);
    expect(preview.items.map((row) => row.depth)).toEqual([50, 120]);
    const { added } = await api.ok('POST /apps/{id}/keywords', { params, body }, person);
    expect(added.map((keyword) => keyword.depth)).toEqual([50, 120]);
    await api.ok(
      'POST /apps/{id}/keywords/import',
      {
        params,
        body: { format: 'csv', text: 'phrase,country,depth\nimported,us,\nimported deep,us,90' },
      },
      person,
    );
    const { items } = await api.ok('GET /apps/{id}/keywords', { params }, person);
    expect(items.map(({ phrase, depth }) => [phrase, depth])).toEqual([
      ['deep', 120],
      ['imported', 50],
      ['imported deep', 90],
      ['usual', 50],
    ]);
  });
});
