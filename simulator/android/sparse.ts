/**
 * An array with the given fields filled and null everywhere else: the store's way to write a
 * record.
 */
export function sparse(fields: Readonly<Record<number, unknown>>): unknown[] {
  const filled: unknown[] = [];
  // Whole numbers come in their order, whatever order they were written in.
  for (const key in fields) {
    const index = Number(key);
    while (filled.length < index) filled.push(null);
    filled.push(fields[index] ?? null);
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
