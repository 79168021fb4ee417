import { SetupError } from '#lib/setup-error.ts';
import {
  address,
  addresses,
  flag,
  integer,
  list,
  loginAddress,
  longText,
  oneOf,
  proxies,
  text,
  timeOfDay,
} from './parsers.ts';
import { addressSettings } from './address-settings.ts';
import { backupSettings, findBackupSettingErrors } from './backup-settings.ts';
import { databaseSettings, findDatabaseSettingErrors } from './database-settings.ts';
import { parquetSettings } from './parquet-settings.ts';
import { readerSettings } from './reader-settings.ts';
import { paceSettings } from './pace-settings.ts';
import { providerSettings } from './provider-settings.ts';
import { retentionSettings } from './retention-settings.ts';
import { findMailSettingErrors, mailSettings } from './mail-settings.ts';
import { updateSettings } from './update-settings.ts';
import { telemetrySettings } from './telemetry-settings.ts';
import { findPaymentSettingErrors, origin, prices, stripeKey } from './payment-settings.ts';

export interface Setting<T> {
  parse: (text: string) => T;
  /** The default text of an unset variable; null when it may stay unset. */
  fallback: string | null;
  meaning: string;
  secret?: true;
  /** Names people, so it is left out of diagnostics as secrets are. */
  isPersonal?: true;
}

/** Every setting. .env.example and docs/configuration.md are generated from this table. */
export const settings = {
  DATA_DIR: {
    parse: text,
    fallback: './data',
    meaning: 'The directory of the embedded database, generated secrets and logs.',
  },
  ...addressSettings,
  ...databaseSettings,
  QUEUE_URL: {
    parse: loginAddress('redis:', 'rediss:'),
    fallback: null,
    secret: true,
    meaning:
      'A Redis or Valkey for the queue (maxmemory 192mb, noeviction). Unset: the queue lives ' +
      'in PostgreSQL.',
  },
  AUTH_SECRET: {
    parse: text,
    fallback: null,
    secret: true,
    meaning:
      'Signs session cookies; at least 32 characters. Unset: generated once and stored in ' +
      'DATA_DIR. Changing it ends all sessions, never tokens.',
  },
  ENCRYPTION_KEY: {
    parse: text,
    fallback: null,
    secret: true,
    meaning:
      'Encrypts stored secrets such as those of webhooks; at least 32 characters. Unset: ' +
      'generated once and stored in DATA_DIR. Hosts that share a database must share it; ' +
      'after a change stored secrets cannot be read.',
  },
  ...backupSettings,
  ...readerSettings,
  ...parquetSettings,
  STORE_BASE_URL: {
    parse: address('http:', 'https:'),
    fallback: null,
    meaning: 'Sends every store request to this address instead, such as the simulator’s.',
  },
  ...paceSettings,
  ...providerSettings,
  SCRAPE_COMPARISON_PERCENT: {
    parse: integer(0, 100),
    fallback: '1',
    meaning:
      'The percentage of markets that are searched with a second provider once a week, to ' +
      'measure how far the orders of two providers are apart. 0 for none.',
  },
  DAILY_RUN_AT: {
    parse: timeOfDay,
    fallback: '02:00',
    meaning:
      'UTC time at which the daily run opens; it opens earlier when its work would not be ' +
      'done by midnight.',
  },
  ...retentionSettings,
  API_DOCS: {
    parse: oneOf('owner', 'member', 'off'),
    fallback: 'owner',
    meaning:
      'Readers of /docs and /docs-json: owner (owners), member (every member) or off (nobody).',
  },
  BILLING_ENABLED: {
    parse: flag,
    fallback: 'false',
    meaning: 'Enables plans, quotas and rate limits per workspace.',
  },
  LIMITS_URL: {
    parse: loginAddress('redis:', 'rediss:'),
    fallback: null,
    secret: true,
    meaning:
      'A Redis or Valkey that counts rejected credentials, attempts to sign in and requests ' +
      'against plans, for several API processes; ' +
      'preferably not the queue’s, which refuses writes when full. Unset: QUEUE_URL, else ' +
      'DATABASE_URL, else memory.',
  },
  API_PROCESSES: {
    parse: integer(1, 1_000),
    fallback: '1',
    meaning:
      'The number of API processes that share the plans’ limits. While the shared counters ' +
      'are unavailable, each process applies its share.',
  },
  STRIPE_SECRET_KEY: {
    parse: stripeKey(
      /^[sr]k_\S+$/,
      'a secret or restricted key of Stripe, starting with sk_ or rk_',
    ),
    fallback: null,
    secret: true,
    meaning:
      'Stripe’s key, to sell plans (docs/billing.md). Needs BILLING_ENABLED. Unset: plans ' +
      'are set manually.',
  },
  STRIPE_WEBHOOK_SECRET: {
    parse: stripeKey(/^whsec_\S+$/, 'a signing secret of Stripe, starting with whsec_'),
    fallback: null,
    secret: true,
    meaning: 'Verifies events from Stripe; needed with STRIPE_SECRET_KEY.',
  },
  STRIPE_PRICES: {
    parse: prices,
    fallback: '',
    meaning:
      'Prices for sale, such as indie:month=price_1,ultimate:year=price_2. Of several prices ' +
      'for the same plan the first is sold; the others stay known.',
  },
  STRIPE_BASE_URL: {
    parse: origin,
    fallback: null,
    meaning: 'Sends every request for Stripe to this address instead, such as a test server’s.',
  },
  LIMITS_TIMEOUT_MS: {
    parse: integer(1, 10_000),
    fallback: '50',
    meaning: 'How long a request waits for shared counters before its process counts alone.',
  },
  OPERATOR_EMAILS: {
    parse: list,
    fallback: '',
    isPersonal: true,
    meaning:
      'E-mail addresses of the operators, separated by commas. Each counts once it is ' +
      'confirmed: by a mailed link, by `toprung user confirm`, or as the first account.',
  },
  SIGN_UP: {
    parse: oneOf('invite', 'open', 'closed'),
    fallback: 'invite',
    meaning:
      'Who may create an account: `invite` only invited users, `open` everybody, `closed` ' +
      'nobody; then invitations cannot be created or accepted either. The first account can ' +
      'always be created, on the machine itself or with the setup token.',
  },
  SETUP_TOKEN: {
    parse: longText(16),
    fallback: null,
    secret: true,
    meaning:
      'Creates the first account from another machine; at least 16 characters. Unset: it is ' +
      'derived from AUTH_SECRET, and each start shows it until there is an account.',
  },
  DISK_BUDGET_BYTES: {
    parse: integer(0, Number.MAX_SAFE_INTEGER),
    fallback: '0',
    meaning:
      'Storage the database may use: the log warns at 80 % and reports an error at 90 %, ' +
      'with the alert storage.headroom.low. 0: no alert.',
  },
  TRUST_PROXY: {
    parse: proxies,
    fallback: '',
    meaning: 'Addresses or subnets of reverse proxies whose X-Forwarded-For is trusted.',
  },
  WEBHOOK_ALLOWED_SUBNETS: {
    parse: proxies,
    fallback: '',
    meaning:
      'Private subnets, and public addresses of this machine, that webhooks may reach; use fully ' +
      'qualified host names, because search domains are not tried.',
  },
  ...mailSettings,
  EGRESS_PROXIES: {
    parse: addresses('http:', 'https:'),
    fallback: '',
    secret: true,
    meaning: 'HTTP proxies for store requests, separated by commas; each has its own pace.',
  },
  INSECURE_COOKIES: {
    parse: flag,
    fallback: 'false',
    meaning: 'Allows sessions over plain http from other machines. Only for a network you trust.',
  },
  TOPRUNG_URL: {
    parse: address('http:', 'https:'),
    fallback: null,
    meaning:
      'The running instance for the commands of work, such as `toprung keywords` and `toprung ' +
      'mcp`: the address that you open in a browser, such as http://localhost:3000. Unset: that ' +
      'of `toprung login`.',
  },
  TOPRUNG_TOKEN: {
    parse: text,
    fallback: null,
    secret: true,
    meaning:
      'The API token that these commands send; with a read-only one, nothing can be changed. ' +
      'Unset: that of `toprung login`.',
  },
  QUEUE_STALL_SECONDS: {
    parse: integer(1, 600),
    fallback: '10',
    meaning:
      'How often the work of killed workers is taken over: within three times as long. With the ' +
      'embedded database the next start takes it over at once.',
  },
  ...updateSettings,
  ...telemetrySettings,
  LOG_LEVEL: {
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
    fallback: 'info',
    meaning:
      'The least severe level of log messages, JSON lines on stderr: debug, info, warn, error, ' +
      'fatal, or silent for none.',
  },
} as const satisfies Record<string, Setting<unknown>>;

