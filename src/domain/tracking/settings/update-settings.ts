import type { SettingsUpdate, WorkspaceSettings } from '#contract/settings.ts';
import { lockSettings, upsertSettings } from '#db/queries/settings/settings.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { withDefaults } from './get-settings.ts';

/**
 * Updates the given settings and returns all. Only values that were set are stored, so that
 * defaults can still change. Throws precondition_failed.
 */
export function updateSettings(ctx: Ctx, change: SettingsUpdate): Promise<WorkspaceSettings> {
  return inTenant(ctx, async (tx) => {
    const kept = (await lockSettings(tx, ctx.workspaceId)) as SettingsUpdate;
    assertUnchanged(ctx, withDefaults(kept));
    const changed: SettingsUpdate = {
      ...kept,
      ...change,
      thresholds: { ...kept.thresholds, ...change.thresholds },
    };
    await upsertSettings(tx, ctx.workspaceId, changed);
    await writeAudit(tx, ctx, {
      action: 'settings.changed',
      subject: null,
      detail: flatten(change),
    });
    return withDefaults(changed);
  });
}

function flatten({ thresholds, ...rest }: SettingsUpdate): Record<string, string | number> {
  const named = Object.entries(thresholds ?? {}).map(([name, value]) => [
    `thresholds.${name}`,
    value,
  ]);
  return Object.fromEntries([...Object.entries(rest), ...named]) as Record<string, string | number>;
}
