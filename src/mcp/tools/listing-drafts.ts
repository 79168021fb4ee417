import { z } from 'zod';
import { ApiError, type Client } from '#client/http.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { locale as localeSchema } from '#contract/keyword-field.ts';
import { draftFields, draftTexts } from '#contract/listing-drafts.ts';
import { canonicalLocale } from '#lib/canonical-locale.ts';
import { isStorable } from '#lib/text.ts';
import { profileOf, type StoreName } from '#stores/profiles.ts';
import { appIdArgument, countryArgument } from '../argument-schemas.ts';
import { notice } from '../common-schemas.ts';
import { spellLocale } from '../spell-locale.ts';
import { defineTool } from '../tool.ts';
import { lines, storeTextNotice, truncateOrNull } from '../text-format.ts';

const shownPhrases = 100;
/** A refused save means that another call has saved, so as many calls at once all succeed. */
const savesMax = 10;

/** Checked here as the API does, because a draft may be created before the API sees the texts. */
const givenText = z
  .strictObject({ field: z.enum(draftFields), text: z.string().nullable() })
  .check(({ value: { field, text }, issues }) => {
    if (text === null) return;
    const { error } = draftTexts.shape[field].safeParse(text);
    const messages = error?.issues.map(({ message }) => message) ?? [];
    if (!isStorable(text)) messages.push('no NUL and no lone surrogates');
    for (const message of messages)
      issues.push({ code: 'custom', path: ['text'], input: text, message });
  });
const givenLocale = z
  .string()
  .refine((text) => localeSchema.safeParse(text).success, 'a language tag, such as en-US');

const draftOutput = z.object({
  draftId: z.int().nullable(),
  locales: z.array(z.string()),
  texts: z.array(
    z.object({
      field: z.string(),
      draft: z.string().nullable(),
      live: z.string().nullable(),
      characters: z.int(),
      limit: z.int().nullable(),
    }),
  ),
  covered: z.int().nullable(),
  total: z.int().nullable(),
  uncovered: z.array(z.string()),
  notice,
});

const getListingDraft = defineTool({
  name: 'get_listing_draft',
  title: 'Listing draft',
  description:
    'Current draft: texts of a locale beside live ones, with limits; locales; tracked ' +
    'phrases covered in a country.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    locale: z.string().optional().describe('Such as en-US.'),
    country: countryArgument.optional(),
  }),
  output: draftOutput,
  async run(api, { appId, locale: named, country }) {
    const draft = await findCurrentDraft(api, appId);
    const { store } = await api('GET /apps/{id}', { params: { id: appId } });
    const stored = draft?.locales ?? [];
    const locale = named && spellLocale(named, { store, stored });
    const drafted = draft && locale ? await readTexts(api, draft.id, locale) : [];
    const compared =
      locale && drafted.length === 0 ? await readLive(api, { id: appId, store }, locale) : drafted;
    const coverage = draft && country ? await readCoverage(api, appId, country) : null;
    const data = {
      draftId: draft?.id ?? null,
      locales: draft?.locales ?? [],
      texts: compared,
      covered: coverage?.covered ?? null,
      total: coverage?.total ?? null,
      uncovered: coverage?.uncovered ?? [],
      notice: storeTextNotice,
    };
    return { text: formatDraft(data, locale, country), data };
  },
});

const saveListingTexts = defineTool({
  name: 'save_listing_texts',
  title: 'Save draft texts',
  description:
    'Saves texts of a locale in the current draft; other fields stay. The store is not changed.',
  kind: 'write',
  idempotent: true,
  input: z.strictObject({
    appId: appIdArgument,
    locale: givenLocale.describe('Such as en-US.'),
    texts: z.array(givenText).min(1).describe('null: not drafted. "": empty in the store.'),
  }),
  apiNames: { locales: 'locale' },
  output: z.object({ draftId: z.int(), tooLong: z.array(z.string()) }),
  async run(api, { appId, locale: named, texts: given }) {
    const draft = (await findCurrentDraft(api, appId)) ?? (await createDraft(api, appId));
    const { store } = await api('GET /apps/{id}', { params: { id: appId } });
    const locale = spellLocale(named, { store, stored: draft.locales });
    await saveTexts(api, { draftId: draft.id, locale, given });
    const saved = await readTexts(api, draft.id, locale);
    const tooLong = saved.filter(({ characters, limit }) => limit !== null && characters > limit);
    const text = lines(
      `Saved ${given.map(({ field }) => field).join(', ')} of ${locale} in draft ${draft.id}.`,
      tooLong.map(
        ({ field, characters, limit }) =>
          `- ${field} has ${characters} characters; the store accepts ${limit}.`,
      ),
    );
    return { text, data: { draftId: draft.id, tooLong: tooLong.map(({ field }) => field) } };
  },
});

const isRefused = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ApiError && error.envelope.code === code;

async function listDrafts(api: Client, id: number) {
  return (await api('GET /apps/{id}/listing-drafts', { params: { id } })).items;
}

/** Undefined when the app has no draft, or when the current one was deleted. */
async function findCurrentDraft(api: Client, id: number) {
  return (await listDrafts(api, id)).find(({ current }) => current);
}

