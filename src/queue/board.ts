import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { QueueStore } from './queue.ts';

const boardPath = '/admin/queues';

/**
 * The queue board as a Fastify plugin: `scope.register(plugin, options)`; the caller restricts
 * access. It shows the queues that are open now. Read-only, because the rows decide, not the queue.
 */
export function createBoard(store: Pick<QueueStore, 'bullQueues'>): {
  plugin: ReturnType<FastifyAdapter['registerPlugin']>;
  options: { prefix: string };
} {
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
