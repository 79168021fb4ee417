/** In every Node we run on (22 and later); not yet in TypeScript's own library. */
interface JSON {
  rawJSON(text: string): object;
}
