import type { z } from 'zod';
import type { overview } from '../../contract/apps.ts';
import type { Ctx } from '../context.ts';

export type Overview = z.input<typeof overview>;

/** How an app of this workspace stands, in one country or in all. Throws not_found. */
export async function readOverview(_ctx: Ctx, _appId: number, _filter: { country?: string | undefined }): Promise<Overview> {
  throw new Error('being written');
}
