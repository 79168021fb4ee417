import { SetupFault } from '../lib/setup-fault.ts';
import {
  address,
  addresses,
  flag,
  integer,
  list,
  oneOf,
  proxies,
  text,
  timeOfDay,
} from './parsers.ts';
import { findPaymentFaults, origin, prices, stripeKey } from './payments.ts';

interface Setting<T> {
  parse: (text: string) => T;
  /** The text that stands for an unset variable; null: it may stay unset. */
  fallback: string | null;
  meaning: string;
  secret?: true;
}

/** Every setting there is. .env.example and docs/configuration.md are made from this table. */
export const settings = {
  DATA_DIR: {
    parse: text,
    fallback: './data',
    meaning: 'Where the embedded database, generated secrets and logs live.',
  },
  WEB_PORT: {
    parse: integer(0, 65_535),
    fallback: '3000',
    meaning: 'Port of the web origin: the dashboard and /api/backend. 0 takes a free one.',
  },
  API_PORT: {
    parse: integer(0, 65_535),
    fallback: '4000',
    meaning: 'Port of the API itself, on loopback only. 0 takes a free one.',
  },
  WEB_HOST: {
    parse: text,
    fallback: '127.0.0.1',
    meaning: 'Address the web origin listens on; 0.0.0.0 opens it to the network.',
  },
  API_HOST: {
    parse: text,
    fallback: '127.0.0.1',
    meaning: 'Address the API listens on; change it only when web and API run on different hosts.',
  },
  API_URL: {
    parse: address('http:', 'https:'),
    fallback: null,
    meaning: 'Where the web role finds the API when it runs alone, such as http://api:4000.',
  },
  PUBLIC_URL: {
    parse: address('http:', 'https:'),
    fallback: null,
    meaning:
      'The address people use, such as https://aso.example.org. With https, cookies are Secure.',
  },
  DATABASE_URL: {
    parse: address('postgres:', 'postgresql:'),
    fallback: null,
    secret: true,
    meaning: 'A PostgreSQL server, version 18 or later. Unset: an embedded one in DATA_DIR.',
  },
  QUEUE_URL: {
    parse: address('redis:', 'rediss:'),
    fallback: null,
    secret: true,
    meaning:
      'A Redis or Valkey for the queue (maxmemory 192mb, noeviction). Unset: the queue lives in PostgreSQL.',
  },
  AUTH_SECRET: {
    parse: text,
    fallback: null,
    secret: true,
    meaning:
      'Signs session cookies; at least 32 characters. Unset: made once and kept in DATA_DIR. Changing it ends all sessions, never tokens.',
  },
  SECRETS_KEY: {
    parse: text,
    fallback: null,
    secret: true,
    meaning:
      'Seals what must stay readable to us in the database, such as webhook secrets; at least 32 characters. Unset: made once and kept in DATA_DIR. ' +
      'Hosts that share a database share it; changing it makes kept secrets unreadable.',
  },
  STORE_BASE_URL: {
    parse: address('http:', 'https:'),
    fallback: null,
    meaning: 'Sends every store request to this address instead, such as the simulator’s.',
  },
  SCRAPE_IOS_RPM: {
    parse: integer(1, 1_000_000),
    fallback: '15',
    meaning: 'Requests a minute to the iOS store, for each egress address.',
  },
  SCRAPE_ANDROID_RPM: {
    parse: integer(1, 1_000_000),
    fallback: '15',
    meaning: 'Requests a minute to the Android store, for each egress address.',
  },
  DAILY_RUN_AT: {
    parse: timeOfDay,
    fallback: '02:00',
    meaning:
      'UTC time at which the daily run opens; earlier while its work would not be done by midnight.',
  },
  SERP_KEEP_DEPTH: {
    parse: integer(10, 200),
    fallback: '50',
    meaning: 'How many places of each answer are kept as evidence.',
  },
  API_DOCS: {
    parse: oneOf('owner', 'member', 'off'),
    fallback: 'owner',
    meaning: 'Who may read /docs and /docs-json: owners, every member, or nobody.',
  },
  BILLING_ENABLED: {
    parse: flag,
    fallback: 'false',
    meaning: 'Plans, quotas and request limits for each workspace.',
  },
  LIMITS_URL: {
    parse: address('redis:', 'rediss:'),
    fallback: null,
    secret: true,
    meaning:
      'A Redis or Valkey that counts rejected credentials, attempts to sign in and requests against plans, for several API processes; ' +
      'better not the queue’s, which refuses writes when full. Unset: QUEUE_URL, else DATABASE_URL, else memory.',
  },
  API_PROCESSES: {
    parse: integer(1, 1_000),
    fallback: '1',
    meaning:
      'How many API processes share the plans’ limits. While their counters are away, each keeps to its part.',
  },
  STRIPE_SECRET_KEY: {
    parse: stripeKey(
      /^[sr]k_\S+$/,
      'a secret or restricted key of Stripe, starting with sk_ or rk_',
    ),
    fallback: null,
    secret: true,
    meaning:
      'Stripe’s key, to sell plans (docs/billing.md). Needs BILLING_ENABLED. Unset: plans are set by hand.',
  },
  STRIPE_WEBHOOK_SECRET: {
    parse: stripeKey(/^whsec_\S+$/, 'a signing secret of Stripe, starting with whsec_'),
    fallback: null,
    secret: true,
    meaning: 'What Stripe signs its events with; goes with STRIPE_SECRET_KEY.',
  },
  STRIPE_PRICES: {
    parse: prices,
    fallback: '',
    meaning:
      'What is sold, such as indie:month=price_1,ultimate:year=price_2. Of several prices for the same, the first is sold and the others are known still.',
  },
  STRIPE_BASE_URL: {
    parse: origin,
    fallback: null,
    meaning: 'Sends every request for Stripe to this address instead, such as a stand-in’s.',
  },
  LIMITS_WAIT_MS: {
    parse: integer(1, 10_000),
    fallback: '50',
    meaning: 'How long a request waits for silent counters before its process counts by itself.',
  },
  OPERATOR_EMAILS: {
    parse: list,
    fallback: '',
    meaning:
      'E-mail addresses of those who run this instance, separated by commas. Each counts once it is confirmed: by a mailed link, by ' +
      '`toprung user confirm`, or because it is the very first account’s.',
  },
  SIGN_UP: {
    parse: oneOf('invite', 'open', 'closed'),
    fallback: 'invite',
    meaning:
      'Who may make an account: `invite` who was invited to a workspace, `open` everybody, `closed` nobody, and no invitation is made or accepted. ' +
      'The very first account can always be made, on the machine itself or with the setup token.',
  },
  DISK_BUDGET_BYTES: {
    parse: integer(0, Number.MAX_SAFE_INTEGER),
    fallback: '0',
    meaning:
      'Storage the database may use: the log warns at 80 %, and says an error at 90 %, with the alert storage.headroom.low. 0: no alert.',
  },
  TRUST_PROXY: {
    parse: proxies,
    fallback: '',
    meaning: 'Addresses or subnets of reverse proxies whose X-Forwarded-For is believed.',
  },
  WEBHOOK_ALLOWED_SUBNETS: {
    parse: proxies,
    fallback: '',
    meaning:
      'Private subnets that webhooks may reach; hosts there by their full names, for search domains are not tried.',
  },
  SMTP_URL: {
    parse: address('smtp:', 'smtps:'),
    fallback: null,
    secret: true,
    meaning:
      'The server that mail leaves through, such as smtp://user:password@mail.example.org:587. Unset: no mail, and nothing needs it.',
  },
  MAIL_FROM: {
    parse: text,
    fallback: null,
    meaning: 'Who mail comes from, such as Toprung <aso@example.org>. Needed with SMTP_URL.',
  },
  EGRESS_PROXIES: {
    parse: addresses('http:', 'https:'),
    fallback: '',
    secret: true,
    meaning:
      'HTTP proxies that store requests leave through, separated by commas; each has its own pace.',
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
      'Where `toprung mcp` finds a running instance: the address that you open in a browser, such as http://localhost:3000.',
  },
  TOPRUNG_TOKEN: {
    parse: text,
    fallback: null,
    secret: true,
    meaning:
      'The API token that `toprung mcp` sends; a read-only one has only tools that change nothing.',
  },
  QUEUE_STALL_SECONDS: {
    parse: integer(1, 600),
    fallback: '30',
    meaning: 'After how long the work of a killed worker is taken up by another.',
  },
  LOG_LEVEL: {
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
    fallback: 'info',
    meaning: 'What is logged, as JSON lines on stderr.',
  },
} as const satisfies Record<string, Setting<unknown>>;

type Table = typeof settings;
export type SettingName = keyof Table;
type Parsed<K extends SettingName> =
  | ReturnType<Table[K]['parse']>
  | (Table[K]['fallback'] extends null ? null : never);
export type Config = { readonly [K in SettingName]: Parsed<K> };

export class ConfigError extends SetupFault {}

/** Reads the environment once; every fault is named in one message. An empty value counts as unset. */
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
  if (config.SECRETS_KEY !== null && config.SECRETS_KEY.length < 32)
    faults.push('SECRETS_KEY must have at least 32 characters');
  if (config.SMTP_URL !== null && config.MAIL_FROM === null)
    faults.push('MAIL_FROM must be set where SMTP_URL is');
  faults.push(...findPaymentFaults(config));
  if (faults.length > 0) throw new ConfigError(`Settings to correct:\n  ${faults.join('\n  ')}`);
  return config;
}
