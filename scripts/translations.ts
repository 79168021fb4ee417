/** `npm run translations`: missing and superfluous texts of the languages beside English. */
import { findLocaleProblems, listLanguages } from './rules/locales.ts';
import { readTree } from './rules/source-tree.ts';

const tree = readTree();
const faults = findLocaleProblems(tree);
for (const { path, problem } of faults) console.log(`${path}: ${problem}`);
console.log(`${faults.length} to mend in ${listLanguages(tree).join(', ')}`);
process.exitCode = faults.length > 0 ? 1 : 0;
