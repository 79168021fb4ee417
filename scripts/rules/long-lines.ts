/** Limits lines to the formatter's width, since it cannot break comments, strings and SQL. */
import { isScript, type Finding, type SourceText } from './source-tree.ts';

const widthMax = 100;
/** Written by `npm run generate`. */
const generated = ['src/db/tables.ts', 'src/db/statements.ts'];
/** An address or an expression without spaces, and an import that the formatter keeps on a line. */
const unbreakable = /(?:^|\s)\S{60,}$|^import \{ \w+ \} from '[^']+';$/;

export function findLongLines(files: readonly SourceText[]): Finding[] {
  return files
    .filter((file) => isScript(file) || file.path.endsWith('.sql'))
    .filter(({ path }) => !generated.includes(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const width = [...line].length;
        return width > widthMax && !unbreakable.test(line)
          ? [{ path, line: index + 1, problem: `${width} columns; ${widthMax} at most` }]
          : [];
      }),
    );
}
