/**
 * Few files instead of one for each set of pages that share a module: the frame and the overview
 * with all they need, the overlays that both open, what many other pages share, what some of them
 * share, and each page. A file contains the dependencies of its modules unless an
 * earlier file has them, so no two files import each other.
 */
export const codeSplitting = {
  groups: [
    { name: 'first', tags: ['$initial' as const], priority: 4 },
    {
      name: 'overlays',
      test: /\/(overlays\/library\.tsx|(frame|views|chart)\/overlays\.ts)$/,
      priority: 2.5,
    },
    { name: 'common', minShareCount: 6, priority: 2 },
    { name: 'shared', minShareCount: 2, priority: 1 },
  ],
};
