import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { Role } from './members.ts';

export interface InviteRow {
  id: number;
  email: string;
  role: Role;
  /** Null when the inviting person is no longer a member. */
  invitedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Invitations that were not accepted, including expired ones, newest first. System role: the names
 * of the inviting people belong to users.
 */
export async function listInvites(db: Db | Tx, workspaceId: number): Promise<InviteRow[]> {
  const { rows } = await sql<Row<'list-invites', InviteRow, 'role'>>`
    select i.id, i.email, i.role, u.email as "invitedBy", i.created_at as "createdAt",
      i.expires_at as "expiresAt"
    from invites i left join users u on u.id = i.invited_by
    where i.workspace_id = ${workspaceId} and i.accepted_at is null
    order by i.id desc limit 500`.execute(db);
  return rows;
}

/** Seats taken or promised: members, and invitations that can still be accepted. */
export async function countSeats(tx: Tx, workspaceId: number, now: Date): Promise<number> {
  const { rows } = await sql<Row<'count-seats'>>`
    select (select count(*) from memberships where workspace_id = ${workspaceId})::int +
      (select count(*) from invites where workspace_id = ${workspaceId} and accepted_at is null
        and expires_at > ${now})::int as seats`.execute(tx);
  return rows[0]!.seats;
}

export interface NewInvite {
  workspaceId: number;
  email: string;
  role: Role;
  secretHash: Buffer;
  invitedBy: number;
  createdAt: Date;
  expiresAt: Date;
}

export async function insertInvite(tx: Tx, invite: NewInvite): Promise<number> {
  const { workspaceId, email, role, secretHash, invitedBy, createdAt, expiresAt } = invite;
  const { rows } = await sql<Row<'insert-invite'>>`
    insert into invites (workspace_id, email, role, secret_hash, invited_by, created_at, expires_at)
    values (${workspaceId}, ${email}, ${role}, ${secretHash}, ${invitedBy}, ${createdAt},
      ${expiresAt}) returning id`.execute(tx);
  return rows[0]!.id;
}

/**
 * Returns false and records nothing when the workspace, or the address in any workspace, has had
 * `max` such mails since `since`.
 */
export async function insertInviteMail(
  tx: Tx,
  mail: { workspaceId: number; email: string; sentAt: Date },
  { since, max }: { since: Date; max: { workspace: number; address: number } },
): Promise<boolean> {
  const { workspaceId, email, sentAt } = mail;
  await sql`select pg_advisory_xact_lock(hashtext('invite_mails'), hashtext(${email}))`.execute(tx);
  const { rows } = await sql`
    insert into invite_mails (workspace_id, email, sent_at)
      select ${workspaceId}, ${email}, ${sentAt}
    where (select count(*) from invite_mails where workspace_id = ${workspaceId}
      and sent_at > ${since}) < ${max.workspace}
      and (select count(*) from invite_mails where email = ${email}
        and sent_at > ${since}) < ${max.address}
    returning 1`.execute(tx);
  return rows.length === 1;
}

/** A new invitation replaces older ones to the same address. */
export async function deleteInvitesTo(tx: Tx, workspaceId: number, email: string): Promise<void> {
  await sql`
    delete from invites where workspace_id = ${workspaceId} and email = ${email}
      and accepted_at is null`.execute(tx);
}

/** Returns the invited address; undefined when there is no invitation left to revoke. */
export async function deleteInvite(
  tx: Tx,
  workspaceId: number,
  inviteId: number,
): Promise<string | undefined> {
  const { rows } = await sql<Row<'delete-invite'>>`
    delete from invites where workspace_id = ${workspaceId} and id = ${inviteId}
      and accepted_at is null returning email`.execute(tx);
  return rows[0]?.email;
}

/**
 * Revokes the open invitations of a person who may invite no longer: in one workspace, or with null
 * in all (system role).
 */
export async function deleteInvitesBy(
  tx: Tx,
  workspaceId: number | null,
  userId: number,
): Promise<{ id: number; workspaceId: number; email: string }[]> {
  const { rows } = await sql<Row<'delete-invites-by'>>`
    delete from invites where invited_by = ${userId} and accepted_at is null
      and (${workspaceId}::int is null or workspace_id = ${workspaceId})
    returning id, workspace_id as "workspaceId", email`.execute(tx);
  return rows.toSorted((a, b) => a.id - b.id);
}

export interface OpenInvite {
  id: number;
  workspaceId: number;
  email: string;
  role: Role;
  workspaceState: 'trial' | 'live' | 'lapsed' | 'suspended';
}

/** An invitation that can be accepted, in any workspace: the secret is all that its holder has. */
export async function findOpenInvite(
  db: Db | Tx,
  secretHash: Buffer,
  now: Date,
): Promise<OpenInvite | undefined> {
  const { rows } = await sql<Row<'find-open-invite', OpenInvite, 'role' | 'workspaceState'>>`
    select i.id, i.workspace_id as "workspaceId", i.email, i.role, w.state as "workspaceState"
    from invites i join workspaces w on w.id = i.workspace_id
    where i.secret_hash = ${secretHash} and i.accepted_at is null
      and i.expires_at > ${now}`.execute(db);
  return rows[0];
}

/** False when it was accepted or revoked in the meantime. */
export async function acceptInvite(
  tx: Tx,
  workspaceId: number,
  inviteId: number,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update invites set accepted_at = ${now} where workspace_id = ${workspaceId} and id = ${inviteId}
      and accepted_at is null returning 1`.execute(tx);
  return rows.length === 1;
}
