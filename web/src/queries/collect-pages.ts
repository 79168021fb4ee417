interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** All pages of a list, as one. */
export async function collectPages<Item, Of extends Page<Item>>(
  fetchPage: (cursor: string | undefined) => Promise<Of & Page<Item>>,
): Promise<Of> {
  const first = await fetchPage(undefined);
  const items = [...first.items];
  for (let { nextCursor } = first; nextCursor !== null;) {
    const page = await fetchPage(nextCursor);
    items.push(...page.items);
    ({ nextCursor } = page);
  }
  return { ...first, items, nextCursor: null };
}
