import type { z } from 'zod';
import type { keywordField, keywordFieldVersion } from '#contract/keyword-field.ts';
import { listFieldVersions, type FieldVersion } from '#db/queries/keyword-field/keyword-field.ts';
import { countCharacters } from '#lib/text.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';
import { listFollowed, type Followed } from '#domain/tracking/rankings/followed-keywords.ts';
import { listFieldWords } from './field-text.ts';
import { getAppWithField } from './app-with-field.ts';
import { measureOutcomes } from './measure-outcomes.ts';
import { wordFinder } from '#lib/phrase-words.ts';

export type FieldHistory = z.input<
  (typeof keywordField)['GET /apps/{id}/keyword-field/history']['responses'][200]
>;
type Version = z.input<typeof keywordFieldVersion>;

const maxAffected = 200;

/**
 * Past versions, newest first. A version affects the tracked keywords, of every country, that
 * contain a word it added or removed. Throws not_found, invalid_cursor, and invalid_request where
 * the store has no keyword fields.
 */
export function listFieldHistory(
  ctx: Ctx,
  appId: number,
  query: { locale?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<FieldHistory> {
  const list = `keyword-field ${appId} ${query.locale ?? ''}`;
  const beforeId = query.cursor === undefined ? 2_147_483_647 : readIdCursor(list, query.cursor);
  return inTenant(ctx, async (tx) => {
    await getAppWithField(tx, ctx, appId);
    const { rows, total } = await listFieldVersions(tx, ctx.workspaceId, {
      appId,
      locale: query.locale ?? null,
      beforeId,
      limit: query.limit + 1,
    });
    const page = rows.slice(0, query.limit);
    const keywords = page.length === 0 ? [] : await listFollowed(tx, ctx, appId, {});
    const found = keywords.map((keyword) => ({ keyword, holds: wordFinder(keyword.phrase) }));
    const changes = page.map((version) => changeOf(version, found));
    const outcomes = await measureOutcomes(
      tx,
      changes.map(({ affected }, index) => ({ savedOn: utcDayOf(page[index]!.savedAt), affected })),
      utcDayOf(ctx.clock.now()),
    );
    const items = page.map((version, index) => present(version, changes[index]!, outcomes[index]!));
    return {
      items,
      nextCursor: rows.length > page.length ? writeCursor(list, [page.at(-1)!.id]) : null,
      total,
    };
  });
}

interface FieldChange {
  added: string[];
  removed: string[];
  affected: Followed[];
}

function changeOf(
  { normalized, previous }: FieldVersion & { previous: string },
  keywords: readonly { keyword: Followed; holds: (word: string) => boolean }[],
): FieldChange {
  const [now, then] = [listFieldWords(normalized), listFieldWords(previous)];
  const [added, removed] = [without(now, then), without(then, now)];
  const changed = [...added, ...removed];
  const affected = keywords.filter(({ holds }) => changed.some(holds)).slice(0, maxAffected);
  return { added, removed, affected: affected.map(({ keyword }) => keyword) };
}

function without(words: readonly string[], others: readonly string[]): string[] {
  return [...new Set(words)].filter((word) => !others.includes(word));
}

function present(
  version: FieldVersion,
  { added, removed, affected }: FieldChange,
  outcome: Pick<Version, 'before' | 'after'>,
): Version {
  const { id, locale, text, normalized } = version;
  return {
    id,
    locale,
    text,
    normalized,
    length: countCharacters(normalized),
    savedAt: version.savedAt.toISOString(),
    added,
    removed,
    affectedKeywordIds: affected.map((keyword) => keyword.id),
    ...outcome,
  };
}
