/** `node scripts/words.ts [folder …]` lists banned words, free relatives and long lines. */
import { findLongLines } from './rules/long-lines.ts';
import { readTree } from './rules/source-tree.ts';
import { findBannedWords, findFreeRelatives } from './rules/words.ts';

const folders = process.argv.slice(2);
const files = readTree().filter(
  ({ path }) => folders.length === 0 || folders.some((folder) => path.startsWith(folder)),
);
const { comments, findings } = findFreeRelatives(files);
const banned = findBannedWords(files);
const long = findLongLines(files);
for (const { path, line, problem } of [...banned, ...findings, ...long])
  console.log(`${path}:${line}  ${problem}`);
console.log(
  `${banned.length} banned words; ${findings.length} of ${comments} comments open with a free ` +
    `relative; ${long.length} long lines`,
);
