import type { Tx } from '#db/database.ts';
import { upsertAlertRules } from '#db/queries/alerts/alerts.ts';
import { invalid } from '#domain/base/errors.ts';
import type { TagReferences } from '#domain/base/ports/tag-references.ts';
import { getSavedRules } from './read-rules.ts';
import type { AlertRule } from './rules.ts';

/**
 * Renames the tag in alert rules. A stale name would match nothing and silently disable the rule.
 */
async function renameTag(tx: Tx, workspaceId: number, from: string, to: string): Promise<void> {
  const { rules, savedAt } = await getSavedRules(tx, workspaceId, { lock: true });
  if (savedAt === null || !rules.some((rule) => namesTag(rule, from))) return;
  const renamed = rules.map((rule) =>
    namesTag(rule, from)
      ? { ...rule, scope: { ...rule.scope, tags: replaceIn(rule.scope.tags, from, to) } }
      : rule,
  );
  await upsertAlertRules(tx, workspaceId, { rules: JSON.stringify(renamed), savedAt });
}

/**
 * Throws invalid_request for a tag that a rule uses. Without the tag the rule would match
 * everything, or nothing.
 */
async function assertTagUnused(tx: Tx, workspaceId: number, tag: string): Promise<void> {
  const { rules } = await getSavedRules(tx, workspaceId, { lock: true });
  const naming = [
    ...new Set(rules.filter((rule) => namesTag(rule, tag)).map((rule) => rule.event)),
  ];
  if (naming.length > 0)
    throw invalid(
      'name',
      'a tag that no alert rule uses: change the rules first',
      naming.join(', '),
    );
}

/** Alert rules may be limited to tags. */
export const ruleTags: TagReferences = { rename: renameTag, assertUnused: assertTagUnused };

type Tagged = Extract<AlertRule, { scope: object }> & { scope: { tags: string[] } };

const namesTag = (rule: AlertRule, tag: string): rule is Tagged =>
  'scope' in rule && rule.scope.tags?.includes(tag) === true;

const replaceIn = (tags: readonly string[], from: string, to: string): string[] => [
  ...new Set(tags.map((tag) => (tag === from ? to : tag))),
];
