import type pg from 'pg';
import { ask, askPrepared, bindText, nothing } from './begin-late.ts';
import { nameOfFrequent } from './statement-names.ts';

const bindForGood = bindText.replace('true', 'false');

/**
 * A pool for reading one workspace's rows: no statement needs another's transaction, so none is begun or ended, and a
 * connection is bound anew only when another workspace reads on it. Its connections refuse to write, and answer nobody
 * who has not said which workspace reads. They are pipelined: binding and the first statement are sent
 * as one; what is asked often is prepared.
 */
export function readAlone(pool: pg.Pool): pg.Pool {
  const boundTo = new WeakMap<pg.PoolClient, string>();
  const connect = async () => {
    const client = await pool.connect();
    let bound: Promise<unknown> | null = null;
    const bind = (workspaceId: string) => {
      if (boundTo.get(client) === workspaceId) return Promise.resolve();
      boundTo.delete(client);
      // The statement that follows at once leaves with it, in one write.
      const { stream } = client.connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
      const binding = askPrepared(client, 'bind-workspace', bindForGood, [workspaceId]).then(() => boundTo.set(client, workspaceId));
      // Told to whoever asks something; maybe nobody does.
      binding.catch(() => undefined);
      return binding;
    };
    const query = async (text: string, values: readonly unknown[] = []) => {
      if (text === bindText) bound = bind(String(values[0]));
      else if (text !== 'begin' && text !== 'commit' && text !== 'rollback') {
        if (bound === null) throw new Error('nobody has said which workspace reads');
        const [, answer] = await Promise.all([bound, ask(client, text, values, nameOfFrequent(text))]);
        return answer;
      }
      return nothing;
    };
    return { query, release: () => client.release() };
  };
  return { connect, end: () => pool.end() } as unknown as pg.Pool;
}