type Table = typeof settings;
export type SettingName = keyof Table;
type Parsed<K extends SettingName> =
  | ReturnType<Table[K]['parse']>
  | (Table[K]['fallback'] extends null ? null : never);
export type Config = { readonly [K in SettingName]: Parsed<K> };

/** Each fault says what a setting must be. */
export class ConfigError extends SetupError {
  constructor(faults: readonly string[]) {
    super(`Settings to correct:\n  ${faults.join('\n  ')}`);
  }
}

/**
 * Reads the environment once and reports all errors in one message. An empty value counts as unset.
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const faults: string[] = [];
  const values = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const given = environment[name]?.trim() || setting.fallback;
    if (given === null) return [name, null];
    try {
      return [name, setting.parse(given)];
    } catch (error) {
      faults.push(`${name} must be ${(error as Error).message}`);
      return [name, null];
    }
  });
  const config = Object.fromEntries(values) as Config;
  if (config.AUTH_SECRET !== null && config.AUTH_SECRET.length < 32)
    faults.push('AUTH_SECRET must have at least 32 characters');
  if (config.ENCRYPTION_KEY !== null && config.ENCRYPTION_KEY.length < 32)
    faults.push('ENCRYPTION_KEY must have at least 32 characters');
  faults.push(
    ...findDatabaseSettingErrors(config),
    ...findBackupSettingErrors(config),
    ...findMailSettingErrors(config),
    ...findPaymentSettingErrors(config),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}
