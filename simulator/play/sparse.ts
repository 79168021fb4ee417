/** An array with the given places filled and null everywhere else: the store's way to write a record. */
export function sparse(places: Readonly<Record<number, unknown>>): unknown[] {
  const last = Math.max(-1, ...Object.keys(places).map(Number));
  return Array.from({ length: last + 1 }, (_, index) => places[index] ?? null);
}

/** A link as it stands at `[…][4][2]`. */
export function link(path: string): unknown[] {
  return [null, null, null, null, [null, null, path]];
}

/** A picture: address at `[3][2]`. */
export function picture(address: string, size: readonly [number, number]): unknown[] {
  return [null, 2, size, [null, null, address]];
}
