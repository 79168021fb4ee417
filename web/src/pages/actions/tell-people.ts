/** A reason without the sentences that name a request of the API: here a button leads there. */
export function tellPeople(reason: string): string {
  return reason
    .split(/(?<=\.)\s+/)
    .filter((sentence) => !/\b(GET|POST|PUT|PATCH) \//.test(sentence))
    .join(' ');
}
