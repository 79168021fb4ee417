import type pg from 'pg';
import { bindText, nothing } from './begin-late.ts';
import { openLine, type ReadingLine } from './reading-line.ts';

/** So many readers have a connection each, as a page that asks for several things at once wants it. */
const alone = 4;
/** Beyond them this many who come in one turn of the loop share one. */
const readersOfTurn = 4;

/**
 * A pool for reading one workspace's rows: no statement needs another's transaction, so none is begun or ended. Its
 * connections refuse to write, and answer nobody who has not said which workspace reads. When several are busy, readers
 * share them: a write wakes the server, which for a short reading costs more than the reading.
 */
export function readAlone(pool: pg.Pool): pg.Pool {
  const lines = new LinesInUse(pool);
  const connect = async () => {
    const line = lines.take();
    try {
      await line.isOpen;
    } catch (error) {
      lines.leave(line);
      throw error;
    }
    let workspaceId: string | null = null;
    const query = async (text: string, values: readonly unknown[] = []) => {
      if (text === bindText) workspaceId = String(values[0]);
      else if (text !== 'begin' && text !== 'commit' && text !== 'rollback') {
        if (workspaceId === null) throw new Error('nobody has said which workspace reads');
        return line.ask(workspaceId, text, values);
      }
      return nothing;
    };
    return { query, release: () => lines.leave(line) };
  };
  return { connect, end: () => pool.end() } as unknown as pg.Pool;
}

class LinesInUse {
  private readonly pool: pg.Pool;
  private readonly readers = new Map<ReadingLine, number>();
  private ofTurn: { line: ReadingLine; readers: number } | null = null;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  take(): ReadingLine {
    const line = this.shared() ?? this.another();
    this.readers.set(line, (this.readers.get(line) ?? 0) + 1);
    return line;
  }

  leave(line: ReadingLine): void {
    const left = this.readers.get(line)! - 1;
    if (left > 0) return void this.readers.set(line, left);
    this.readers.delete(line);
    if (this.ofTurn?.line === line) this.ofTurn = null;
    line.close();
  }

  private shared(): ReadingLine | null {
    const { ofTurn } = this;
    if (ofTurn === null || ofTurn.readers >= readersOfTurn || this.readers.size < alone)
      return null;
    ofTurn.readers += 1;
    return ofTurn.line;
  }

  private another(): ReadingLine {
    const line =
      this.readers.size < this.pool.options.max ? openLine(this.pool) : leastBusy(this.readers);
    if (this.ofTurn === null) setImmediate(() => (this.ofTurn = null));
    this.ofTurn = { line, readers: 1 };
    return line;
  }
}

function leastBusy(readers: ReadonlyMap<ReadingLine, number>): ReadingLine {
  return [...readers].reduce((least, next) => (next[1] < least[1] ? next : least))[0];
}
