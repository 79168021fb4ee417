import type { SettingsUpdate, WorkspaceSettings } from '#contract/settings.ts';
import type { Tx } from '#db/database.ts';
import { findSettings } from '#db/queries/settings/settings.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';

/** Defaults of settings. */
const defaultSettings: WorkspaceSettings = {
  defaultDepth: 200,
  digestDay: 'monday',
  digestHour: 8,
  thresholds: { movePositions: 5, highTraffic: 60, highDifficulty: 60 },
  reviewNegativeMaxRating: 2,
  timezoneForDisplay: 'UTC',
};

/** Every setting of a workspace, with defaults. Works in either role's transaction. */
export async function loadSettings(tx: Tx, workspaceId: number): Promise<WorkspaceSettings> {
  return withDefaults((await findSettings(tx, workspaceId)) as SettingsUpdate | undefined);
}

export function getSettings(ctx: Ctx): Promise<WorkspaceSettings> {
  return inTenant(ctx, (tx) => loadSettings(tx, ctx.workspaceId));
}

export function withDefaults(set: SettingsUpdate = {}): WorkspaceSettings {
  const thresholds = Object.assign({}, defaultSettings.thresholds, set.thresholds);
  return Object.assign({}, defaultSettings, set, { thresholds });
}
