import type pg from 'pg';
import { bindWorkspaceSql, emptyResult, sendPrepared, sendStatement } from './send-statement.ts';

const bindSessionSql = bindWorkspaceSql.replace('true', 'false');
const statementTimeout = '57014';

export interface ReplicaSessionOptions {
  replica: pg.PoolClient;
  /** The pool of the primary for reads, as `sharedReadPool` makes it. */
  primary: pg.Pool;
  /** Called when the replica failed. The read goes on at the primary. */
  onFailure(error: Error): void;
}

/**
 * A pool for one read, whose statements go to one connection of a replica, one after another. The
 * primary is never older than its replica, so a read may move there with any statement: it does
 * when the replica fails.
 */
export function replicaSession({ replica, primary, onFailure }: ReplicaSessionOptions): pg.Pool {
  let last: Promise<unknown> = Promise.resolve();
  let boundTo: string | null = null;
  let hasFailed = false;

  const sendToReplica = async (workspaceId: string, text: string, values: readonly unknown[]) => {
    if (boundTo !== workspaceId)
      await sendPrepared(replica, 'bind-workspace', bindSessionSql, [workspaceId]);
    boundTo = workspaceId;
    return sendStatement(replica, text, values);
  };
  const sendToPrimary = async (workspaceId: string, text: string, values: readonly unknown[]) => {
    const client = await primary.connect();
    try {
      await client.query(bindWorkspaceSql, [workspaceId]);
      return await client.query(text, values as unknown[]);
    } finally {
      client.release();
    }
  };
  const send = async (workspaceId: string, text: string, values: readonly unknown[]) => {
    if (hasFailed) return sendToPrimary(workspaceId, text, values);
    try {
      return await sendToReplica(workspaceId, text, values);
    } catch (error) {
      // The statement would take as long there.
      if ((error as { code?: string }).code === statementTimeout) throw error;
      hasFailed = true;
      onFailure(error as Error);
      return sendToPrimary(workspaceId, text, values);
    }
  };
  /** The driver's timeout begins when a statement is sent, so statements wait here. */
  const sendInOrder = (workspaceId: string, text: string, values: readonly unknown[]) => {
    const result = last.then(() => send(workspaceId, text, values));
    last = result.catch(() => undefined);
    return result;
  };
  const connect = async () => {
    let workspaceId: string | null = null;
    const query = async (text: string, values: readonly unknown[] = []) => {
      if (text === bindWorkspaceSql) workspaceId = String(values[0]);
      else if (text !== 'begin' && text !== 'commit' && text !== 'rollback') {
        if (workspaceId === null) throw new Error('no workspace is bound to this connection');
        return sendInOrder(workspaceId, text, values);
      }
      return emptyResult;
    };
    return { query, release: () => {} };
  };
  return { connect, end: async () => {} } as unknown as pg.Pool;
}
