import { createCards } from '../ios/cards.ts';
import { createIosRoutes } from '../ios/routes.ts';
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
  const answerIos = createIosRoutes(createCards(world, origin));
  const renderItem = createRenderedItems(world, origin);
  const routes: Readonly<Record<string, (context: AnswerContext) => Answer>> = {
    'play.google.com/store/search': (context) => answerSearchPage(context, renderItem),
    'play.google.com/store/apps/details': (context) => answerDetailsPage(context, renderItem),
    'play.google.com/store/apps/collection/cluster': (context) =>
      answerClusterPage(context, renderItem),
    'play.google.com/store/apps/dev': (context) => answerDeveloperPage(context, renderItem),
    'play.google.com/store/apps/developer': (context) => answerDeveloperPage(context, renderItem),
    'play.google.com/store/apps/datasafety': answerDataSafety,
    'play.google.com/_/PlayStoreUi/data/batchexecute': (context) =>
      answerBatchexecute(context, renderItem),
  };
  return function answerStore(context: AnswerContext): Answer {
    const { host, url, store } = context.request;
    const made = store === 'ios' ? answerIos(context) : routes[host + url.pathname]?.(context);
    return made ?? answer(404, 'html', '<html><body>404 Not Found</body></html>');
  };
}
