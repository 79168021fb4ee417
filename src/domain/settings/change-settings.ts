import type { SettingsChange, WorkspaceSettings } from '../../contract/settings.ts';
import { lockSettings, updateSettings } from '../../db/queries/settings.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { inTenant, type Ctx } from '../context.ts';
import { withDefaults } from './read-settings.ts';

/** Changes what is sent and keeps the rest; answers all settings. Only what was ever set is kept, so that a default may still move. */
export function changeSettings(ctx: Ctx, change: SettingsChange): Promise<WorkspaceSettings> {
  return inTenant(ctx, async (tx) => {
    const kept = (await lockSettings(tx, ctx.workspaceId)) as SettingsChange;
    const changed: SettingsChange = {
      ...kept,
      ...change,
      thresholds: { ...kept.thresholds, ...change.thresholds },
    };
    await updateSettings(tx, ctx.workspaceId, changed);
    await writeAudit(tx, ctx, {
      action: 'settings.changed',
      subject: null,
      detail: flatten(change),
    });
    return withDefaults(changed);
  });
}

function flatten({ thresholds, ...rest }: SettingsChange): Record<string, string | number> {
  const named = Object.entries(thresholds ?? {}).map(([name, value]) => [
    `thresholds.${name}`,
    value,
  ]);
  return Object.fromEntries([...Object.entries(rest), ...named]) as Record<string, string | number>;
}
