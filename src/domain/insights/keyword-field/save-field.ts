import type { z } from 'zod';
import type { keywordField, keywordFieldRecord } from '#contract/keyword-field.ts';
import { lockApp } from '#db/queries/apps/apps.ts';
import {
  findFieldVersion,
  insertFieldVersion,
  type FieldVersion,
} from '#db/queries/keyword-field/keyword-field.ts';
import { countCharacters } from '#lib/text.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { analyse } from './analyse-field.ts';
import { readFieldText } from './field-text.ts';
import { getAppWithField, type AppWithField } from './app-with-field.ts';

export type FieldRecord = z.input<typeof keywordFieldRecord>;
export type SavedField = z.input<
  (typeof keywordField)['PUT /apps/{id}/keyword-field']['responses'][200]
>;

/**
 * The current version, empty before the first. Throws not_found, and invalid_request where the
 * store has no keyword fields.
 */
export function readField(
  ctx: Ctx,
  appId: number,
  { locale }: { locale: string },
): Promise<FieldRecord> {
  return inTenant(ctx, async (tx) => {
    const app = await getAppWithField(tx, ctx, appId);
    return present(app, locale, await findFieldVersion(tx, ctx.workspaceId, appId, locale));
  });
}

/**
 * Saves the text as a new version. Without If-Match, the later of two concurrent saves wins
 * completely. Saving the current text creates no version. Throws the errors of `readFieldText`,
 * not_found, invalid_request, precondition_failed.
 */
export async function saveField(
  ctx: Ctx,
  appId: number,
  { text, locale }: { text: string; locale: string },
): Promise<SavedField> {
  const { app, normalized, saved } = await inTenant(ctx, async (tx) => {
    const found = await getAppWithField(tx, ctx, appId);
    const field = readFieldText(text, found.maxCharacters);
    if (found.archivedAt) throw invalid('id', 'the app is archived; restore it first', appId);
    await lockApp(tx, ctx.workspaceId, appId);
    const current = await findFieldVersion(tx, ctx.workspaceId, appId, locale);
    assertUnchanged(ctx, present(found, locale, current));
    if (current?.text !== text) {
      const version = {
        appId,
        locale,
        text,
        normalized: field.normalized,
        savedAt: ctx.clock.now(),
        savedBy: ctx.actor.userId,
      };
      await insertFieldVersion(tx, ctx.workspaceId, version);
      await writeAudit(tx, ctx, {
        action: 'keyword_field.changed',
        subject: `app ${appId}`,
        detail: { locale },
      });
    }
    const stored = await findFieldVersion(tx, ctx.workspaceId, appId, locale);
    return { app: found, normalized: field.normalized, saved: stored };
  });
  return {
    ...present(app, locale, saved),
    analysis: await inTenant(ctx, (tx) => analyse(tx, ctx, app, { normalized })),
  };
}

function present(
  { maxCharacters }: AppWithField,
  locale: string,
  version: FieldVersion | undefined,
): FieldRecord {
  const { text, normalized } = version ?? { text: '', normalized: '' };
  const length = countCharacters(normalized);
  return {
    locale,
    text,
    normalized,
    length,
    limit: maxCharacters,
    updatedAt: version?.savedAt.toISOString() ?? null,
  };
}
