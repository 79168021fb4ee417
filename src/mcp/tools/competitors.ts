import { z } from 'zod';
import { requestAll } from '../request-all.ts';
import { appId, checkedDailyRank, country, device, notice } from '../common-schemas.ts';
import { defineTool } from '../tool.ts';
import {
  cut,
  truncateOrNull,
  lines,
  quote,
  storeTextNotice,
  formatCheckedPosition,
  formatFilter,
  formatMarket,
  formatRating,
} from '../text-format.ts';

const competitorsMax = 10;
const gapsMax = 15;

const compareCompetitors = defineTool({
  name: 'compare_competitors',
  title: 'Compare with competitors',
  description:
    'Competitors: titles, ratings, the app’s wins and losses on its keywords, and the most ' +
    'urgent gaps.',
  kind: 'read',
  input: z.strictObject({ appId, country: country.optional(), device: device.optional() }),
  output: z.object({
    titlesIn: z.string(),
    own: z.object({ title: z.string().nullable(), subtitle: z.string().nullable() }),
    competitors: z.array(
      z.object({
        competitorId: z.int(),
        storeAppId: z.string(),
        title: z.string(),
        subtitle: z.string().nullable(),
        rating: z.number().nullable(),
        ratingCount: z.int().nullable(),
        compared: z.int(),
        wins: z.int(),
        losses: z.int(),
        onlyOwn: z.int(),
        onlyCompetitor: z.int(),
      }),
    ),
    gaps: z.array(
      z.object({
        keywordId: z.int(),
        phrase: z.string(),
        country: z.string(),
        device,
        competitorId: z.int(),
        kind: z.string(),
        urgency: z.int(),
        own: checkedDailyRank,
        theirs: checkedDailyRank,
        traffic: z.int().nullable(),
      }),
    ),
    totalGaps: z.int().nullable(),
    notice,
  }),
  async run(api, { appId: id, ...filter }) {
    const params = { id };
    const [list, listings, gapList] = await requestAll([
      api('GET /apps/{id}/competitors', { params, query: filter }),
      api('GET /apps/{id}/compare', { params, query: { country: filter.country } }),
      api('GET /apps/{id}/gaps', { params, query: { ...filter, limit: gapsMax } }),
    ]);
    const texts = new Map(listings.items.map((item) => [item.competitorId, item.snapshot]));
    const own = texts.get(null);
    const competitors = list.items
      .slice(0, competitorsMax)
      .map(({ id: competitorId, storeAppId, name, rating, ratingCount, overlap }) => {
        const { compared, wins, losses, onlyOwn, onlyCompetitor } = overlap;
        const subtitle = truncateOrNull(texts.get(competitorId)?.subtitle ?? null, 120);
        return {
          competitorId,
          storeAppId,
          title: cut(name, 120),
          subtitle,
          rating,
          ratingCount,
          compared,
          wins,
          losses,
          onlyOwn,
          onlyCompetitor,
        };
      });
    const gaps = gapList.items.map(
      ({
        keywordId,
        phrase,
        country: where,
        device: on,
        competitorId,
        kind,
        urgency,
        evidence,
      }) => {
        const { own: ours, competitor: theirs, traffic } = evidence;
        return {
          keywordId,
          phrase,
          country: where,
          device: on,
          competitorId,
          kind,
          urgency,
          own: ours,
          theirs,
          traffic,
        };
      },
    );
    const ownTexts = {
      title: truncateOrNull(own?.name ?? null, 120),
      subtitle: truncateOrNull(own?.subtitle ?? null, 120),
    };
    const data = {
      titlesIn: listings.country,
      own: ownTexts,
      competitors,
      gaps,
      totalGaps: gapList.total,
      notice: storeTextNotice,
    };
    const cutOff = list.items.length > competitors.length ? ` of ${list.items.length}` : '';
    const narrowing = 'narrow with country or device';
    const text = lines(
      `${competitors.length}${cutOff} competitors, ` +
        `${gaps.length}${gapList.nextCursor === null ? '' : ` of ${gapList.total ?? 'more'}`} ` +
        `gaps${gapList.nextCursor === null ? '' : `, the most urgent; ${narrowing}`}. ` +
        `Own listing (${listings.country}): ${quote(ownTexts.title)} – ` +
        `${quote(ownTexts.subtitle)}`,
      `Wins, losses and gaps are for ${formatFilter(filter)}, titles for ` +
        `${listings.country}, ratings for the app’s primary country.`,
      competitors.map(
        (row) =>
          `- competitor ${row.competitorId}: ${quote(row.title)} – ${quote(row.subtitle)} · ` +
          `${formatRating(row.rating, row.ratingCount)} · of ${row.compared} compared ` +
          `keywords the app wins ${row.wins}, loses ${row.losses}; alone on ${row.onlyOwn}, ` +
          `they on ${row.onlyCompetitor}`,
      ),
      gaps.map(
        (gap) =>
          `- gap (${gap.kind}, urgency ${gap.urgency}): ${formatMarket(gap)} ` +
          `(keyword ${gap.keywordId}): own ${formatCheckedPosition(gap.own)}, competitor ` +
          `${gap.competitorId} ${formatCheckedPosition(gap.theirs)}, traffic ` +
          `${gap.traffic ?? '–'}`,
      ),
      storeTextNotice,
    );
    return { text, data };
  },
});

export const competitorTools = [compareCompetitors];
