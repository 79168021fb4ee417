import { answerAppPage } from '../ios/app-page.ts';
import { createCards } from '../ios/cards.ts';
import { answerLookup } from '../ios/lookup.ts';
import { answerSearch } from '../ios/search.ts';
import { answerBatchexecute } from '../play/batchexecute.ts';
import { answerClusterPage } from '../play/cluster-page.ts';
import { answerDataSafety } from '../play/data-safety.ts';
import { answerDetailsPage } from '../play/details-page.ts';
import { answerDeveloperPage } from '../play/developer-page.ts';
import { createRenderedItems } from '../play/rendered-items.ts';
import { answerSearchPage } from '../play/search-page.ts';
import type { World } from '../world/world.ts';
import type { AnswerContext } from './answer-context.ts';
import { answer, type Answer } from './answer.ts';

/** The right answers of both stores, before any fault of the way. */
export function createStoreRoutes(world: World, origin: () => string) {
  const renderCard = createCards(world, origin);
  const renderItem = createRenderedItems(world, origin);
  const routes: Readonly<Record<string, (context: AnswerContext) => Answer>> = {
    'itunes.apple.com/search': (context) => answerSearch(context, renderCard),
    'itunes.apple.com/lookup': (context) => answerLookup(context, renderCard),
    'play.google.com/store/search': (context) => answerSearchPage(context, renderItem),
    'play.google.com/store/apps/details': (context) => answerDetailsPage(context, renderItem),
    'play.google.com/store/apps/collection/cluster': (context) => answerClusterPage(context, renderItem),
    'play.google.com/store/apps/dev': (context) => answerDeveloperPage(context, renderItem),
    'play.google.com/store/apps/developer': (context) => answerDeveloperPage(context, renderItem),
    'play.google.com/store/apps/datasafety': answerDataSafety,
    'play.google.com/_/PlayStoreUi/data/batchexecute': (context) => answerBatchexecute(context, renderItem),
  };
  return function answerStore(context: AnswerContext): Answer {
    const { host, url } = context.request;
    const route = host === 'apps.apple.com' ? answerAppPage : routes[host + url.pathname];
    return route?.(context) ?? answer(404, 'html', '<html><body>404 Not Found</body></html>');
  };
}
