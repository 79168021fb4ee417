import type { TimelineItem } from '#web/queries/timeline.ts';

/** The two snapshots of an item, from its API path. Null if there is no earlier one. */
export function readDiffLink({ links }: TimelineItem): { a: number; b: number } | null {
  const found = /\/snapshots\/diff\?a=(\d+)&b=(\d+)$/.exec(links.diff ?? '');
  return found ? { a: Number(found[1]), b: Number(found[2]) } : null;
}

/** The change of the own listing whose impact can be measured. */
export function readImpactLink({ links }: TimelineItem): number | null {
  const found = /^\/changes\/(\d+)\/impact$/.exec(links.impact ?? '');
  return found ? Number(found[1]) : null;
}

/** The id after the kind. */
export const readKey = ({ id }: TimelineItem): string => id.slice(id.indexOf(':') + 1);
