import { integer, keepDays } from './parsers.ts';

/** How much is stored of what accumulates, and for how long. */
export const retentionSettings = {
  SERP_STORED_DEPTH: {
    parse: integer(10, 200),
    fallback: '50',
    meaning: 'The number of results that are stored per search as evidence.',
  },
  SERP_KEEP_DAYS: {
    parse: keepDays(31),
    fallback: '400',
    meaning:
      'Days for which the results of searches are kept, at least 31, or `forever`. They are ' +
      'deleted by whole months. Positions, and the last results of each keyword, stay.',
  },
  EVENT_KEEP_DAYS: {
    parse: keepDays(31),
    fallback: '400',
    meaning:
      'Days for which events are kept, at least 31, or `forever`. Events that a stored webhook ' +
      'delivery belongs to stay.',
  },
  JOB_KEEP_DAYS: {
    parse: keepDays(8),
    fallback: '90',
    meaning:
      'Days for which jobs are kept after their end, at least 8, or `forever`. Those of imports ' +
      'stay with their reports.',
  },
  SCORE_PROVENANCE_KEEP_DAYS: {
    parse: keepDays(31),
    fallback: '90',
    meaning:
      'Days for which the evidence of earlier scores is kept, at least 31, or `forever`. It is ' +
      'deleted by whole months. Scores, and the evidence of each newest one, stay.',
  },
} as const;
