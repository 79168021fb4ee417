import { expect, test } from 'vitest';
import { configureDemo } from '#cli/demo-config.ts';
import { readConfig } from '#config/env.ts';

const simulator = 'http://127.0.0.1:4321';
const demoWith = (environment: Record<string, string>) =>
  configureDemo(readConfig({ DATA_DIR: '/srv/toprung', ...environment }), simulator);

test('the demo uses no proxy, server, directory or secret of the instance in its shell', () => {
  const instance = {
    DATABASE_URL: 'postgres://db.example.org/toprung',
    DATABASE_READ_URL: 'postgres://replica.example.org/toprung',
    QUEUE_URL: 'redis://queue.example.org',
    LIMITS_URL: 'redis://limits.example.org',
    AUTH_SECRET: 'a secret that signs the sessions of an instance',
    ENCRYPTION_KEY: 'a key that encrypts the secrets of an instance',
    BACKUP_DIR: '/srv/backups',
    BACKUP_AT: '01:00',
    BACKUP_S3_URL: 's3://backups/toprung',
    BACKUP_S3_ENDPOINT: 'https://s3.example.org',
    BACKUP_S3_ACCESS_KEY_ID: 'id',
    BACKUP_S3_SECRET_ACCESS_KEY: 'key',
    BACKUP_PASSPHRASE: 'a passphrase of backups in a bucket',
    PARQUET_AT: '04:00',
    PARQUET_DIR: '/srv/parquet',
    STORE_BASE_URL: 'http://stores.example.org',
    SCRAPE_IOS_RPM: '7',
    BILLING_ENABLED: 'true',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_PRICES: 'indie:month=price_1',
    SMTP_URL: 'smtp://mail.example.org',
    MAIL_FROM: 'aso@example.org',
    PUBLIC_URL: 'https://aso.example.org',
    OPERATOR_EMAILS: 'ann@example.org',
    EGRESS_PROXIES: 'http://proxy.example.org:3128',
    WEBHOOK_ALLOWED_SUBNETS: '10.0.0.0/8',
    UPDATE_CHECK_URL: 'https://updates.example.org/newest.json',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://telemetry.example.org:4318',
  };
  const reached = { WEB_PORT: '3999', PUBLIC_URL: 'https://aso.example.org', LOG_LEVEL: 'warn' };
  expect(demoWith({ ...instance, ...reached })).toEqual(demoWith(reached));
  expect(demoWith(instance)).toMatchObject({
    DATA_DIR: '/srv/toprung/demo',
    STORE_BASE_URL: simulator,
    DATABASE_URL: null,
    EGRESS_PROXIES: [],
  });
});
