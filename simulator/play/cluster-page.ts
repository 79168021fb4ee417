import { answer, type Answer } from '../http/answer.ts';
import type { AnswerContext } from '../http/answer-context.ts';
import { hashText } from '../world/hash.ts';
import { listEnd, renderList } from './app-lists.ts';
import { renderIslandPage } from './island-page.ts';
import type { ListPlace } from './list-token.ts';
import { notFound, readPlace } from './market.ts';
import type { RenderItem } from './rendered-items.ts';

const pageSize = 50;

/** Where the details page leads for all similar apps; the real address is signed in the same way. */
export function clusterPath(storeAppId: string): string {
  const gsr = Buffer.from(JSON.stringify(['similar', storeAppId])).toString('base64');
  return `/store/apps/collection/cluster?gsr=${encodeURIComponent(gsr)}:S:ANO1lj${hashText(storeAppId).toString(36)}`;
}

/** `GET /store/apps/collection/cluster?gsr=`: rpc CNT7ob, the first 50 and a token for the rest (recorded 2026-07). */
export function answerClusterPage(context: AnswerContext, renderItem: RenderItem): Answer {
  const about = readGsr(context.url.searchParams.get('gsr'));
  const { country } = readPlace(context);
  if (about === null || context.world.findApp('android', about, country, context.day) === null)
    return notFound();
  const place: ListPlace = {
    list: 'similar',
    about,
    country,
    at: context.now.toISOString(),
    offset: 0,
  };
  const { items, token } = renderList(place, pageSize, context, renderItem);
  const nulls = 'null,'.repeat(context.twist === 'index-moved' ? 20 : 17);
  const json = `[[null,[[null,null,null,["qgIm"],${nulls}[[${items.join(',')}],${listEnd(token)}]]],null,[]]]`;
  const html = renderIslandPage({
    title: 'Similar apps - Google Play',
    seed: hashText(about),
    shift: context.twist === 'ds-shifted' ? 3 : 0,
    renameRpc: context.twist === 'rpc-renamed',
    islands: [
      { place: 0, rpc: 'T6C6Se', request: [], json: '[]' },
      { place: 3, rpc: 'CNT7ob', request: [null, about], json },
      { place: 5, rpc: 'jRco8', request: [], json: '[]' },
    ],
  });
  const page = answer(200, 'html', html);
  page.headers['set-cookie'] = 'NID=sim; Path=/';
  return page;
}

function readGsr(gsr: string | null): string | null {
  try {
    const [list, about] = JSON.parse(
      Buffer.from(gsr?.split(':')[0] ?? '', 'base64').toString(),
    ) as unknown[];
    return list === 'similar' && typeof about === 'string' ? about : null;
  } catch {
    return null;
  }
}
