import type pg from 'pg';
import { ask, askPrepared, bindText } from './begin-late.ts';
import { SilenceWatch, silenceLimitMs } from './silence-watch.ts';
import { nameOfFrequent } from './statement-names.ts';

const bindForGood = bindText.replace('true', 'false');

/** A connection that several readers share: it takes the next statement before the last is answered. */
export interface ReadingLine {
  isOpen: Promise<void>;
  /** Rejects if the connection could not be bound to this workspace; what was read then is told to nobody. */
  ask(workspaceId: string, text: string, values: readonly unknown[]): Promise<pg.QueryResult>;
  /** Back to the pool. */
  close(): void;
}

/** To which workspace a connection is bound once everything sent before is done; it stays so in the pool. */
const bindings = new WeakMap<pg.PoolClient, { workspaceId: string; done: Promise<unknown> }>();

export function openLine(pool: pg.Pool): ReadingLine {
  let client: pg.PoolClient | null = null;
  return {
    isOpen: pool.connect().then((connected) => void (client = connected)),
    ask: async (workspaceId, text, values) => {
      const watch = watchOf(client!, pool);
      watch.asked();
      holdWrites(client!);
      try {
        const [, answer] = await Promise.all([
          bind(client!, workspaceId),
          ask(client!, text, values, nameOfFrequent(text)),
        ]);
        return answer;
      } finally {
        watch.answered();
      }
    },
    close: () => client?.release(),
  };
}

function bind(client: pg.PoolClient, workspaceId: string): Promise<unknown> {
  const last = bindings.get(client);
  if (last?.workspaceId === workspaceId) return last.done;
  const done = askPrepared(client, 'bind-workspace', bindForGood, [workspaceId]);
  bindings.set(client, { workspaceId, done });
  // Told to whoever asks something; the next one binds again.
  done.catch(() => bindings.get(client)?.done === done && bindings.delete(client));
  return done;
}

const watches = new WeakMap<pg.PoolClient, SilenceWatch>();

function watchOf(client: pg.PoolClient, pool: pg.Pool): SilenceWatch {
  const watch =
    watches.get(client) ??
    new SilenceWatch(client, silenceLimitMs(Number(pool.options.statement_timeout)));
  watches.set(client, watch);
  return watch;
}

const held = new WeakSet<pg.PoolClient>();

/** What is asked in one turn of the loop leaves at its end, in one write. */
function holdWrites(client: pg.PoolClient): void {
  if (held.has(client)) return;
  held.add(client);
  const { stream } = client.connection;
  stream.cork();
  setImmediate(() => {
    held.delete(client);
    stream.uncork();
  });
}
