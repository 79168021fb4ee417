import { describe, expect, it } from 'vitest';
import { findLongLines } from '#scripts/rules/long-lines.ts';

const file = (path: string, text: string) => [{ path, text }];
const words = 'word '.repeat(30);
const address = `https://example.org/${'a'.repeat(100)}`;

describe('long lines', () => {
  it.each([
    ['a comment', 'src/lib/a.ts', `// ${words}\nexport const a = 1;`],
    ['a text', 'web/src/a.tsx', `export const a = '${words}';`],
    ['a SQL statement', 'src/db/queries/a/a.ts', `await sql\`\n  select ${words}\`;`],
    ['a migration', 'src/db/migrations/0099_a.sql', `-- ${words}\nselect 1;`],
  ])('a long line is reported in %s, with its number and width', (_name, path, text) => {
    const at = text.split('\n').findIndex((line) => line.length > 100);
    expect(findLongLines(file(path, text))).toEqual([
      { path, line: at + 1, problem: `${text.split('\n')[at]!.length} columns; 100 at most` },
    ]);
  });

  it.each([
    ['a line of 100 columns', `// ${'a '.repeat(48)}a`],
    ['an emoji, which is one column though two UTF-16 units', `// ${'😀 '.repeat(48)}a`],
    ['an address, which cannot be broken', `  '${address}',`],
    ['an import of one name', `import { a } from '#lib/${'a'.repeat(90)}.ts';`],
  ])('%s is allowed', (_name, text) => {
    expect(findLongLines(file('src/lib/a.ts', text))).toEqual([]);
  });

  it('generated files may have long lines', () => {
    expect(findLongLines(file('src/db/statements.ts', `// ${words}`))).toEqual([]);
  });
});
