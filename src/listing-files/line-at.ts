/** The line of an offset in a text, from 1. */
export function countLines(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1))
    line += 1;
  return line;
}
