/** The line of an offset in a text, from 1. The offsets are asked for in ascending order. */
export function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let end = text.indexOf('\n');
  return (offset) => {
    for (; end !== -1 && end < offset; end = text.indexOf('\n', end + 1)) line += 1;
    return line;
  };
}
