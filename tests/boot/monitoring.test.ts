import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeSettings, listSecretValues } from '#config/describe-settings.ts';
import { settings, type Setting } from '#config/env.ts';
import { operations } from '#contract/index.ts';
import { parseExact } from '#lib/json.ts';
import { createRedactor } from '#lib/redact.ts';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { seedHistory } from '../harness/history.ts';
import { promtool, startPrometheus } from '../harness/prometheus.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';
import {
  findUnknownNames,
  opsFolder,
  readAlertQueries,
  readDashboardQueries,
  readMetricLabels,
} from './metric-queries.ts';

const marker = 'MARKER-0f3c9';
const operator = 'first@example.org';
const hidden = Object.entries<Setting<unknown>>(settings)
  .filter(([, setting]) => setting.secret || setting.isPersonal)
  .map(([name]) => name);

let db: TestDatabase;
let simulator: Simulator;
let dataDir: string;
let child: Child;
let apiUrl: string;
let token: string;

/** Everything that nobody else may read, in every setting that an API can start with. */
const secretSettings = () => ({
  DATABASE_URL: Object.assign(new URL(db.url), { password: `${marker}-database` }).href,
  DATABASE_READ_URL: `postgres://me:${marker}-replica@127.0.0.1:1/toprung`,
  AUTH_SECRET: `${marker}-auth-secret-of-32-characters`,
  ENCRYPTION_KEY: `${marker}-encryption-key-of-32-characters`,
  BACKUP_PASSPHRASE: `${marker}-passphrase`,
  BACKUP_S3_ACCESS_KEY_ID: `${marker}-access-key`,
  BACKUP_S3_SECRET_ACCESS_KEY: `${marker}-secret-key`,
  STRIPE_SECRET_KEY: `sk_test_${marker}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${marker}`,
  SMTP_URL: `smtp://me:${marker}-smtp@127.0.0.1:1`,
  MAIL_FROM: `Toprung <${marker}@example.org>`,
  EGRESS_PROXIES: `http://me:${marker}-a@127.0.0.1:1,http://me:${marker}-b@127.0.0.1:2`,
  OPERATOR_EMAILS: `${operator},${marker}@example.org`,
  TOPRUNG_TOKEN: `${marker}-token`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${marker}-receiver`,
});

beforeAll(async () => {
  [db, simulator, dataDir] = await Promise.all([
    createTestDatabase(),
    startSimulator({ compress: false }),
    createDataDir(),
  ]);
  child = startToprung(['start', '--role', 'api'], {
    ...productEnvironment(dataDir, simulator),
    ...secretSettings(),
    BACKUP_DIR: dataDir,
    BACKUP_S3_URL: 's3://backups/home',
    BILLING_ENABLED: 'true',
    STRIPE_PRICES: 'indie:month=price_1',
    PUBLIC_URL: 'http://127.0.0.1:3000/aso',
    DAILY_RUN_AT: '03:00',
    DISK_BUDGET_BYTES: '1000000000000',
  });
  const ready = / API: +(\S+)/;
  await child.waitFor(ready);
  apiUrl = ready.exec(child.output())![1]!;
  ({ token } = await signUpAt(apiUrl));
  await seedMetrics();
});
/** Rows behind every metric. */
async function seedMetrics(): Promise<void> {
  const lastDay = new Date().toISOString().slice(0, 10);
  await seedHistory(db.pool, { apps: 1, markets: 3, days: 1, lastDay });
  await db.pool.query(`
    insert into runs (date, opened_at, state) values (now(), now(), 'running')
      on conflict do nothing;
    insert into field_drifts (store, source, field, began_at)
      values ('ios', 'page', 'subtitle', now());
    insert into pacing (store, endpoint, interval_us, next_at, slow_factor)
      values ('ios', '127.0.0.1:1', 4000000, now(), 2);
    insert into backups (scheduled_for, state, started_at, finished_at, path, bytes, rows,
      database_bytes, seconds)
      values (now(), 'succeeded', now(), now(), '/backups/a.backup', 1, 1, 1, 1)`);
}

afterAll(async () => {
  await child.kill('SIGTERM');
  await simulator.close();
  await db.drop();
  await removeDataDir(dataDir);
});

const send = (path: string, init: RequestInit = {}) =>
  fetch(`${apiUrl}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });

