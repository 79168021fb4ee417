import { z } from 'zod';
import type { CallOutput } from '#client/http.ts';
import { timelineKinds } from '#contract/choices.ts';
import {
  anyCountryArgument,
  appIdArgument,
  cursorArgument,
  firstDeviceArgument,
  fromArgument,
  primaryCountryArgument,
  scopeArgument,
  shortLimitArgument,
  toArgument,
} from '../argument-schemas.ts';
import { notice, page } from '../common-schemas.ts';
import { defineTool } from '../tool.ts';
import { cut, truncateOrNull, lines, quote, storeTextNotice, formatCount } from '../text-format.ts';
import { changeTools } from './changes.ts';
import { listingDraftTools } from './listing-drafts.ts';
import { findFieldLocale } from './saved-field.ts';

const localeArgument = z.string().optional().describe('Such as en-US.');

const getMetadataTimeline = defineTool({
  name: 'get_metadata_timeline',
  title: 'What happened',
  description:
    'Listing changes, versions, rank events, review surges, annotations and failed runs of ' +
    'an app and its competitors.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    from: fromArgument,
    to: toArgument,
    kinds: z
      .array(z.enum(timelineKinds))
      .min(1)
      .max(timelineKinds.length)
      .optional()
      .describe('Default: all.'),
    scope: scopeArgument,
    country: anyCountryArgument,
    limit: shortLimitArgument.default(20),
    cursor: cursorArgument,
  }),
  apiNames: { kind: 'kinds' },
  output: z.object({
    items: z.array(
      z.object({
        date: z.string(),
        kind: z.string(),
        title: z.string(),
        text: z.string().nullable(),
        changed: z.array(z.string()).describe('Fields; current texts.'),
        countries: z.array(z.string()).describe('Empty: all.'),
        competitorId: z.int().nullable(),
        keywordIds: z.array(z.int()),
      }),
    ),
    ...page,
    notice,
  }),
  async run(api, { appId: id, kinds, ...query }) {
    const list = await api('GET /apps/{id}/timeline', {
      params: { id },
      query: { ...query, kind: kinds?.join(',') },
    });
    const items = list.items.map(toTimelineRow);
    const rows = items.map(formatTimelineRow);
    const text = lines(
      formatCount(items.length, list, 'events', 'from, to, kinds, scope or country'),
      rows,
      storeTextNotice,
    );
    return {
      text,
      data: { items, total: list.total, nextCursor: list.nextCursor, notice: storeTextNotice },
    };
  },
});

type TimelineRow = CallOutput<'GET /apps/{id}/timeline'>['items'][number];

function toTimelineRow({
  date,
  kind,
  title,
  text,
  fact,
  countries,
  competitorId,
  keywordIds,
}: TimelineRow) {
  const changes = fact?.kind === 'change' ? fact.changes : [];
  return {
    date,
    kind,
    title: cut(title, 200),
    text: truncateOrNull(text, 300),
    changed: changes.map(({ field, value }) =>
      value === null ? field : `${field}: ${cut(value, 100)}`,
    ),
    countries: countries.slice(0, 20),
    competitorId,
    keywordIds: keywordIds.slice(0, 20),
  };
}

function formatTimelineRow(event: ReturnType<typeof toTimelineRow>): string {
  const whose = event.competitorId === null ? '' : ` of competitor ${event.competitorId}`;
  const where = event.countries.length > 0 ? ` (${event.countries.join(', ')})` : '';
  const changed =
    event.changed.length > 0 ? ` ${event.changed.map((field) => quote(field)).join(', ')}` : '';
  return (
    `- ${event.date} ${event.kind}${whose}${where}: ` +
    `${quote(event.title, 200)}${event.text === null ? '' : ` ${quote(event.text, 300)}`}${changed}`
  );
}

type Analysis = CallOutput<'POST /apps/{id}/keyword-field/preview'>;

const fieldOutput = {
  locale: z.string().nullable(),
  used: z.int(),
  free: z.int(),
  wasted: z.int(),
  normalized: z.string(),
  title: z.string().nullable(),
  subtitle: z.string().nullable(),
  words: z.array(
    z.object({
      word: z.string(),
      problems: z.array(z.string()),
      bestPosition: z.int().nullable(),
      traffic: z.int().nullable(),
      difficulty: z.int().nullable(),
    }),
  ),
  covered: z.int(),
  total: z.int(),
  missing: z.array(z.string()).describe('Tracked phrases.'),
  suggestions: z.array(z.string()),
  notice,
};

