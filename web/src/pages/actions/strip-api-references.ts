/** Removes sentences that name an API request, because the page has a button for that. */
export function stripApiReferences(reason: string): string {
  return reason
    .split(/(?<=\.)\s+/)
    .filter((sentence) => !/\b(GET|POST|PUT|PATCH) \//.test(sentence))
    .join(' ');
}
