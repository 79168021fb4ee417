import type { Answer } from '../http/answer.ts';
import type { AnswerContext } from '../http/answer-context.ts';
import { answerAppPage } from './app-page.ts';
import type { RenderCard } from './cards.ts';
import { answerChart, answerChartV2, createChartEntries } from './charts.ts';
import { answerHints, answerTrends } from './hints.ts';
import { answerLookup } from './lookup.ts';
import { answerRatingsPage } from './ratings-page.ts';
import { answerReviews } from './reviews.ts';
import { answerSearch } from './search.ts';

/** The iOS store's paths, by the kind the request was read as; null for any other. */
export function createIosRoutes(renderCard: RenderCard): (context: AnswerContext) => Answer | null {
  const renderEntry = createChartEntries();
  const routes: Readonly<Record<string, (context: AnswerContext) => Answer>> = {
    search: (context) => answerSearch(context, renderCard),
    lookup: (context) => answerLookup(context, renderCard),
    'app-page': answerAppPage,
    reviews: answerReviews,
    ratings: answerRatingsPage,
    chart: (context) => answerChart(context, renderEntry),
    'chart-v2': answerChartV2,
    hints: answerHints,
    trends: answerTrends,
  };
  return (context) => routes[context.request.kind]?.(context) ?? null;
}
