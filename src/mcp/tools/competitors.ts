import { z } from 'zod';
import { requestAll } from '../request-all.ts';
import {
  anyCountryArgument,
  anyDeviceArgument,
  appIdArgument,
  cursorArgument,
} from '../argument-schemas.ts';
import { checkedDailyRank, device, notice, page } from '../common-schemas.ts';
import { defineTool } from '../tool.ts';
import {
  cut,
  truncateOrNull,
  lines,
  quote,
  storeTextNotice,
  formatCheckedPosition,
  formatCount,
  formatFilter,
  formatMarket,
  formatRating,
} from '../text-format.ts';
import { trackedCompetitorTools } from './tracked-competitors.ts';

const gapsMax = 15;

const compareCompetitors = defineTool({
  name: 'compare_competitors',
  title: 'Competitors',
  description:
    'Competitors: titles, ratings, the app’s wins and losses on its keywords, and the most ' +
    'urgent gaps.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    country: anyCountryArgument,
    device: anyDeviceArgument,
    limit: z.int().max(10).default(10).describe('Page size.'),
    cursor: cursorArgument,
  }),
  output: z.object({
    titlesIn: z.string(),
    ownTitle: z.string().nullable(),
    ownSubtitle: z.string().nullable(),
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
    ...page,
    notice,
  }),
  async run(api, { appId: id, limit, cursor, ...filter }) {
    const params = { id };
    const list = await api('GET /apps/{id}/competitors', {
      params,
      query: { ...filter, limit, cursor },
    });
    const ids = list.items.map((item) => item.id).join();
    const [listings, gapList] = await requestAll([
      api('GET /apps/{id}/compare', {
        params,
        query: { country: filter.country, with: ids === '' ? undefined : ids },
      }),
      api('GET /apps/{id}/gaps', { params, query: { ...filter, limit: gapsMax } }),
    ]);
    const texts = new Map(listings.items.map((item) => [item.competitorId, item.snapshot]));
    const own = texts.get(null);
    const competitors = list.items.map(
      ({ id: competitorId, storeAppId, name, rating, ratingCount, overlap }) => {
        // Only a request without the comparison has none.
        const { compared, wins, losses, onlyOwn, onlyCompetitor } = overlap!;
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
      },
    );
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
          own: { position: ours.position, depth: ours.depth },
          theirs: { position: theirs.position, depth: theirs.depth },
          traffic,
        };
      },
    );
    const ownTexts = {
      ownTitle: truncateOrNull(own?.name ?? null, 120),
      ownSubtitle: truncateOrNull(own?.subtitle ?? null, 120),
    };
    const data = {
      titlesIn: listings.country,
      ...ownTexts,
      competitors,
      gaps,
      totalGaps: gapList.total,
      total: list.total,
      nextCursor: list.nextCursor,
      notice: storeTextNotice,
    };
    const narrowing = 'narrow with country or device';
    const text = lines(
      `${formatCount(competitors.length, list, 'competitors', 'limit')}, ` +
        `${gaps.length}${gapList.nextCursor === null ? '' : ` of ${gapList.total ?? 'more'}`} ` +
        `gaps${gapList.nextCursor === null ? '' : `, the most urgent; ${narrowing}`}. ` +
        `Own listing (${listings.country}): ${quote(ownTexts.ownTitle)} – ` +
        `${quote(ownTexts.ownSubtitle)}`,
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

export const competitorTools = [compareCompetitors, ...trackedCompetitorTools];
