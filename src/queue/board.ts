import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { QueueStore } from './queue.ts';

export const boardPath = '/admin/queues';

/**
 * The board as a Fastify plugin: `scope.register(plugin, options)`, behind a guard of the caller's.
 * Queues opened later are not shown; open them all first. Read only: the rows are the truth, not the queue.
 */
export function createBoard(store: QueueStore): {
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
