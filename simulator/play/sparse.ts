/** An array with the given places filled and null everywhere else: the store's way to write a record. */
export function sparse(places: Readonly<Record<number, unknown>>): unknown[] {
  const filled: unknown[] = [];
  // Whole numbers come in their order, whatever order they were written in.
  for (const key in places) {
    const place = Number(key);
    while (filled.length < place) filled.push(null);
    filled.push(places[place] ?? null);
  }
  return filled;
}

/** A link as it stands at `[…][4][2]`. */
export function link(path: string): unknown[] {
  return [null, null, null, null, [null, null, path]];
}

/** A picture: address at `[3][2]`. */
export function picture(address: string, size: readonly [number, number]): unknown[] {
  return [null, 2, size, [null, null, address]];
}
