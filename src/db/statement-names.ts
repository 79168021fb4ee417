const comment = /^\/\* ([a-z0-9-]{1,60}) \*\//;
/** As other drivers do: what comes again is prepared, what is asked once is not kept. */
const preparedFrom = 5;
const rememberedMax = 500;

const seen = new Map<string, { times: number; name: string }>();

/** The name under which a connection prepares a statement; undefined: it is parsed and planned for this once. */
export function nameOf(text: string): string | undefined {
  return comment.exec(text)?.[1];
}

/** The same, and a name for every statement that has been asked often enough. */
export function nameOfFrequent(text: string): string | undefined {
  const known = seen.get(text);
  if (known === undefined) {
    if (seen.size < rememberedMax)
      seen.set(text, { times: 1, name: nameOf(text) ?? `frequent-${seen.size}` });
    return nameOf(text);
  }
  known.times += 1;
  return known.times >= preparedFrom ? known.name : nameOf(text);
}
