/**
 * An array with the given fields and null everywhere else, which is how the store writes records.
 */
export function sparse(fields: Readonly<Record<number, unknown>>): unknown[] {
  const filled: unknown[] = [];
  // Integer keys are sorted, whatever their order in the object.
  for (const key in fields) {
    const index = Number(key);
    while (filled.length < index) filled.push(null);
    filled.push(fields[index] ?? null);
  }
  return filled;
}

/** A link, as at `[…][4][2]`. */
export function link(path: string): unknown[] {
  return [null, null, null, null, [null, null, path]];
}

/** A picture, with its address at `[3][2]`. */
export function picture(address: string, size: readonly [number, number]): unknown[] {
  return [null, 2, size, [null, null, address]];
}
