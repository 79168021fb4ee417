import type {
  ImportedRank,
  PackedRanks,
  PublicMonth,
} from '#db/queries/publication/market-months.ts';
import { dayIndexInMonth, type UtcDay } from '#lib/dates.ts';
import {
  bytesPerDay,
  daysPerMonth,
  decodeDay,
  encodeDay,
  encodePosition,
  notChecked,
} from '#domain/tracking/rankings/daily-rank-codec.ts';

export interface SeriesStart {
  fromDay: UtcDay;
  provider: string;
}

/** A check of the file that becomes a public fact. */
export interface PublishedCheck {
  date: UtcDay;
  depth: number;
  provider: string;
}

/** A packed month of a market to which imported days are added. Days of this instance stay. */
export class MonthPlan {
  readonly days: Buffer;
  readonly checks: PublishedCheck[] = [];
  private readonly ranks = new Map<number, PackedRanks>();
  private readonly known: Pick<PublicMonth, 'gaps'>;

  constructor(known: Pick<PublicMonth, 'days' | 'gaps'>, stored: readonly PackedRanks[]) {
    this.known = known;
    this.days = Buffer.from(known.days ?? Buffer.alloc(daysPerMonth * bytesPerDay));
    for (const row of stored) this.ranks.set(row.listingId, row);
  }

  /**
   * Adds the ranks of a day, which are those of one check. A day with a gap of this instance or
   * another check than the file's stays as it is; today is checked here.
   */
  addDay(
    date: UtcDay,
    ranks: readonly ImportedRank[],
    at: { today: UtcDay; provider: string },
  ): void {
    const usable = ranks.filter(({ provider }) => provider === at.provider);
    const timed = usable.filter(isTimed);
    if (timed.length === 0 || date >= at.today || this.known.gaps.includes(date)) return;
    const depth = Math.max(...timed.map((rank) => rank.depth));
    const seconds = Math.min(...timed.map((rank) => rank.seconds));
    const index = dayIndexInMonth(date);
    const stored = decodeDay(this.days, index);
    if (stored !== null && (stored.seconds !== seconds || stored.depth < depth)) return;
    if (stored === null) encodeDay(depth, seconds).copy(this.days, index * bytesPerDay);
    this.checks.push({ date, depth, provider: at.provider });
    for (const rank of timed) this.addRank(rank.listingId, date, rank);
  }

  /** A rank of this instance stays. */
  addRank(
    listingId: number,
    date: UtcDay,
    { position, depth }: { position: number | null; depth: number },
  ): void {
    const index = dayIndexInMonth(date);
    const row = this.ranks.get(listingId) ?? createRanks(listingId);
    if (row.dailyRanks[index] !== notChecked) return;
    row.dailyRanks[index] = encodePosition(position);
    row.depths[index] = depth;
    this.ranks.set(listingId, row);
  }

  listRanks(): PackedRanks[] {
    return [...this.ranks.values()];
  }
}

const maxSeconds = 0xff_ff_ff;

function isTimed(rank: ImportedRank): rank is ImportedRank & { seconds: number } {
  return rank.seconds !== null && rank.seconds >= 0 && rank.seconds <= maxSeconds;
}

function createRanks(listingId: number): PackedRanks {
  const [dailyRanks, depths] = [Buffer.alloc(daysPerMonth), Buffer.alloc(daysPerMonth)];
  return { listingId, dailyRanks, depths };
}

/** The provider of a store's positions on a day; null before the first. */
export function findProvider(series: readonly SeriesStart[], date: UtcDay): string | null {
  return series.findLast(({ fromDay }) => fromDay <= date)?.provider ?? null;
}
