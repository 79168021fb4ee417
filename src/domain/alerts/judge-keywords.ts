import type { Tx } from '../../db/database.ts';
import {
  listAlertKeywords,
  listDegradedDays,
  type AlertKeywordRow,
} from '../../db/queries/alerts.ts';
import { addDays, daysBetween, type UtcDay } from '../../lib/dates.ts';
import type { StoreName } from '../ports.ts';
import { notChecked } from '../rankings/cells.ts';
import { readVisibleRows } from '../rankings/read-visible.ts';
import { readTerms, termDepthOn, type Term } from '../rankings/terms.ts';
import type { VisibleRow } from '../rankings/visible.ts';
import { windowOf, type DayWindow } from '../rankings/window.ts';
import type { Alert } from './alert.ts';
import { countChecks, type DayChecks } from './count-checks.ts';
import { findRankMove, rankReachDays, type RankRule } from './find-rank-move.ts';
import { judgeEntrants } from './judge-entrants.ts';
import { findRule, type WholeRule } from './rules.ts';

export interface AlertKeyword extends Omit<AlertKeywordRow, 'terms' | 'traffic' | 'observedOn'> {
  terms: readonly Term[];
  traffic: number | null;
}

interface Range {
  from: UtcDay;
  to: UtcDay;
}

/** Some of the keywords, on the days of a range. */
export interface JudgedPart extends Range {
  keywords: readonly AlertKeyword[];
  rules: readonly WholeRule[];
  isHeld: (store: StoreName, date: UtcDay) => boolean;
  /** Where to count what was checked on its days: they are read here anyway. */
  tally?: ReadonlyMap<UtcDay, DayChecks>;
}

/** Market-days held in memory at a time. */
const maxMarketDays = 50_000;

/** A workspace's followed keywords, all of them or those in some markets; a score counts only as far as it may be seen. */
export async function readAlertKeywords(
  tx: Tx,
  workspaceId: number,
  marketIds: number[] | null,
): Promise<AlertKeyword[]> {
  const rows = await listAlertKeywords(tx, workspaceId, marketIds);
  return rows.map(({ terms: stored, observedOn, ...row }) => {
    const terms = readTerms(stored);
    const isVisible = observedOn !== null && termDepthOn(terms, observedOn);
    return { ...row, terms, traffic: isVisible ? row.traffic : null };
  });
}

/**
 * What the rules want told of keywords on the days of the range: moves of the apps' own places, and who came into the
 * markets. `keywords` are all of the workspace's in their markets. Days on which a store failed its known search are as
 * if nothing had been checked. Bounded by what it is asked: at most a quarter of a year.
 */
export async function judgeKeywords(
  tx: Tx,
  workspaceId: number,
  input: Range & Pick<JudgedPart, 'keywords' | 'rules' | 'tally'>,
): Promise<Alert[]> {
  const reach = { from: addDays(input.from, -rankReachDays), to: input.to };
  const degraded = new Set(
    (await listDegradedDays(tx, reach)).map(({ store, date }) => `${store} ${date}`),
  );
  const isHeld = (store: StoreName, date: UtcDay) => degraded.has(`${store} ${date}`);
  const alerts: Alert[] = [];
  const size = Math.max(1, Math.floor(maxMarketDays / (daysBetween(reach.from, reach.to) + 1)));
  for (let start = 0; start < input.keywords.length; start += size) {
    const part = { ...input, keywords: input.keywords.slice(start, start + size), isHeld };
    alerts.push(
      ...(await judgeMoves(tx, part)),
      ...(await judgeEntrants(tx, workspaceId, part, input.keywords)),
    );
  }
  return alerts;
}

async function judgeMoves(
  tx: Tx,
  { keywords, rules, from, to, isHeld, tally }: JudgedPart,
): Promise<Alert[]> {
  const window = windowOf(addDays(from, -rankReachDays), to);
  const rows = await readVisibleRows(tx, window, keywords);
  return rows.flatMap((row, number) => {
    const keyword = keywords[number]!;
    for (const [index, day] of window.days.entries())
      if (isHeld(keyword.store, day)) row.cells[index] = notChecked;
    if (tally) countChecks(tally, row, window.days);
    return (['rank.dropped', 'rank.improved'] as const).flatMap((event) => {
      const rule = findRule(rules, event, keyword);
      return rule ? movesOf(keyword, row, { window, from, rule }) : [];
    });
  });
}

function movesOf(
  keyword: AlertKeyword,
  row: VisibleRow,
  input: { window: DayWindow; from: UtcDay; rule: RankRule },
): Alert[] {
  const { days } = input.window;
  const { id: keywordId, phrase, country, appId } = keyword;
  const alerts: Alert[] = [];
  for (let index = daysBetween(days[0]!, input.from); index < days.length; index += 1) {
    const move = findRankMove(row, days, index, input.rule);
    if (!move) continue;
    alerts.push({
      type: input.rule.event,
      subject: String(keywordId),
      date: days[index]!,
      appId,
      data: { keywordId, phrase, country, ...move },
      links: { keyword: `/keywords/${keywordId}`, rankings: `/keywords/${keywordId}/rankings` },
      cooldownDays: input.rule.cooldownDays,
    });
  }
  return alerts;
}
