import type pg from 'pg';

/** A reader in a backup. */
export interface StoredReader {
  login: string;
  workspaceId: number;
  label: string | null;
  /** An instant in ISO 8601. */
  createdAt: string;
  /** What the server keeps of its password; null in every file that leaves its instance. */
  verifier: string | null;
}

/** What the server keeps of the passwords of readers. Only a superuser may see it. */
export async function readVerifiers(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ login: string; verifier: string }>(
    `select a.rolname::text as login, a.rolpassword as verifier from pg_authid a
     join pg_auth_members m on m.member = a.oid
     where m.roleid = to_regrole('toprung_reader') and a.rolcanlogin
       and a.rolpassword ^@ 'SCRAM-SHA-256$'`,
  );
  return new Map(rows.map(({ login, verifier }) => [login, verifier]));
}

/** Every reader, in the role that sees all workspaces. Older schemas have none. */
export async function readReaders(
  client: pg.ClientBase,
  verifiers: ReadonlyMap<string, string>,
): Promise<StoredReader[]> {
  const { rowCount } = await client.query(
    "select where to_regclass('public.reader_logins') is not null",
  );
  if (rowCount === 0) return [];
  const { rows } = await client.query<
    Omit<StoredReader, 'createdAt' | 'verifier'> & { createdAt: Date }
  >(
    `select login, workspace_id as "workspaceId", label, created_at as "createdAt"
     from reader_logins order by login`,
  );
  return rows.map(({ createdAt, ...reader }) => ({
    ...reader,
    createdAt: createdAt.toISOString(),
    verifier: verifiers.get(reader.login) ?? null,
  }));
}
