import { z } from 'zod';
import type { CallOutput } from '#client/http.ts';
import { changedFields } from '#contract/choices.ts';
import {
  appIdArgument,
  cursorArgument,
  fromArgument,
  scopeArgument,
  toArgument,
} from '../argument-schemas.ts';
import { notice, page } from '../common-schemas.ts';
import { defineTool } from '../tool.ts';
import { cut, formatCount, lines, quote, storeTextNotice, truncateOrNull } from '../text-format.ts';

const textMax = 200;
/** Characters before the first difference that a cut text begins with, at most. */
const leadMax = 40;
const changesMax = 25;

const changeRow = z.object({
  changeId: z.int(),
  date: z.string(),
  country: z.string(),
  competitorId: z.int().nullable(),
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
type ChangeRow = z.output<typeof changeRow>;

const listChanges = defineTool({
  name: 'list_changes',
  title: 'List listing changes',
  description:
    'Changed fields of the listings of an app and its competitors, with the values before and ' +
    'after.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    field: z.enum(changedFields).optional().describe('Such as subtitle; default: all.'),
    scope: scopeArgument,
    from: fromArgument,
    to: toArgument,
    cursor: cursorArgument,
  }),
  output: z.object({ changes: z.array(changeRow), ...page, notice }),
  async run(api, { appId: id, ...query }) {
    const list = await api('GET /apps/{id}/changes', {
      params: { id },
      query: { ...query, limit: changesMax },
    });
    const changes = list.items.map(toChangeRow);
    const text = lines(
      formatCount(changes.length, list, 'changes', 'field, scope, from or to'),
      changes.map((row) => `- ${formatChange(row)}`),
      storeTextNotice,
    );
    return {
      text,
      data: { changes, total: list.total, nextCursor: list.nextCursor, notice: storeTextNotice },
    };
  },
});

type Change = CallOutput<'GET /apps/{id}/changes'>['items'][number];

function toChangeRow(change: Change): ChangeRow {
  const { id, detectedAt, country, competitorId, field } = change;
  const { before, after } = cutValues(formatValue(change.before), formatValue(change.after));
  return {
    changeId: id,
    date: detectedAt.slice(0, 10),
    country,
    competitorId,
    field,
    before,
    after,
  };
}

