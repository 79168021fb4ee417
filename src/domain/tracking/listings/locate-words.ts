import type { z } from 'zod';
import type { locatedWord } from '#contract/located-words.ts';
import { readTogether, type Tx } from '#db/database.ts';
import { listFieldsOfApps, listTextsOfApps } from '#db/queries/listings/own-texts.ts';
import type { Ctx } from '#domain/base/context.ts';
import { listingTexts, profileOf, type ListingText } from '#domain/base/ports.ts';
import { wordFinder } from '#lib/phrase-words.ts';

export type LocatedWord = z.input<typeof locatedWord>;

/** Null for an app that was not read in the country yet. */
export type WordLocator = (market: {
  appId: number;
  country: string;
  phrase: string;
}) => LocatedWord[] | null;

/**
 * Finds the words of phrases in the texts of the workspace's own apps by which the store searches,
 * in the country of the phrase. A word in several texts counts for the first of `listingTexts`. The
 * keyword fields of all locales count. Two statements for any number of phrases.
 */
export async function loadWordLocator(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  markets: readonly { appId: number; country: string }[],
): Promise<WordLocator> {
  const shown = [...new Map(markets.map((market) => [keyOf(market), market])).values()];
  if (shown.length === 0) return () => null;
  const appIds = [...new Set(shown.map(({ appId }) => appId))];
  const [versions, rows] = await readTogether(
    tx,
    () => listFieldsOfApps(tx, ctx.workspaceId, appIds),
    () => listTextsOfApps(tx, ctx.workspaceId, shown),
  );
  const fields = Map.groupBy(versions, ({ appId }) => appId);
  const finders = new Map(
    rows.map((row) => {
      const keywordField = (fields.get(row.appId) ?? []).map(({ normalized }) => normalized);
      return [
        keyOf(row),
        createFinder(row.store, { ...row, keywordField: keywordField.join('\n') }),
      ];
    }),
  );
  return ({ phrase, ...market }) => {
    const find = finders.get(keyOf(market));
    return find ? phrase.split(' ').map((word) => ({ word, field: find(word) })) : null;
  };
}

const keyOf = ({ appId, country }: { appId: number; country: string }) => `${appId} ${country}`;

function createFinder(
  store: Parameters<typeof profileOf>[0],
  texts: Record<ListingText, string | null>,
): (word: string) => ListingText | null {
  const searched = byVisibility
    .filter((name) => profileOf(store).texts[name]?.isSearched && texts[name])
    .map((name) => ({ name, holds: wordFinder(texts[name]!) }));
  const known = new Map<string, ListingText | null>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const name = searched.find(({ holds }) => holds(word))?.name ?? null;
    known.set(word, name);
    return name;
  };
}

/** A word in the keyword field weighs more than one in a description. */
const byVisibility = listingTexts.toSorted(
  (a, b) => Number(a === 'description') - Number(b === 'description'),
);
