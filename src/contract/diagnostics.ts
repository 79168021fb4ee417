import { z } from 'zod';

export const doctorChecks = [
  'settings',
  'versions',
  'database',
  'clock',
  'disk',
  'queue',
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
