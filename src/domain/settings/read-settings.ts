import type { SettingsChange, WorkspaceSettings } from '../../contract/settings.ts';
import type { Tx } from '../../db/database.ts';
import { findSettings } from '../../db/queries/settings.ts';
import { inTenant, type Ctx } from '../context.ts';

/** What holds where a workspace has set nothing. */
export const defaultSettings: WorkspaceSettings = {
  defaultDepth: 200,
  digestDay: 'monday',
  digestHour: 8,
  thresholds: { movePlaces: 5, highTraffic: 60, highDifficulty: 60 },
  reviewNegativeMaxRating: 2,
  timezoneForDisplay: 'UTC',
};

/** Every setting of a workspace, defaults where it has set nothing. Works in either role's transaction. */
export async function readSettings(tx: Tx, workspaceId: number): Promise<WorkspaceSettings> {
  return withDefaults((await findSettings(tx, workspaceId)) as SettingsChange | undefined);
}

export function getSettings(ctx: Ctx): Promise<WorkspaceSettings> {
  return inTenant(ctx, (tx) => readSettings(tx, ctx.workspaceId));
}

export function withDefaults(set: SettingsChange = {}): WorkspaceSettings {
  const thresholds = Object.assign({}, defaultSettings.thresholds, set.thresholds);
  return Object.assign({}, defaultSettings, set, { thresholds });
}
