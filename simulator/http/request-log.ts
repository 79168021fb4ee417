import type { StoreName } from '#stores/profiles.ts';

export interface LogEntry {
  seq: number;
  /** Real time in milliseconds since the epoch, whatever the virtual clock says. */
  at: number;
  address: string;
  store: StoreName | null;
  kind: string;
  method: string;
  host: string;
  path: string;
  country: string | null;
  phrase: string | null;
  /** 0 without a response. */
  status: number;
  fault: string | null;
}

export interface Counts {
  total: number;
  byStore: Record<string, number>;
  byKind: Record<string, number>;
  byStatus: Record<string, number>;
  byAddress: Record<string, number>;
  byFault: Record<string, number>;
}

const maxEntries = 200_000;

/** The requests to the stores. The newest 200,000 are kept; the counts include all. */
export class RequestLog {
  private entries: LogEntry[] = [];
  private seq = 0;
  private totals = emptyCounts();

  add(entry: Omit<LogEntry, 'seq' | 'at'>): void {
    const at = Math.round(performance.timeOrigin + performance.now());
    this.entries.push({ seq: ++this.seq, at, ...entry });
    if (this.entries.length > maxEntries * 1.1) this.entries = this.entries.slice(-maxEntries);
    const { totals } = this;
    totals.total++;
    count(totals.byStore, entry.store ?? 'other');
    count(totals.byKind, `${entry.store ?? 'other'}:${entry.kind}`);
    count(totals.byStatus, String(entry.status));
    count(totals.byAddress, entry.address);
    if (entry.fault !== null) count(totals.byFault, entry.fault);
  }

  /** Entries with a larger number than `since`, oldest first. */
  list(since = 0): LogEntry[] {
    return this.entries.filter((entry) => entry.seq > since);
  }

  counts(): Counts {
    return structuredClone(this.totals);
  }

  /** The numbers are not reset, so `since` stays valid. */
  clear(): void {
    this.entries = [];
    this.totals = emptyCounts();
  }
}

function emptyCounts(): Counts {
  return { total: 0, byStore: {}, byKind: {}, byStatus: {}, byAddress: {}, byFault: {} };
}

function count(into: Record<string, number>, key: string): void {
  into[key] = (into[key] ?? 0) + 1;
}
