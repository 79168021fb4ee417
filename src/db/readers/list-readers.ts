import { withReaderClient, asSystem, inReaderTransaction } from './reader-client.ts';

export interface Reader {
  login: string;
  /** Null: its workspace was deleted, so it reads nothing. */
  workspaceId: number | null;
  workspace: string | null;
  label: string | null;
  createdAt: Date | null;
  /** False after a restore, until it has a password. */
  canLogIn: boolean;
  connections: number;
}

/** Every login that is bound to a workspace or may read the views, by workspace. */
export function listReaders(url: string): Promise<Reader[]> {
  return withReaderClient(url, (client) =>
    inReaderTransaction(client, () =>
      asSystem<Reader>(
        client,
        `select login, r.workspace_id as "workspaceId", w.name as workspace, r.label,
           r.created_at as "createdAt", coalesce(p.rolcanlogin, false) as "canLogIn",
           (select count(*)::int from pg_stat_activity s where s.usename = login) as connections
         from reader_logins r
         full join (
           select p.rolname::text as login, p.rolcanlogin from pg_roles p
           join pg_auth_members m on m.member = p.oid
           where m.roleid = to_regrole('toprung_reader') and p.rolcanlogin
         ) p using (login)
         left join workspaces w on w.id = r.workspace_id
         order by r.workspace_id nulls last, r.created_at, login`,
        [],
      ),
    ),
  );
}
