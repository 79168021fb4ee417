import type { ActionType } from '#contract/actions.ts';
import type { FactNoun } from '#domain/tracking/imported-facts/fact-kinds.ts';
import { keyedBy } from '#domain/insights/actions/rule.ts';

export type Noun = 'app' | 'keyword' | 'competitor' | 'webhook' | 'action' | 'draft' | FactNoun;

/** Stands for things deleted before the export: an id that nothing has. */
export const goneId = 2_147_483_647;

const members: Record<string, Noun> = {
  appId: 'app',
  trackedAppId: 'app',
  keywordId: 'keyword',
  competitorId: 'competitor',
  webhookId: 'webhook',
  actionId: 'action',
  snapshotId: 'snapshot',
};
const paths: Record<string, Noun> = {
  apps: 'app',
  keywords: 'keyword',
  webhooks: 'webhook',
  actions: 'action',
  reviews: 'review',
};

/** Maps ids of a file to new ids. An id without a row in the file never becomes one of ours. */
export class IdMap {
  private readonly known: Record<Noun, Map<number, number>> = {
    app: new Map(),
    keyword: new Map(),
    competitor: new Map(),
    webhook: new Map(),
    action: new Map(),
    draft: new Map(),
    review: new Map(),
    change: new Map(),
    snapshot: new Map(),
  };

  add(noun: Noun, rows: readonly { id: number }[], ids: readonly number[]): void {
    if (rows.length !== ids.length)
      throw new Error(`${rows.length} rows became ${ids.length} of ${noun}`);
    for (const [index, { id }] of rows.entries()) this.known[noun].set(id, ids[index]!);
  }

  find(noun: Noun, id: number): number | undefined {
    return this.known[noun].get(id);
  }

  /** Maps a required reference. */
  of(noun: Noun, id: number): number {
    return this.find(noun, id) ?? goneId;
  }

  /** Maps references and omits those without a row in the file. */
  pick(noun: Noun, ids: readonly number[]): number[] {
    return ids.flatMap((id) => this.find(noun, id) ?? []);
  }

  all(noun: Noun): number[] {
    return [...this.known[noun].values()];
  }

  /** Replaces ids in our JSON, such as evidence. */
  renew(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((member) => this.renew(member));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.renewMember(name, member)]),
    );
  }

  /** Replaces ids in API paths within text. */
  renewPaths(text: string): string {
    return text.replace(
      /\/(apps|keywords|webhooks|actions|reviews)\/(\d{1,10})\b/g,
      (_, noun: string, id: string) => `/${noun}/${this.of(paths[noun]!, Number(id))}`,
    );
  }

  /** The key of an action, unique after the mapping; null for a foreign one. */
  renewActionKey(type: ActionType, key: string): string | null {
    const [named, appId, ...rest] = key.split(':');
    if (named !== type || appId === undefined || !/^(gone-)?\d{1,10}$/.test(appId)) return null;
    const renewed = rest.map((part, index) => this.renewPart(keyedBy[type][index], part));
    return [type, appId === '0' ? appId : this.renewPart('app', appId), ...renewed].join(':');
  }

  private renewPart(noun: Noun | undefined, part: string): string {
    if (noun === undefined || part.startsWith('gone-')) return part;
    return String(this.find(noun, Number(part)) ?? `gone-${part}`);
  }

  private renewMember(name: string, member: unknown): unknown {
    const noun = members[name];
    if (noun !== undefined && typeof member === 'number') return this.of(noun, member);
    if (name === 'keywordIds' && Array.isArray(member))
      return this.pick('keyword', member.filter(Number.isInteger) as number[]);
    if (name === 'reviewId') return this.find('review', member as number) ?? null;
    if (name === 'exampleReviewIds' && Array.isArray(member))
      return this.pick('review', member.filter(Number.isInteger) as number[]);
    return this.renew(member);
  }
}
