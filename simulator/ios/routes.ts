import type { SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { handleImage } from '../http/images.ts';
import { handleAppPage } from './app-page.ts';
import type { RenderCard } from './cards.ts';
import { handleChart, handleChartV2, createChartEntries } from './charts.ts';
import { handleHints, handleTrends } from './hints.ts';
import { handleLookup } from './lookup.ts';
import { handleMzSearch } from './mz-search.ts';
import { handleRatingsPage } from './ratings-page.ts';
import { kindOf } from './request-kind.ts';
import { handleReviews } from './reviews.ts';
import { handleSearch } from './search.ts';
import { handleWebSearch } from './web-search.ts';

/** Handles the store's paths by the kind of the request; null for an unknown path. */
export function createIosRoutes(
  renderCard: RenderCard,
): (context: ResponseContext) => SimulatedResponse | null {
  const renderEntry = createChartEntries();
  const routes: Readonly<Record<string, (context: ResponseContext) => SimulatedResponse>> = {
    search: (context) =>
      context.request.host === 'apps.apple.com'
        ? handleWebSearch(context)
        : handleSearch(context, renderCard),
    lookup: (context) => handleLookup(context, renderCard),
    'app-page': handleAppPage,
    'mz-search': handleMzSearch,
    reviews: handleReviews,
    ratings: handleRatingsPage,
    chart: (context) => handleChart(context, renderEntry),
    'chart-v2': handleChartV2,
    hints: handleHints,
    trends: handleTrends,
    image: ({ url }) => handleImage(url.pathname),
  };
  return (context) => routes[kindOf(context.request.host, context.url.pathname)]?.(context) ?? null;
}
