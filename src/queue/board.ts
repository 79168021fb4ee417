import type { FastifyAdapter } from '@bull-board/fastify';
import type { QueueStore } from './queue.ts';

const boardPath = '/admin/queues';

/**
 * The queue board as a Fastify plugin: `scope.register(plugin, options)`; the caller restricts
 * access. It shows the queues that are open now. Read-only, because the rows decide, not the queue.
 * Most instances never show it, so its packages are loaded here.
 */
export async function createBoard(store: Pick<QueueStore, 'bullQueues'>): Promise<{
  plugin: ReturnType<FastifyAdapter['registerPlugin']>;
  options: { prefix: string };
}> {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify'),
  ]);
  const serverAdapter = new FastifyAdapter().setBasePath(boardPath);
  const queues = store
    .bullQueues()
    .map((queue) => new BullMQAdapter(queue as never, { readOnlyMode: true }));
  createBullBoard({
    queues,
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Toprung queues' } },
  });
  return { plugin: serverAdapter.registerPlugin(), options: { prefix: boardPath } };
}
