/**
 * Four files for a page instead of a file for each set of pages that share a module: the frame with
 * all it needs, what many pages share, what some pages share, and the page. A module is shared by
 * at least as many pages as its importers, so that no two files import each other.
 */
export const codeSplitting = {
  groups: [
    { name: 'first', tags: ['$initial' as const], priority: 3 },
    { name: 'common', minShareCount: 6, priority: 2 },
    { name: 'shared', minShareCount: 2, priority: 1 },
  ],
};
