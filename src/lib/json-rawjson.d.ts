/** Available in Node 22 and later, but not yet in TypeScript's library. */
interface JSON {
  rawJSON(text: string): object;
}
