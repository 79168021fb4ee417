/** A statement about one app, phrase, country and day, as another tool has stored it. */
export interface HistoryRow {
  /** The id in the store, or the domain in a web search. */
  app: string;
  phrase: string;
  /** A code such as `us`; null where the database does not say it. */
  country: string | null;
  /** As the database names it; null where it does not say it. */
  device: string | null;
  /** `YYYY-MM-DD`, or an instant with its offset. */
  date: string;
  /** 1 or more, or `not found` where the tool says so; null for a value of unknown meaning. */
  position: number | 'not found' | null;
}

/** How to read the database of one tool. */
export interface HistoryDatabase {
  tool: string;
  /** Facts that a person should know before the import. */
  notes: readonly string[];
  /** The devices are those of a store, and the file has a column for them. */
  hasDevices: boolean;
  /** The tables and columns that were recognised, for people. */
  source: string;
  rows(): Iterable<HistoryRow>;
}
