import { refuseStranger } from '../instance-connection.ts';

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
  total: number | null;
}

/** The pages of a list to its end, or to a number of items. */
export async function* listPages<Item>(
  read: (page: { limit: number; cursor?: string }) => Promise<Page<Item>>,
  max = Infinity,
): AsyncGenerator<{ items: Item[]; total: number | null }> {
  let cursor: string | undefined;
  for (let left = max; left > 0;) {
    const page = await read({
      limit: Math.min(500, left),
      ...(cursor !== undefined && { cursor }),
    });
    if (!Array.isArray(page.items)) refuseStranger();
    yield { items: page.items.slice(0, left), total: page.total };
    left -= page.items.length;
    if (page.nextCursor === null || page.items.length === 0) return;
    cursor = page.nextCursor;
  }
}

/** All items of a list. */
export async function listAll<Item>(
  read: Parameters<typeof listPages<Item>>[0],
  {
    max = Infinity,
    onPage,
  }: { max?: number; onPage?: (done: number, total: number | null) => void } = {},
): Promise<Item[]> {
  const all: Item[] = [];
  for await (const { items, total } of listPages(read, max)) {
    all.push(...items);
    onPage?.(all.length, total);
  }
  return all;
}
