import { answer, type Answer } from './answer.ts';
import type { AnswerContext } from './answer-context.ts';
import { answerAppPage } from '../ios/app-page.ts';
import type { RenderCard } from '../ios/cards.ts';
import { answerLookup } from '../ios/lookup.ts';
import { answerSearch } from '../ios/search.ts';
import { answerBatchexecute } from '../play/batchexecute.ts';
import { answerDetailsPage } from '../play/details-page.ts';
import { answerSearchPage } from '../play/search-page.ts';

/** The right answer of the store, before any fault of the way. */
export function answerStore(context: AnswerContext, renderCard: RenderCard): Answer {
  const { host, url } = context.request;
  if (host === 'itunes.apple.com' && url.pathname === '/search') return answerSearch(context, renderCard);
  if (host === 'itunes.apple.com' && url.pathname === '/lookup') return answerLookup(context, renderCard);
  if (host === 'apps.apple.com') return answerAppPage(context);
  if (host === 'play.google.com') {
    if (url.pathname === '/store/search') return answerSearchPage(context);
    if (url.pathname === '/store/apps/details') return answerDetailsPage(context);
    if (url.pathname === '/_/PlayStoreUi/data/batchexecute') return answerBatchexecute(context);
  }
  return answer(404, 'html', '<html><body>404 Not Found</body></html>');
}
