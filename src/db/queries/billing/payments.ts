import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** The workspace that the payment provider knows as this customer. */
export async function findPayingWorkspace(db: Db | Tx, customer: string): Promise<number | null> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('payment_customer', '=', customer)
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * Replaces the known customer by a new one, unless another process replaced it first. Returns the
 * stored customer.
 */
export async function saveCustomer(
  tx: Tx,
  workspaceId: number,
  { customer, before }: { customer: string; before: string | null },
): Promise<string | null> {
  const held = await tx
    .selectFrom('workspaces')
    .select('payment_customer as customer')
    .where('id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst();
  if (held?.customer !== before) return held?.customer ?? null;
  await tx
    .updateTable('workspaces')
    .set({ payment_customer: customer })
    .where('id', '=', workspaceId)
    .execute();
  return customer;
}

export interface PlanRow {
  status: 'trial' | 'live' | 'lapsed';
  plan: string | null;
  /** The id of the last known subscription; null when there never was one, or when it has ended. */
  subscription: string | null;
  /** An operator set the plan, so it follows no subscription. */
  isByHand: boolean;
  /** The number of the provider's response from which the status was last updated. */
  paymentRead: number;
}

/** Locks the workspace's plan until the transaction ends. */
export async function lockPlan(tx: Tx, workspaceId: number): Promise<PlanRow | undefined> {
  const { rows } = await sql<Row<'lock-plan', PlanRow, 'status'>>`
    select status, plan, payment_subscription as subscription, plan_set_manually as "isByHand",
      payment_read::float8 as "paymentRead"
    from workspaces where id = ${workspaceId} for no key update`.execute(tx);
  return rows[0];
}

export async function updatePlan(
  tx: Tx,
  workspaceId: number,
  row: Omit<PlanRow, 'paymentRead'>,
): Promise<void> {
  const { status, plan, subscription, isByHand } = row;
  await sql`
    update workspaces set status = ${status}, plan = ${plan},
      payment_subscription = ${subscription}, plan_set_manually = ${isByHand}
    where id = ${workspaceId}`.execute(tx);
}

/**
 * Numbers requests to the payment provider in the order in which they are sent. Call it before
 * sending.
 */
export async function nextPaymentReadNumber(db: Db): Promise<number> {
  const { rows } = await sql<
    Row<'next-payment-read-number'>
  >`select nextval('payment_reads')::float8 as read`.execute(db);
  return rows[0]!.read;
}

export async function updatePaymentRead(tx: Tx, workspaceId: number, read: number): Promise<void> {
  await sql`update workspaces set payment_read = ${read} where id = ${workspaceId}`.execute(tx);
}

/**
 * Workspaces, by id, whose customers were not read from the provider since that number. Deleted
 * workspaces are omitted, because they follow no subscription.
 */
export async function listSubscriptionsToSync(
  db: Db,
  {
    before,
    after,
    except,
    limit,
  }: { before: number; after: number; except: number[]; limit: number },
): Promise<{ id: number; customer: string }[]> {
  const { rows } = await sql<
    Row<'list-to-reread', { id: number; customer: string }, 'customer'>
  >`/* list-to-reread */
    select id, payment_customer as customer from workspaces
    where payment_customer is not null and payment_read < ${before} and id > ${after}
      and id <> all(${except}::int[]) and delete_at is null
    order by id limit ${limit}`.execute(db);
  return rows;
}

export async function hasPaymentEvent(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('payment_events')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** False when the event is already stored. */
export async function insertPaymentEvent(
  tx: Tx,
  event: { id: string; type: string; receivedAt: Date; workspaceId: number | null },
): Promise<boolean> {
  const row = await tx
    .insertInto('payment_events')
    .values({
      id: event.id,
      type: event.type,
      received_at: event.receivedAt,
      workspace_id: event.workspaceId,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
