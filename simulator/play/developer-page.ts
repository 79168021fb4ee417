import { answer, type Answer } from '../http/answer.ts';
import type { AnswerContext } from '../http/answer-context.ts';
import { hashText } from '../world/hash.ts';
import { appsOf, listEnd, renderList } from './app-lists.ts';
import { renderIslandPage, scriptJson } from './island-page.ts';
import type { ListPlace } from './list-token.ts';
import { notFound, readPlace } from './market.ts';
import type { RenderItem } from './rendered-items.ts';

const pageSize = 10;

/** `GET /store/apps/dev?id=` by number (rpc MRTdke), `/store/apps/developer?id=` by name (IRWBmd): 10 apps and a token. */
export function answerDeveloperPage(context: AnswerContext, renderItem: RenderItem): Answer {
  const about = context.url.searchParams.get('id') ?? '';
  const byNumber = context.url.pathname.endsWith('/dev');
  const { country } = readPlace(context);
  const known =
    /^\d+$/.test(about) === byNumber &&
    appsOf(context.world, { list: 'developer', about, country }, context.day).length > 0;
  if (!known) return notFound();
  const place: ListPlace = {
    list: 'developer',
    about,
    country,
    at: context.now.toISOString(),
    offset: 0,
  };
  const { items, token } = renderList(place, pageSize, context, renderItem);
  // By number the apps stand at 21 without their wrapping, by name at 22 with it.
  const shown = byNumber ? items : items.map((item) => `[${item}]`);
  const nulls = 'null,'.repeat((byNumber ? 21 : 22) + (context.twist === 'index-moved' ? 3 : 0));
  const html = renderIslandPage({
    title: 'Android Apps on Google Play',
    seed: hashText(about),
    shift: context.twist === 'ds-shifted' ? 3 : 0,
    renameRpc: context.twist === 'rpc-renamed',
    islands: [
      { place: 0, rpc: 'T6C6Se', request: [], json: '[]' },
      {
        place: 3,
        rpc: byNumber ? 'MRTdke' : 'IRWBmd',
        request: [null, about],
        json: `[[${scriptJson([about])},[[${nulls}[[${shown.join(',')}],${listEnd(token)}]]]]]`,
      },
    ],
  });
  const page = answer(200, 'html', html);
  page.headers['set-cookie'] = 'NID=sim; Path=/';
  return page;
}
