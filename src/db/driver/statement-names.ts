const comment = /^\/\* ([a-z0-9-]{1,60}) \*\//;
/**
 * A statement is prepared from its fifth use on, because preparing a rare one costs more than it
 * saves.
 */
const prepareAfterUses = 5;
const maxEntries = 500;

const seen = new Map<string, { uses: number; name: string }>();

/**
 * The name under which a connection prepares a statement, or undefined if the statement is parsed
 * and planned each time.
 */
export function nameOf(text: string): string | undefined {
  return comment.exec(text)?.[1];
}

/** Like `nameOf`, but names every statement that is used often. */
export function nameOfFrequent(text: string): string | undefined {
  const known = seen.get(text);
  if (known === undefined) {
    if (seen.size < maxEntries)
      seen.set(text, { uses: 1, name: nameOf(text) ?? `frequent-${seen.size}` });
    return nameOf(text);
  }
  known.uses += 1;
  return known.uses >= prepareAfterUses ? known.name : nameOf(text);
}
