import type { UtcDay } from '#lib/dates.ts';
import type { SimApp } from '../world/apps.ts';
import { languageOf } from '../world/countries.ts';
import { PartitionedCache } from '../world/partitioned-cache.ts';
import type { World } from '../world/world.ts';
import { toItunesRecord, type CardOptions } from './card.ts';

/** Caches rendered results, because an app is in many searches of a day. */
export function createCards(world: World) {
  const rendered = new PartitionedCache<Buffer>(48 * 1024 * 1024, (card) => card.length);
  return function renderCard(
    app: SimApp,
    storefront: { country: string; day: UtcDay; kind?: CardOptions['kind'] },
  ): Buffer {
    const kind = storefront.kind ?? 'software';
    return rendered.take(
      `${world.overrides.version()}|${storefront.day}|${storefront.country}|${kind}`,
      app.index,
      () => {
        const listing = world.listing(app, {
          ...storefront,
          language: languageOf(storefront.country),
        });
        const { detail } = world.settings;
        return Buffer.from(
          JSON.stringify(
            toItunesRecord(listing, {
              country: storefront.country,
              detail,
              kind,
            }),
          ),
        );
      },
    );
  };
}

export type RenderCard = ReturnType<typeof createCards>;

/** The envelope of iTunes: it starts with empty lines and its content type is a script. */
export function wrapResults(cards: readonly Buffer[], drifted = false): Buffer {
  const parts: Buffer[] = [
    Buffer.from(
      `\n\n\n{\n "${drifted ? 'total' : 'resultCount'}":${cards.length},\n ` +
        `"${drifted ? 'items' : 'results'}": [\n`,
    ),
  ];
  cards.forEach((card, index) => {
    if (index > 0) parts.push(comma);
    parts.push(card);
  });
  parts.push(Buffer.from(']\n}\n\n\n'));
  return Buffer.concat(parts);
}

const comma = Buffer.from(',\n');
