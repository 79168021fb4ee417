import type { Tx } from '#db/database.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import type { Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { profileOf, type StoreName } from '#domain/base/ports.ts';

export interface AppWithField {
  id: number;
  listingId: number;
  store: StoreName;
  primaryCountry: string;
  archivedAt: Date | null;
  /** The number of characters of the normalized field that the app's store accepts. */
  maxCharacters: number;
}

/** Throws not_found, and invalid_request for an app of a store without keyword fields. */
export async function getAppWithField(tx: Tx, ctx: Ctx, appId: number): Promise<AppWithField> {
  const app = await getApp(tx, ctx, appId);
  const { name, texts } = profileOf(app.store);
  if (texts.keywordField === null)
    throw invalid('id', `an app of a store with keyword fields; ${name} has none`, app.store);
  return { ...app, maxCharacters: texts.keywordField.max };
}
