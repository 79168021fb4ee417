import { changedFields } from '../../../src/contract/choices.ts';
import type { TimelineItem } from './timeline.ts';

export type ChangedField = (typeof changedFields)[number];
type RunFault = 'missed' | 'overdue' | 'degraded';

export interface ChangedValue {
  field: ChangedField;
  /** Of what fits into a line. */
  value: string | null;
}

export interface Rival {
  name: string | null;
}

/** What an item tells, and whose listing it is about when it is not the own. */
export type TimelineFact =
  | { kind: 'change'; rival: Rival | null; changes: ChangedValue[] }
  | { kind: 'version'; rival: Rival | null; version: string }
  | { kind: 'rank'; rose: number; fell: number }
  | { kind: 'reviews'; count: number; usual: string; days: number }
  | { kind: 'run'; fault: RunFault };

/** As the API calls them in its titles. */
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
const anyLabel = Object.values(labels).join('|');
const firstChange = new RegExp(`^(${anyLabel})(?: to “([^]*?)”)?(?:$|, (?=${anyLabel}))`);

const unnamed = 'A competitor: ';

const runFaults: Record<string, RunFault> = {
  'The daily run was missed': 'missed',
  'The daily run did not finish its day': 'overdue',
  'A store answered unreliably during the daily run': 'degraded',
};

/** The API tells a fact in one English form; null when it is told in words that are not known here. */
export function readFact({ kind, title, text, competitorId }: Pick<TimelineItem, 'kind' | 'title' | 'text' | 'competitorId'>): TimelineFact | null {
  const prefix = competitorId === null ? '' : (/^[^]*?: (?=changed |version)/.exec(title)?.[0] ?? '');
  const rival = competitorId === null ? null : { name: prefix === '' || prefix === unnamed ? null : prefix.slice(0, -': '.length) };
  const what = title.slice(prefix.length);
  switch (kind) {
    case 'change': {
      const changes = /^changed /i.test(what) ? readChanges(what.slice('changed '.length)) : null;
      return changes && { kind, rival, changes };
    }
    case 'version':
      return /^version\b/i.test(what) ? { kind, rival, version: what.slice('version'.length).trim() } : null;
    case 'rank': {
      const [rose, fell] = [/(\d+) keywords? rose/.exec(title), /(\d+) keywords? fell/.exec(title)];
      return rose || fell ? { kind, rose: Number(rose?.[1] ?? 0), fell: Number(fell?.[1] ?? 0) } : null;
    }
    case 'reviews': {
      const [count, usual] = [/^(\d+) reviews? in a day$/.exec(title), /^([\d.]+) a day in the (\d+) days before\.$/.exec(text ?? '')];
      return count && usual && { kind, count: Number(count[1]), usual: usual[1]!, days: Number(usual[2]) };
    }
    case 'run':
      return runFaults[title] ? { kind, fault: runFaults[title] } : null;
    case 'annotation':
      return null;
  }
}

function readChanges(text: string): ChangedValue[] | null {
  const changes: ChangedValue[] = [];
  let rest = text;
  while (rest !== '') {
    const found = firstChange.exec(rest);
    const field = changedFields.find((name) => labels[name] === found?.[1]);
    if (!found || !field) return null;
    changes.push({ field, value: found[2] ?? null });
    rest = rest.slice(found[0].length);
  }
  return changes;
}
