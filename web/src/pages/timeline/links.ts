import type { TimelineItem } from '../../queries/timeline.ts';

/** The two snapshots that an item compares, from its path of the API; null where there is none before it. */
export function readDiffLink({ links }: TimelineItem): { a: number; b: number } | null {
  const found = /\/snapshots\/diff\?a=(\d+)&b=(\d+)$/.exec(links.diff ?? '');
  return found ? { a: Number(found[1]), b: Number(found[2]) } : null;
}

/** The change whose impact can be measured; only of the own listing. */
export function readImpactLink({ links }: TimelineItem): number | null {
  const found = /^\/changes\/(\d+)\/impact$/.exec(links.impact ?? '');
  return found ? Number(found[1]) : null;
}

/** The id that stands behind the kind. */
export const readKey = ({ id }: TimelineItem): string => id.slice(id.indexOf(':') + 1);
