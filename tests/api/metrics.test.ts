import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../harness/api.ts';
import { fillHistory } from '../harness/history.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const seriesOf = (text: string) =>
  [...text.matchAll(/^(toprung_\w+)(\{[^}]*\})? (\S+)$/gm)].map(([, name, labels = '', value]) => `${name}${labels} ${value}`);

describe('readings for Prometheus', () => {
  it('are text with a help line each, and tell the day', async () => {
    const me = await api.signUp();
    await fillHistory(api.db.pool, { workspaceId: me.workspaceId, apps: 1, markets: 12, days: 2, lastDay: '2026-11-20' });
    const answer = await api.raw('/metrics', {}, me);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    const series = seriesOf(answer.text);
    expect(series).toContain('toprung_database_up 1');
    expect(series).toContain('toprung_info{version="0.4.0"} 1');
    expect(series.find((line) => line.startsWith('toprung_markets_due{store="ios"}'))).toBe('toprung_markets_due{store="ios"} 12');
    for (const line of series) expect(answer.text).toContain(`# HELP ${line.split(/[ {]/)[0]} `);
  });

  it('leave out what cannot be read', async () => {
    const broken = await startApi({ db: api.db, services: { headroom: { usedBytes: () => Promise.reject(new Error('away')), capBytes: 7 } } });
    const me = await broken.signUp();
    await broken.db.pool.query('delete from workspaces where id <> $1', [me.workspaceId]);
    const names = seriesOf((await broken.raw('/metrics', {}, me)).text).map((line) => line.split(/[ {]/)[0]);
    expect(names).toContain('toprung_queue_capacity_bytes');
    expect(names).not.toContain('toprung_queue_used_bytes');
    expect(names).not.toContain('toprung_queue_waiting');
    await broken.close();
  });

  it('are not there for members, for nobody, and for owners who share the instance where operators are named', async () => {
    const shared = await startApi({ db: api.db, settings: { operatorEmails: ['op@example.org'] } });
    const [owner, member, operator] = [
      await shared.signUp(),
      await shared.signUp({ role: 'member' }),
      await shared.signUp({ email: 'op@example.org' }),
    ];
    const absent = await shared.raw('/no-such-route', {}, owner);
    for (const credential of [owner, member, null]) {
      const answer = await shared.raw('/metrics', {}, credential);
      expect([answer.status, answer.body.code, answer.body.message]).toEqual([404, absent.body.code, absent.body.message]);
    }
    expect((await shared.raw('/metrics', {}, operator)).status).toBe(200);
    await shared.close();
  });
});
