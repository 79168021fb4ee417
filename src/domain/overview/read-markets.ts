import type { z } from 'zod';
import type { apps } from '../../contract/apps.ts';
import type { Ctx } from '../context.ts';

export type AppMarkets = z.input<(typeof apps)['GET /apps/{id}/markets']['responses'][200]>;

/** The countries of an app's keywords, with what they cost. Throws not_found. */
export async function readAppMarkets(_ctx: Ctx, _appId: number): Promise<AppMarkets> {
  throw new Error('being written');
}
