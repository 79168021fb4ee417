const maxLocales = 10;
/** Below the limit of a request, which has more than the texts. */
const maxBytes = 200_000;

/** Locales in requests that the server accepts. */
export function splitRequests<Item>(items: readonly Item[]): Item[][] {
  const requests: Item[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const size = new TextEncoder().encode(JSON.stringify(item)).length;
    if (bytes + size > maxBytes || requests.at(-1)!.length >= maxLocales) {
      requests.push([]);
      bytes = 0;
    }
    requests.at(-1)!.push(item);
    bytes += size;
  }
  return requests;
}
