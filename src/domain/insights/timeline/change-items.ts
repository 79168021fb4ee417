import type { ChangedField } from '#contract/changes.ts';
import type { TimelineFact } from '#contract/timeline.ts';
import type { ChangeHead } from '#db/queries/changes/changes.ts';
import { utcDayOf } from '#lib/dates.ts';
import { fieldLabels } from '#domain/tracking/listings/field-labels.ts';
import { toItem, type TimelineItem } from './item.ts';

/** Fields that come with a version and are reported with it. */
const ofVersion = new Set(['version', 'releaseNotes', 'minimumOsVersion']);

/**
 * One item per reading's changes, and one for its version; equal changes of several countries on a
 * day are merged.
 */
export function toChangeItems(heads: readonly ChangeHead[]): TimelineItem[] {
  const groups = [...Map.groupBy(heads, (head) => head.snapshotId).values()].flatMap(splitVersion);
  const alike = Map.groupBy(groups, ({ kind, changes: [first], title }) =>
    JSON.stringify([kind, first!.listingId, utcDayOf(first!.detectedAt), title]),
  );
  return [...alike.values()].map(joinCountries);
}

interface Group {
  kind: 'change' | 'version';
  title: string;
  fact: TimelineFact;
  /** By id; at least one. */
  changes: ChangeHead[];
}

function splitVersion(heads: readonly ChangeHead[]): Group[] {
  const byId = heads.toSorted((a, b) => a.id - b.id);
  const version = byId.find((head) => head.field === 'version');
  const isRelease = ({ field }: ChangeHead) => version !== undefined && ofVersion.has(field);
  const [release, others] = [byId.filter(isRelease), byId.filter((head) => !isRelease(head))];
  return [
    ...(version ? [toRelease(version, release)] : []),
    ...(others.length > 0 ? [toChange(others)] : []),
  ];
}

function toRelease(version: ChangeHead, changes: ChangeHead[]): Group {
  const fact = { kind: 'version', competitorName: nameOf(version), version: version.line } as const;
  return {
    kind: 'version',
    title: titleOf(version, `version ${version.line ?? ''}`.trim()),
    fact,
    changes,
  };
}

function toChange(changes: ChangeHead[]): Group {
  const values = changes.map(({ field, line }) => ({
    field: field as ChangedField,
    value: line,
  }));
  const fact = { kind: 'change', competitorName: nameOf(changes[0]!), changes: values } as const;
  return {
    kind: 'change',
    title: titleOf(changes[0]!, `changed ${values.map(describe).join(', ')}`),
    fact,
    changes,
  };
}

const nameOf = ({ competitorId, name }: ChangeHead) => (competitorId === null ? null : name);

function titleOf({ competitorId, name }: ChangeHead, what: string): string {
  return competitorId === null
    ? what[0]!.toUpperCase() + what.slice(1)
    : `${name ?? 'A competitor'}: ${what}`;
}

function describe({ field, value }: { field: ChangedField; value: string | null }): string {
  return value === null ? fieldLabels[field] : `${fieldLabels[field]} to “${value}”`;
}

function joinCountries(groups: Group[]): TimelineItem {
  const { kind, title, fact, changes } = groups.toSorted(
    (a, b) => a.changes[0]!.id - b.changes[0]!.id,
  )[0]!;
  const first = changes[0]!;
  const { appId, competitorId, snapshotId, previousId } = first;
  return toItem({
    kind,
    key: first.id,
    date: utcDayOf(first.detectedAt),
    title,
    fact,
    countries: groups.map((group) => group.changes[0]!.country).toSorted(),
    competitorId,
    links: {
      snapshot: `/snapshots/${snapshotId}`,
      ...(previousId === null
        ? {}
        : { diff: `/apps/${appId}/snapshots/diff?a=${previousId}&b=${snapshotId}` }),
      ...(competitorId === null ? { impact: `/changes/${first.id}/impact` } : {}),
    },
  });
}
