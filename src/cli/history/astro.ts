import type { DatabaseSync } from 'node:sqlite';
import { quoteName, type DatabaseSchema } from './database-schema.ts';
import type { HistoryDatabase } from './history-row.ts';
import { asPosition } from './keywordista.ts';

/** Core Data counts seconds from 2001. */
const epochSeconds = 978_307_200;
const notFoundValue = 1_000;
const names = {
  app: /^ZAPP(?:LICATION)?$/,
  appId: /^Z(?:APPID|APPSTOREID|STOREID|TRACKID)$/,
  position: /^Z(?:CURRENT)?(?:RANK|RANKING|POSITION)$/,
};

interface Stored {
  app: unknown;
  phrase: string;
  country: string | null;
  seconds: number | null;
  position: unknown;
  platform: string | null;
}

/**
 * The database of Astro, whose tables differ by version: a table with a keyword, a date and a
 * position has the history, whatever its name.
 */
export function openAstro(database: DatabaseSync, schema: DatabaseSchema): HistoryDatabase | null {
  const keywords = schema.get('ZKEYWORD');
  const apps = [...schema].find(
    ([table, columns]) => names.app.test(table) && columns.some((name) => names.appId.test(name)),
  );
  const points = [...schema].find(
    ([, columns]) =>
      columns.includes('ZKEYWORD') &&
      columns.includes('ZDATE') &&
      columns.some((name) => names.position.test(name)),
  );
  const owner = keywords?.find((name) => names.app.test(name));
  if (!keywords?.includes('ZTEXT') || !owner || !apps || !points) return null;
  const column = (columns: readonly string[], shape: RegExp) =>
    quoteName(columns.find((name) => shape.test(name))!);
  const hasDevices = apps[1].includes('ZPLATFORM');
  const platform = hasDevices ? 'cast(a."ZPLATFORM" as text)' : 'null';
  const country = keywords.includes('ZSTORE') ? 'k."ZSTORE"' : 'null';
  return {
    tool: 'Astro',
    source: `${points[0]}, ZKEYWORD, ${apps[0]}`,
    hasDevices,
    notes: [
      'Astro writes 1000 for a phrase without the app, which is written as not found. Other ' +
        'values without a known meaning become empty cells, which the import refuses.',
    ],
    *rows() {
      const stored = database
        .prepare(
          `select a.${column(apps[1], names.appId)} as app, k."ZTEXT" as phrase,
             ${country} as country, p."ZDATE" as seconds,
             p.${column(points[1], names.position)} as position, ${platform} as platform
           from ${quoteName(points[0])} p
           join "ZKEYWORD" k on k."Z_PK" = p."ZKEYWORD"
           join ${quoteName(apps[0])} a on a."Z_PK" = k.${quoteName(owner)}
           order by a."Z_PK", k."Z_PK", p."ZDATE"`,
        )
        .iterate() as Iterable<Stored>;
      for (const { app, phrase, country: store, seconds, position, platform: device } of stored) {
        const at = new Date(((seconds ?? Number.NaN) + epochSeconds) * 1_000);
        if (Number.isNaN(at.getTime())) continue;
        yield {
          app: String(app),
          phrase,
          country: store,
          device,
          date: at.toISOString(),
          position: position === notFoundValue ? 'not found' : asPosition(position),
        };
      }
    },
  };
}
