import type { SimApp } from './apps.ts';
import { releasePeriod, type SimListing } from './listing.ts';

/** The names of pictures; a picture is drawn from its name alone. */
export const iconOf = (app: SimApp): string => `icon-${app.storeAppId}-0-0`;

/**
 * The screenshots of a listing, in their order. Every third release replaces the first one, adds a
 * fourth, moves it to the front, or removes it.
 */
export function screenshotsOf({ app, updatedOn }: SimListing): string[] {
  const releases = Math.floor(Math.max(0, updatedOn - app.releasedOn) / releasePeriod(app));
  const change = Math.floor(releases / 3);
  const [replaced, phase] = [Math.floor((change + 3) / 4), change % 4];
  const name = (number: number, revision = 0) =>
    `screenshot-${app.storeAppId}-${number}-${revision}`;
  const usual = [name(1, replaced), name(2), name(3)];
  const added = name(4, replaced);
  return phase === 2 ? [...usual, added] : phase === 3 ? [added, ...usual] : usual;
}