test('diagnostics have findings, settings and failures, and no secret or address', async () => {
  const created = await send('/webhooks', {
    method: 'POST',
    body: JSON.stringify({ url: `https://${marker}.example.org/hook`, events: ['rank.dropped'] }),
  });
  expect(created.status).toBe(201);
  const { secret } = (await created.json()) as { secret: string };
  await db.pool.query(
    `insert into jobs (workspace_id, kind, state, error, queued_at, finished_at)
     select id, 'export', 'failed', $1, now(), now() from workspaces limit 1`,
    [
      `could not reach smtp://me:${marker}-smtp@127.0.0.1 for somebody@example.org with ` +
        `password ${marker}-database at https://me:other-pass@example.org/`,
    ],
  );
  await db.pool.query('update workspaces set name = $1', [`${marker} Ltd`]);
  const response = await send('/admin/diagnostics');
  const text = await response.text();
  expect(response.status, text).toBe(200);
  for (const word of [marker, operator, 'somebody@', 'other-pass', token, secret, 'Ltd'])
    expect(text).not.toContain(word);
  const found = operations['GET /admin/diagnostics'].responses[200].parse(parseExact(text));
  expect(found.findings.filter(({ check }) => check === 'database')).toMatchObject([
    { state: 'ok' },
  ]);
  expect(found.findings.some(({ state }) => state === 'error')).toBe(false);
  const settingOf = (name: string) => found.settings.find((setting) => setting.name === name);
  expect(settingOf('DAILY_RUN_AT')).toEqual({
    name: 'DAILY_RUN_AT',
    source: 'environment',
    value: '03:00',
  });
  expect(settingOf('BACKUP_KEEP')).toMatchObject({ source: 'default', value: '7' });
  expect(settingOf('PUBLIC_URL')).toMatchObject({ value: 'http://127.0.0.1:3000/aso' });
  expect(settingOf('AUTH_SECRET')).toEqual({
    name: 'AUTH_SECRET',
    source: 'environment',
    value: null,
  });
  expect(found.counts).toMatchObject({ users: 1, keywords: 3 });
  expect(found.proxies.map(({ endpoint }) => endpoint)).toEqual(['127.0.0.1:1', '127.0.0.1:2']);
  expect(found.failedJobs).toMatchObject([
    { kind: 'export', error: expect.stringContaining('could not reach smtp://[removed]') },
  ]);
});

describe('alert rules and dashboard', () => {
  test('stand beside alerts of the log, each of which is documented', async () => {
    const page = await readFile(`${opsFolder}../docs/operations.md`, 'utf8');
    const source = join(opsFolder, '../src/domain');
    const names = new Set<string>();
    for (const name of await readdir(source, { recursive: true }))
      if (name.endsWith('.ts'))
        for (const [, alert] of (await readFile(join(source, name), 'utf8')).matchAll(
          /\balert: '([a-z.]+)'/g,
        ))
          names.add(alert!);
    expect([...names]).toEqual(expect.arrayContaining(['backup.failed', 'popularity.sync']));
    for (const name of names)
      expect([name, page.includes(`| \`${name}\` |`)]).toEqual([name, true]);
  });

  test('use metrics and labels that GET /metrics has, and none besides', async () => {
    const known = readMetricLabels(await (await send('/metrics')).text());
    const [alerts, panels] = [await readAlertQueries(), await readDashboardQueries()];
    const text = await readFile(`${opsFolder}prometheus/alerts.yml`, 'utf8');
    expect(alerts).toHaveLength(text.split('- alert:').length - 1);
    expect(panels.length).toBeGreaterThan(15);
    for (const query of [...alerts, ...panels])
      expect([query.name, findUnknownNames(query, known)]).toEqual([query.name, []]);
    const unknown = {
      name: '',
      text: 'max by (shop) (toprung_markets{host="a"})',
      shownLabels: [],
    };
    expect(findUnknownNames(unknown, known)).toEqual(['toprung_markets', 'host', 'shop']);
  });

  test('raise each alert when it is due, and none before', (context) => {
    if (promtool === undefined) return context.skip('no promtool here');
    const output = execFileSync(promtool, [
      'test',
      'rules',
      `${opsFolder}prometheus/alerts.test.yml`,
    ]);
    expect(output.toString()).toContain('SUCCESS');
  });

  test('have values for each panel once Prometheus scrapes the product', async (context) => {
    const prometheus = await startPrometheus(apiUrl, token);
    if (prometheus === null) return context.skip('no prometheus here');
    onTestFinished(prometheus.stop);
    for (const { name, text } of await readDashboardQueries())
      await expect
        .poll(async () => [name, (await prometheus.query(text)).length > 0], { timeout: 30_000 })
        .toEqual([name, true]);
    for (const { text } of await readAlertQueries()) await prometheus.query(text);
  });
});

test('no secret setting has a value in the description of settings', () => {
  const environment = Object.fromEntries(hidden.map((name) => [name, `${marker}-${name}`]));
  expect(JSON.stringify(describeSettings(environment, {}))).not.toContain(marker);
  expect(listSecretValues(environment).toSorted()).toEqual(Object.values(environment).toSorted());
});

test('a redactor removes passwords in the form in which a message quotes them', () => {
  const redact = createRedactor(['redis://:p%40ss-word@cache:6379', 'a,second-secret']);
  expect(
    redact({
      list: ['AUTH p@ss-word', 'AUTH p%40ss-word', 'second-secret'],
      count: 9_007_199_254_740_993n,
      nothing: null,
      text: 'a word of me@host and //u:p@host',
    }),
  ).toEqual({
    list: ['AUTH [removed]', 'AUTH [removed]', '[removed]'],
    count: 9_007_199_254_740_993n,
    nothing: null,
    text: 'a word of [removed] and //[removed]@host',
  });
});
