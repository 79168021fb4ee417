import type { Tx } from '../../db/database.ts';
import { upsertAlertRules } from '../../db/queries/alerts.ts';
import { invalid } from '../errors.ts';
import { readOwnRules } from './read-rules.ts';
import type { AlertRule } from './rules.ts';

/** A rule goes along with its tag: left behind it would fit nothing, and silently tell nothing. */
export async function renameTagInRules(
  tx: Tx,
  workspaceId: number,
  from: string,
  to: string,
): Promise<void> {
  const { rules, savedAt } = await readOwnRules(tx, workspaceId, { lock: true });
  if (savedAt === null || !rules.some((rule) => namesTag(rule, from))) return;
  const renamed = rules.map((rule) =>
    namesTag(rule, from)
      ? { ...rule, scope: { ...rule.scope, tags: replaceIn(rule.scope.tags, from, to) } }
      : rule,
  );
  await upsertAlertRules(tx, workspaceId, { rules: JSON.stringify(renamed), savedAt });
}

/** Throws invalid_request for a tag that a rule names: without it the rule would fit everything, or nothing. */
export async function requireNoRuleOf(tx: Tx, workspaceId: number, tag: string): Promise<void> {
  const { rules } = await readOwnRules(tx, workspaceId, { lock: true });
  const naming = [
    ...new Set(rules.filter((rule) => namesTag(rule, tag)).map((rule) => rule.event)),
  ];
  if (naming.length > 0)
    throw invalid(
      'name',
      'a tag that no alert rule names: change the rules first',
      naming.join(', '),
    );
}

type Tagged = Extract<AlertRule, { scope: object }> & { scope: { tags: string[] } };

const namesTag = (rule: AlertRule, tag: string): rule is Tagged =>
  'scope' in rule && rule.scope.tags?.includes(tag) === true;

const replaceIn = (tags: readonly string[], from: string, to: string): string[] => [
  ...new Set(tags.map((tag) => (tag === from ? to : tag))),
];