/** The first draft of an app is the current one by itself. */
async function createDraft(api: Client, appId: number) {
  const minute = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const name = `Draft of ${minute}`;
  const create = api('POST /apps/{id}/listing-drafts', { params: { id: appId }, body: { name } });
  const { id } = await create.catch(async (error: unknown) => {
    // Another call may have created it in the meantime: a name exists once.
    const drafts = isRefused(error, 'invalid_request') ? await listDrafts(api, appId) : [];
    const made = drafts.find((draft) => draft.name === name);
    if (!made) throw error;
    return made;
  });
  return api('PATCH /listing-drafts/{id}', { params: { id }, body: { current: true } });
}

interface GivenTexts {
  draftId: number;
  locale: string;
  given: readonly z.output<typeof givenText>[];
}

/**
 * Changes the given fields only. The version is that of the whole draft, so a save of another
 * locale refuses this one, too; it is then repeated with what was read again.
 */
async function saveTexts(api: Client, { draftId, locale, given }: GivenTexts): Promise<void> {
  for (let saves = 1; ; saves += 1) {
    const before = await readLocale(api, draftId, locale);
    const texts = { ...before.texts[0]?.texts };
    for (const { field, text } of given) {
      if (text === null) delete texts[field];
      else texts[field] = text;
    }
    try {
      await api('PUT /listing-drafts/{id}/texts', {
        params: { id: draftId },
        body: { locales: [{ locale, texts }] },
        ifMatch: before.etag,
      });
      return;
    } catch (error) {
      if (saves === savesMax || !isRefused(error, 'precondition_failed')) throw error;
    }
  }
}

const readLocale = (api: Client, id: number, locale: string) =>
  api('GET /listing-drafts/{id}', { params: { id }, query: { locale } });

type ComparedTexts = z.input<typeof draftOutput>['texts'];

async function readTexts(api: Client, id: number, locale: string): Promise<ComparedTexts> {
  const { texts } = await readLocale(api, id, locale);
  return (texts[0]?.compared ?? []).map(({ field, draft, live, characters, limit }) => ({
    field,
    draft,
    live: truncateOrNull(live, 4_000),
    characters,
    limit,
  }));
}

/** The live texts of a locale that is not drafted. */
async function readLive(
  api: Client,
  { id, store }: { id: number; store: StoreName },
  locale: string,
): Promise<ComparedTexts> {
  const { items } = await api('GET /apps/{id}/live-listings', { params: { id } });
  const requested = canonicalLocale(locale);
  const live = items.find((one) => canonicalLocale(one.locale) === requested)?.texts ?? {};
  const limits: Partial<Record<string, { max: number } | null>> = profileOf(store).texts;
  return draftFields
    .filter((field) => live[field] !== undefined)
    .map((field) => ({
      field,
      draft: null,
      live: truncateOrNull(live[field] ?? null, 4_000),
      characters: 0,
      limit: limits[field]?.max ?? null,
    }));
}

/** Phrases that are not covered, each with the words that the nearest locale lacks. */
async function readCoverage(api: Client, id: number, country: string) {
  const { covered, total, phrases } = await api('GET /apps/{id}/locale-coverage', {
    params: { id },
    query: { country },
  });
  const uncovered = phrases
    .filter(({ coveredBy }) => coveredBy.length === 0)
    .slice(0, shownPhrases)
    .map(({ phrase, missing }) => `${phrase}: ${missing.join(' ')}`);
  return { covered, total, uncovered };
}

function formatDraft(
  { draftId, locales, texts: compared, covered, total, uncovered }: z.input<typeof draftOutput>,
  locale: string | undefined,
  country: string | undefined,
): string {
  const missing = (total ?? 0) - (covered ?? 0);
  const count = uncovered.length < missing ? ` (${uncovered.length} of ${missing})` : '';
  return lines(
    draftId === null
      ? 'There is no current draft. save_listing_texts creates one.'
      : `Draft ${draftId} has texts in ${locales.length} locales: ${locales.join(', ') || 'none'}.`,
    draftId !== null &&
      locale !== undefined &&
      compared.every(({ draft }) => draft === null) &&
      `It has no texts in ${locale}${compared.length === 0 ? ', and no live ones are known' : ''}.`,
    compared.length > 0 && 'Texts are JSON strings.',
    compared.map((row) => `- ${row.field}: ${formatText(row)}; live ${quoteExact(row.live)}`),
    covered !== null && `It covers ${covered} of ${total} tracked phrases in ${country}.`,
    missing > 0 &&
      `Not covered${count}, with the missing words: ${uncovered.join('; ') || 'not listed'}.`,
    storeTextNotice,
  );
}

function formatText({ draft, characters, limit }: ComparedTexts[number]): string {
  const most = limit === null ? '' : ` of ${limit}`;
  if (draft === null) return `not drafted${limit === null ? '' : `, at most ${limit} characters`}`;
  if (draft === '') return 'empty, which empties the text in the store';
  return `${quoteExact(draft)}; ${characters}${most} characters`;
}

/** On one line, with every character: the text may be edited and saved. */
const quoteExact = (text: string | null): string =>
  text === null || text === '' ? '–' : JSON.stringify(text);

export const listingDraftTools = [getListingDraft, saveListingTexts];
