import type { Tx } from '../../db/database.ts';
import { getApp } from '../apps/find-app.ts';
import type { Ctx } from '../context.ts';
import { invalid } from '../errors.ts';

export interface IosApp {
  id: number;
  listingId: number;
  primaryCountry: string;
  archivedAt: Date | null;
}

/** Throws not_found, and invalid_request for an app of the other store, which has no such field. */
export async function getIosApp(tx: Tx, ctx: Ctx, appId: number): Promise<IosApp> {
  const app = await getApp(tx, ctx, appId);
  if (app.store !== 'ios')
    throw invalid('id', 'an iOS app: apps of the Android store have no keyword field', app.store);
  return app;
}
