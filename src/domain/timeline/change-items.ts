import type { ChangedField } from '../../contract/changes.ts';
import type { ChangeHead } from '../../db/queries/changes.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { toItem, type TimelineItem } from './item.ts';

const labels: Record<ChangedField, string> = {
  name: 'name',
  subtitle: 'subtitle',
  summary: 'short description',
  description: 'description',
  developer: 'developer',
  iconUrl: 'icon',
  screenshotUrls: 'screenshots',
  category: 'category',
  price: 'price',
  currency: 'currency',
  version: 'version',
  releaseNotes: 'release notes',
  contentRating: 'content rating',
  minimumOsVersion: 'required system version',
  languages: 'languages',
  inAppPurchases: 'in-app purchases',
};

/** These come with a version and are told with it. */
const ofVersion = new Set(['version', 'releaseNotes', 'minimumOsVersion']);

/** One item for each reading's changes, and one for its version; what several countries have alike on a day is told once. */
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
  /** By id; one at least. */
  changes: ChangeHead[];
}

function splitVersion(heads: readonly ChangeHead[]): Group[] {
  const byId = heads.toSorted((a, b) => a.id - b.id);
  const version = byId.find((head) => head.field === 'version');
  const isRelease = ({ field }: ChangeHead) => version !== undefined && ofVersion.has(field);
  const [release, others] = [byId.filter(isRelease), byId.filter((head) => !isRelease(head))];
  return [
    ...(version ? [{ kind: 'version' as const, title: titleOf(version, `version ${version.line ?? ''}`.trim()), changes: release }] : []),
    ...(others.length > 0
      ? [{ kind: 'change' as const, title: titleOf(others[0]!, `changed ${others.map(describe).join(', ')}`), changes: others }]
      : []),
  ];
}

function titleOf({ competitorId, name }: ChangeHead, what: string): string {
  return competitorId === null ? what[0]!.toUpperCase() + what.slice(1) : `${name ?? 'A competitor'}: ${what}`;
}

function describe({ field, line }: ChangeHead): string {
  const label = labels[field as ChangedField] ?? field;
  return line === null ? label : `${label} to “${line}”`;
}

function joinCountries(groups: Group[]): TimelineItem {
  const { kind, title, changes } = groups.toSorted((a, b) => a.changes[0]!.id - b.changes[0]!.id)[0]!;
  const first = changes[0]!;
  const { appId, competitorId, snapshotId, previousId } = first;
  return toItem({
    kind,
    key: first.id,
    date: utcDayOf(first.detectedAt),
    title,
    countries: groups.map((group) => group.changes[0]!.country).toSorted(),
    competitorId,
    links: {
      snapshot: `/snapshots/${snapshotId}`,
      ...(previousId === null ? {} : { diff: `/apps/${appId}/snapshots/diff?a=${previousId}&b=${snapshotId}` }),
      ...(competitorId === null ? { impact: `/changes/${first.id}/impact` } : {}),
    },
  });
}
