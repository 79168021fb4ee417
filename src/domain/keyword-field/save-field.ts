import type { z } from 'zod';
import type { keywordField, keywordFieldRecord } from '../../contract/keyword-field.ts';
import { lockApp } from '../../db/queries/apps.ts';
import {
  findFieldVersion,
  insertFieldVersion,
  type FieldVersion,
} from '../../db/queries/keyword-field.ts';
import { countCharacters } from '../../lib/text.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { inTenant, type Ctx } from '../context.ts';
import { invalid } from '../errors.ts';
import { analyse } from './analyse-field.ts';
import { maxFieldCharacters, readFieldText } from './field-text.ts';
import { getIosApp } from './ios-app.ts';

export type FieldRecord = z.input<typeof keywordFieldRecord>;
export type SavedField = z.input<
  (typeof keywordField)['PUT /apps/{id}/keyword-field']['responses'][200]
>;

/** The version that stands, empty before the first. Throws not_found, and invalid_request for Android. */
export function readField(
  ctx: Ctx,
  appId: number,
  { locale }: { locale: string },
): Promise<FieldRecord> {
  return inTenant(ctx, async (tx) => {
    await getIosApp(tx, ctx, appId);
    return present(locale, await findFieldVersion(tx, ctx.workspaceId, appId, locale));
  });
}

/**
 * Saves the text as a version of its own: of two who save at once the later one's stands whole, and nothing is merged.
 * The text that stands already makes no version. Throws what `readFieldText` throws, not_found, invalid_request.
 */
export async function saveField(
  ctx: Ctx,
  appId: number,
  { text, locale }: { text: string; locale: string },
): Promise<SavedField> {
  const { normalized } = readFieldText(text);
  const { app, saved } = await inTenant(ctx, async (tx) => {
    const found = await getIosApp(tx, ctx, appId);
    if (found.archivedAt) throw invalid('id', 'the app is archived; restore it first', appId);
    await lockApp(tx, ctx.workspaceId, appId);
    const standing = await findFieldVersion(tx, ctx.workspaceId, appId, locale);
    if (standing?.text !== text) {
      const version = {
        appId,
        locale,
        text,
        normalized,
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
    return { app: found, saved: await findFieldVersion(tx, ctx.workspaceId, appId, locale) };
  });
  return {
    ...present(locale, saved),
    analysis: await inTenant(ctx, (tx) => analyse(tx, ctx, app, { normalized })),
  };
}

function present(locale: string, version: FieldVersion | undefined): FieldRecord {
  const { text, normalized } = version ?? { text: '', normalized: '' };
  const length = countCharacters(normalized);
  return {
    locale,
    text,
    normalized,
    length,
    limit: maxFieldCharacters,
    updatedAt: version?.savedAt.toISOString() ?? null,
  };
}
