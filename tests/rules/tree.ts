import { readTree } from '#scripts/rules/source-tree.ts';

/** The files of the tree, read and parsed once for all tests of rules in a process. */
export const tree = readTree();
