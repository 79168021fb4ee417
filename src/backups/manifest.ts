import { z } from 'zod';

// A backup is one file: a header, a zstd frame with COPY text for each table, a frame with the
// manifest as JSON, and a footer that says where the manifest is. `zstd -dc` prints all of it.

export const formatVersion = 1;

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const hex = z
  .string()
  .regex(/^([0-9a-f]{2})+$/)
  .max(4_096);

const bound = z.string().regex(/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2}(\+00)?)?$/);

/** No more than PostgreSQL writes. */
const verifier = z
  .string()
  .regex(/^SCRAM-SHA-256\$\d{1,9}:[A-Za-z0-9+/=]{1,88}\$[A-Za-z0-9+/=]{44}:[A-Za-z0-9+/=]{44}$/);

const storedReader = z.strictObject({
  login: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/),
  workspaceId: z.int().positive(),
  /** 80 characters, of two code units each. */
  label: z.string().min(1).max(160).nullable(),
  createdAt: z.iso.datetime(),
  verifier: verifier.nullable(),
});

const storedTable = z.strictObject({
  name,
  columns: z.array(name).min(1),
  partitions: z.array(z.strictObject({ name, from: bound, to: bound })),
  rows: count,
  /** Bytes of COPY text, and the sum of the hashes of its rows. */
  bytes: count,
  sha256,
  /** The frame in the file. */
  offset: count,
  length: count,
});

export const manifest = z.strictObject({
  format: z.literal(formatVersion),
  product: z.string().max(100),
  createdAt: z.iso.datetime(),
  postgres: z.string().max(100),
  migrations: z
    .array(z.strictObject({ name: z.string().regex(/^\d{4}_[a-z0-9_]+\.sql$/), hash: sha256 }))
    .min(1),
  sequences: z.array(
    z.strictObject({
      name,
      lastValue: z
        .string()
        .regex(/^\d{1,19}$/)
        .nullable(),
    }),
  ),
  tables: z.array(storedTable),
  /** Logins of other tools. Files of earlier versions have none. */
  readers: z.array(storedReader).default([]),
  /** The secrets of the instance, encrypted with a passphrase. */
  keys: z.strictObject({ salt: hex, nonce: hex, encrypted: hex }).nullable(),
});

export type Manifest = z.infer<typeof manifest>;
export type StoredTable = z.infer<typeof storedTable>;