const checkKeywordField = defineTool({
  name: 'check_keyword_field',
  title: 'Check a keyword field',
  description: 'Value of each word of an iOS keyword field, wasted characters, words that fit.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    text: z.string().optional().describe('Default: the saved field.'),
    locale: localeArgument,
    country: primaryCountryArgument,
    device: firstDeviceArgument,
  }),
  output: z.object(fieldOutput),
  async run(api, { appId: id, text, locale: named, ...market }) {
    if (text === undefined) {
      const { locale, isSaved } = await findFieldLocale(api, id, {
        given: named,
        ...(market.country && { country: market.country }),
        isRead: true,
      });
      const query = { locale, ...market };
      const saved = await api('GET /apps/{id}/keyword-field/analysis', { params: { id }, query });
      const data = { locale, ...formatAnalysis(saved) };
      const what = isSaved
        ? `The saved field (${locale})`
        : `No keyword field is saved for ${locale}`;
      return { text: formatField(data, what), data };
    }
    const analysis = await api('POST /apps/{id}/keyword-field/preview', {
      params: { id },
      query: market,
      body: { text, ...(named && { locale: named }) },
    });
    const data = { locale: named || null, ...formatAnalysis(analysis) };
    return { text: formatField(data, 'This text (not saved)'), data };
  },
});

const problems = {
  duplicate: 'duplicate',
  inTitle: 'in title',
  inSubtitle: 'in subtitle',
  plural: 'plural',
  brand: 'own brand',
  stopword: 'stop word',
} as const;

function formatAnalysis(analysis: Analysis) {
  const words = analysis.tokens.map((token) => ({
    word: token.term,
    problems: Object.entries(problems).flatMap(([member, problem]) =>
      token[member as keyof typeof problems] === true ? [problem] : [],
    ),
    bestPosition: token.bestPosition,
    traffic: token.traffic,
    difficulty: token.difficulty,
  }));
  const { covered, total, tracked } = analysis.combinations;
  const missing = tracked.filter((row) => !row.covered).slice(0, 30);
  return {
    used: analysis.used,
    free: analysis.free,
    wasted: analysis.wastedCharacters,
    normalized: analysis.normalized,
    title: truncateOrNull(analysis.comparedWith?.name ?? null, 120),
    subtitle: truncateOrNull(analysis.comparedWith?.subtitle ?? null, 120),
    words,
    covered,
    total,
    missing: missing.map((row) => row.phrase),
    suggestions: analysis.suggestions.map((row) => cut(row.term, 100)),
    notice: storeTextNotice,
  };
}

function formatField(data: ReturnType<typeof formatAnalysis>, what: string): string {
  return lines(
    `${what}: ${data.used} of 100 characters used, ${data.free} free, ${data.wasted} wasted.`,
    `Normalized: ${quote(data.normalized)}`,
    `Compared with title ${quote(data.title)}, subtitle ${quote(data.subtitle)}.`,
    data.words.map(
      (row) =>
        '- ' +
        `${quote(row.word)}${row.problems.length > 0 ? ` [${row.problems.join(', ')}]` : ''} ` +
        `best position ${row.bestPosition ?? '–'}, traffic ${row.traffic ?? '–'}`,
    ),
    `It covers ${data.covered} of ${data.total} tracked phrases.`,
    formatMissing(data),
    data.suggestions.length > 0 &&
      `Would fit: ${data.suggestions.map((term) => quote(term)).join(', ')}`,
    storeTextNotice,
  );
}

/** The API lists 200 phrases, those with the most traffic, of which all may be covered. */
function formatMissing({ missing, covered, total }: ReturnType<typeof formatAnalysis>) {
  const all = total - covered;
  if (all === 0) return null;
  if (missing.length === 0) return `Not covered: ${all}, none of the 200 with the most traffic.`;
  const count = missing.length < all ? ` (${missing.length} of ${all})` : '';
  return `Tracked, not covered${count}: ${missing.map((phrase) => quote(phrase)).join(', ')}`;
}

const setKeywordField = defineTool({
  name: 'set_keyword_field',
  title: 'Save the keyword field',
  description:
    'Saves the keyword field of an iOS app here, at most 100 characters normalized. ' +
    'The store is not changed.',
  kind: 'write',
  idempotent: true,
  input: z.strictObject({
    appId: appIdArgument,
    text: z.string().describe('Words, separated by commas.'),
    locale: localeArgument,
  }),
  output: z.object({
    saved: z.literal(true),
    locale: z.string(),
    used: z.int(),
    free: z.int(),
    wasted: z.int(),
    normalized: z.string(),
  }),
  async run(api, { appId: id, text, locale: named }) {
    const { locale } = await findFieldLocale(api, id, { given: named, isRead: false });
    const { analysis } = await api('PUT /apps/{id}/keyword-field', {
      params: { id },
      body: { text, locale },
    });
    const { used, free, wastedCharacters: wasted, normalized } = analysis;
    const summary = lines(
      `Saved for ${locale}: ${used} of 100 characters, ${free} free, ${wasted} wasted.`,
      `Normalized: ${quote(normalized)}`,
    );
    return {
      text: summary,
      data: { saved: true as const, locale, used, free, wasted, normalized },
    };
  },
});

export const metadataTools = [
  getMetadataTimeline,
  ...changeTools,
  checkKeywordField,
  setKeywordField,
  ...listingDraftTools,
];
