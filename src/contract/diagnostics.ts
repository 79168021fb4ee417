import { z } from 'zod';
import { bigInteger, instant, utcDay } from './common.ts';

export const doctorChecks = [
  'settings',
  'versions',
  'database',
  'replica',
  'clock',
  'disk',
  'queue',
  'limits',
  'mail',
  'proxies',
  'stores',
  'backups',
] as const;

export const finding = z
  .strictObject({
    check: z.enum(doctorChecks),
    state: z.enum(['ok', 'warning', 'error', 'skipped']),
    message: z.string(),
    remedy: z.string().nullable().meta({ description: 'The next step; null when all is well.' }),
  })
  .meta({ id: 'DoctorFinding' });

export type Finding = z.output<typeof finding>;

export const describedSetting = z.strictObject({
  name: z.string(),
  source: z.enum(['environment', 'file', 'default', 'unset']).meta({
    description: '`file` is `.env`.',
  }),
  value: z.string().nullable().meta({
    description: 'null for secrets, for addresses of people, and for what is unset.',
  }),
});

export type DescribedSetting = z.output<typeof describedSetting>;

const facts = z.record(z.string(), z.unknown());

export const instanceRecord = z.strictObject({
  counts: z.strictObject({
    users: z.int(),
    workspaces: z.int(),
    apps: z.int(),
    keywords: z.int(),
    markets: z.int(),
    webhooks: z.int(),
  }),
  tables: z
    .array(z.strictObject({ name: z.string(), rows: bigInteger, bytes: bigInteger }))
    .meta({ description: 'The largest tables; their rows are an estimate.' }),
  runs: z.array(
    z.strictObject({
      date: utcDay,
      state: z.string(),
      openedAt: instant,
      finishedAt: instant.nullable(),
      pressure: facts,
      shed: facts,
    }),
  ),
  failedJobs: z.array(
    z.strictObject({
      id: bigInteger,
      kind: z.string(),
      error: z.string().nullable(),
      attempts: z.int(),
      finishedAt: instant.nullable(),
    }),
  ),
  deadLetters: z.array(
    z.strictObject({ id: bigInteger, queue: z.string(), deadLetteredAt: instant }),
  ),
});
