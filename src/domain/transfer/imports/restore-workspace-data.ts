import { randomBytes } from 'node:crypto';
import { upsertAlertRules } from '#db/queries/alerts/alerts.ts';
import { markDigestSent } from '#db/queries/digests/digests.ts';
import { insertImportedWebhook } from '#db/queries/imports/imported-actions.ts';
import {
  insertImportedAnnotations,
  insertImportedFields,
  insertImportedMarks,
} from '#db/queries/imports/imported-rows.ts';
import { insertTagStyle } from '#db/queries/imports/imports.ts';
import { lockSettings, upsertSettings } from '#db/queries/settings/settings.ts';
import { utcDayOf } from '#lib/dates.ts';
import { mondayOf } from '#domain/insights/digests/week.ts';
import { maxKeywordFieldCharacters } from '#domain/base/ports.ts';
import { readFieldText } from '#domain/insights/keyword-field/field-text.ts';
import { isMasked } from '#domain/alerting/webhooks/mask-address.ts';
import { encryptSecret } from '#domain/alerting/webhooks/secrets.ts';
import type { Restore } from './import-run.ts';

const secretBytes = 32;

export const restoreSettings: Restore<'settings'> = async ({ tx, ctx }, rows) => {
  await lockSettings(tx, ctx.workspaceId);
  for (const { settings } of rows) await upsertSettings(tx, ctx.workspaceId, settings);
  return rows.length;
};

export const restoreTagStyles: Restore<'tag_styles'> = async ({ tx, ctx }, rows) => {
  for (const style of rows) await insertTagStyle(tx, ctx.workspaceId, style);
  return rows.length;
};

/**
 * A rule of a deleted app is kept as a rule without a match. Removing it would restore the event's
 * default.
 */
export const restoreAlertRules: Restore<'alert_rules'> = async ({ tx, ctx, ids }, rows) => {
  for (const { rules, saved_at } of rows) {
    const renewed = rules.map((rule) => {
      if (!('scope' in rule) || rule.scope.appIds === undefined) return rule;
      return {
        ...rule,
        scope: { ...rule.scope, appIds: rule.scope.appIds.map((id) => ids.of('app', id)) },
      };
    });
    await upsertAlertRules(tx, ctx.workspaceId, {
      rules: JSON.stringify(renewed),
      savedAt: new Date(saved_at),
    });
  }
  return rows.length;
};

export const restoreAnnotations: Restore<'annotations'> = async ({ tx, ctx, ids }, rows) => {
  const annotations = rows.map(({ app_id, on_date, text, keyword_ids, created_at }) => ({
    appId: ids.of('app', app_id),
    date: on_date,
    text,
    keywordIds: ids.pick('keyword', keyword_ids),
    createdAt: created_at,
  }));
  await insertImportedAnnotations(tx, ctx.workspaceId, annotations);
  return rows.length;
};

/** All versions, in order. */
export const restoreKeywordFields: Restore<'keyword_fields'> = async ({ tx, ctx, ids }, rows) => {
  const fields = rows.map(({ app_id, locale, text, saved_at }) => ({
    appId: ids.of('app', app_id),
    locale,
    text,
    // The scan of the file has held each field to the limit of its app's store.
    normalized: readFieldText(text, maxKeywordFieldCharacters).normalized,
    savedAt: saved_at,
  }));
  await insertImportedFields(tx, ctx.workspaceId, fields);
  return rows.length;
};

export const restoreReviewMarks: Restore<'review_marks'> = async ({ tx, ctx, ids }, rows) => {
  const marks = rows.map(({ app_id, country, store_review_id, tags, note, read_at }) => ({
    appId: ids.of('app', app_id),
    country,
    storeReviewId: store_review_id,
    tags,
    note,
    readAt: read_at,
  }));
  await insertImportedMarks(tx, ctx.workspaceId, marks);
  return rows.length;
};

export const restoreWebhooks: Restore<'webhooks'> = async (
  { tx, ctx, ids, refusedUrls, encryptionKey },
  rows,
) => {
  const accepted = rows.filter(({ url }) => !refusedUrls.has(url));
  for (const row of accepted) {
    const {
      url,
      kind,
      events,
      description,
      enabled,
      disabled_by: disabledBy,
      created_at: createdAt,
    } = row;
    const isWhole = !isMasked(url);
    const secret = encryptSecret(encryptionKey, ctx.workspaceId, randomBytes(secretBytes));
    const webhook = {
      url,
      kind,
      events: [...new Set(events)],
      description,
      enabled: enabled && isWhole,
      disabledBy: isWhole ? disabledBy : (disabledBy ?? 'user'),
      createdAt,
      secret,
    };
    ids.add('webhook', [row], await insertImportedWebhook(tx, ctx.workspaceId, webhook));
  }
  return accepted.length;
};

/** Restores the last digest's week, so that the digest is not sent again. */
export const restoreSentDigests: Restore<'sent_digests'> = async ({ tx, ctx }, rows) => {
  const thisWeek = mondayOf(utcDayOf(ctx.clock.now()));
  const over = rows.filter(({ week }) => week < thisWeek && mondayOf(week) === week);
  for (const { week } of over) await markDigestSent(tx, ctx.workspaceId, { week, thisWeek });
  return over.length;
};