function formatValue(value: Change['before']): string | null {
  if (value === null) return null;
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** Long values begin some words before their first difference. */
function cutValues(
  before: string | null,
  after: string | null,
): Pick<ChangeRow, 'before' | 'after'> {
  const [old, current] = [[...(before ?? '')], [...(after ?? '')]];
  const most = Math.max(old.length, current.length);
  let same = 0;
  while (same < most && old[same] === current[same]) same += 1;
  const from = same - leadMax;
  if (most <= textMax || from <= 0)
    return { before: truncateOrNull(before, textMax), after: truncateOrNull(after, textMax) };
  const space = current.slice(from, same).findIndex((character) => /\s/.test(character));
  const cutStart = (text: string[]) => cut(`…${text.slice(from + space + 1).join('')}`, textMax);
  return { before: cutStart(old), after: cutStart(current) };
}

function formatChange({ competitorId, before, after, ...row }: ChangeRow): string {
  const owner = competitorId === null ? '' : ` of competitor ${competitorId}`;
  return (
    `change ${row.changeId} on ${row.date} (${row.country}), ${row.field}${owner}: ` +
    `${quote(before, textMax)} → ${quote(after, textMax)}`
  );
}

const keywordGroup = z.object({
  group: z.enum(['affected', 'others']),
  keywords: z.int(),
  compared: z.int(),
  meanBefore: z.number().nullable(),
  meanAfter: z.number().nullable(),
  meanGain: z.number().nullable(),
  entered: z.int(),
  left: z.int(),
});

const impactOutput = z.object({
  change: z.string(),
  before: z.string(),
  after: z.string().nullable(),
  complete: z.boolean(),
  gainedWords: z.array(z.string()),
  lostWords: z.array(z.string()),
  groups: z.array(keywordGroup),
  difference: z.number().nullable().describe('Positions gained more than the others.'),
  interval: z.array(z.number()).nullable().describe('95 %.'),
  otherChanges: z.int(),
  reason: z.string().nullable(),
  notice,
});

const getChangeImpact = defineTool({
  name: 'get_change_impact',
  title: 'Impact of a change',
  description:
    'Positions before and after a change of the app’s listing, of keywords with its words and of ' +
    'others. A correlation, not proof.',
  kind: 'read',
  input: z.strictObject({
    changeId: z.int().describe('From list_changes.'),
    windowDays: z.int().min(1).max(60).default(14).describe('Days on each side.'),
  }),
  apiNames: { id: 'changeId' },
  output: impactOutput,
  async run(api, { changeId: id, windowDays }) {
    const impact = await api('GET /changes/{id}/impact', { params: { id }, query: { windowDays } });
    const { before, after, complete, words, difference, interval, otherChanges } = impact;
    const data = {
      change: formatChange(toChangeRow(impact.change)),
      before: formatDays(before),
      after: after && formatDays(after),
      complete,
      gainedWords: words.gained.slice(0, wordsMax).map((word) => cut(word, 60)),
      lostWords: words.lost.slice(0, wordsMax).map((word) => cut(word, 60)),
      groups: [toGroup('affected', impact.affected), toGroup('others', impact.control)],
      difference,
      interval: interval && [interval.low, interval.high],
      otherChanges,
      reason: impact.reason && reasons[impact.reason],
      notice: storeTextNotice,
    };
    return { text: formatImpact(data), data };
  },
});

const wordsMax = 30;

type Impact = CallOutput<'GET /changes/{id}/impact'>;
type Group = z.output<typeof keywordGroup>;

/** A missing difference or interval, explained. */
const reasons: Readonly<Record<NonNullable<Impact['reason']>, string>> = {
  not_own: 'it is a change of a competitor, whose effect on the app cannot be measured',
  no_words: 'no searchable words changed, so no keywords are affected',
  too_early: 'it is too early: the impact is measured from the day after the change',
  too_few_affected: 'fewer than 5 affected keywords were found often enough on both sides',
  too_few_control: 'fewer than 5 other keywords were found often enough on both sides',
  no_spread: 'all keywords moved alike, so there is no interval',
};

function toGroup(
  group: Group['group'],
  { keywordIds: _ids, ...figures }: Impact['affected'],
): Group {
  return { group, ...figures };
}

function formatDays({ from, to }: { from: string; to: string }): string {
  return `${from} to ${to}`;
}

type ImpactData = z.output<typeof impactOutput>;

function formatImpact(data: ImpactData): string {
  const { before, after, complete, otherChanges } = data;
  return lines(
    `Impact of ${data.change}`,
    formatDifference(data),
    `Before: ${before}; after: ${after ?? 'not begun'}${complete ? '' : ', not over yet'}.`,
    `Words gained: ${listWords(data.gainedWords)}; lost: ${listWords(data.lostWords)}.`,
    data.groups.map(formatGroup),
    otherChanges > 0 &&
      `${otherChanges} other changes of this listing lie in these days and may explain it too.`,
    storeTextNotice,
  );
}

function formatDifference({ difference, interval, reason }: ImpactData): string {
  const known =
    difference === null
      ? 'Unknown'
      : `The affected keywords gained ${difference} positions more than the others`;
  const range = interval === null ? '' : ` (95 % interval ${interval.join(' to ')})`;
  return `${known}${range}${reason === null ? '' : `: ${reason}`}.`;
}

function formatGroup(row: Group): string {
  const { group, keywords, compared, meanBefore, meanAfter, entered, left } = row;
  return (
    `- ${group}: ${keywords} keywords, ${compared} compared, mean position ` +
    `${meanBefore ?? '–'} → ${meanAfter ?? '–'}, ${entered} entered, ${left} left`
  );
}

function listWords(words: readonly string[]): string {
  return words.length === 0 ? 'none' : words.map((word) => quote(word, 60)).join(', ');
}

export const changeTools = [listChanges, getChangeImpact];
