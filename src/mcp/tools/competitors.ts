import { z } from 'zod';
import { requestAll } from '../request-all.ts';
import { appId, checkedDailyRank, country, notice } from '../common-schemas.ts';
import { defineTool } from '../tool.ts';
import {
  cut,
  truncateOrNull,
  lines,
  quote,
  storeTextNotice,
  formatCheckedPosition,
  formatRating,
} from '../text-format.ts';

const competitorsMax = 10;
const gapsMax = 15;

const compareCompetitors = defineTool({
  name: 'compare_competitors',
  title: 'Compare with competitors',
  description:
    'Competitors of an app: titles, ratings, the app’s wins and losses on its keywords, and ' +
    'the gaps for which only they rank.',
  kind: 'read',
  input: z.strictObject({ appId, country: country.optional() }),
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
  async run(api, { appId: id, country: market }) {
    const params = { id };
    const [list, listings, gapList] = await requestAll([
      api('GET /apps/{id}/competitors', { params, query: { country: market } }),
      api('GET /apps/{id}/compare', { params, query: { country: market } }),
      api('GET /apps/{id}/gaps', { params, query: { country: market, limit: gapsMax } }),
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
      ({ keywordId, phrase, country: where, competitorId, kind, urgency, evidence }) => {
        const { own: ours, competitor: theirs, traffic } = evidence;
        return {
          keywordId,
          phrase,
          country: where,
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
    const text = lines(
      `${competitors.length}${cutOff} competitors, ` +
        `${gaps.length}${gapList.nextCursor === null ? '' : ` of ${gapList.total ?? 'more'}`} ` +
        `gaps${gapList.nextCursor === null ? '' : ', the most urgent; narrow with country'}. ` +
        `Own listing (${listings.country}): ${quote(ownTexts.title)} – ` +
        `${quote(ownTexts.subtitle)}`,
      `Wins, losses and gaps are for ${market ?? 'all countries'}, titles for ` +
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
          `- gap (${gap.kind}, urgency ${gap.urgency}): ${quote(gap.phrase)} ${gap.country} ` +
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
