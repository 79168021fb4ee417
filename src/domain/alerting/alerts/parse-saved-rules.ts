import { z } from 'zod';
import { alertRule } from '#contract/alerts.ts';
import type { AlertRule } from './rules.ts';

/** Members that came later: a rule that was saved without one works as it did when it was saved. */
const laterMembers: Readonly<Record<string, object>> = {
  'rank.dropped': { sustainedDays: 1 },
  'rank.improved': { sustainedDays: 1 },
  'review.negative': { everyReview: true },
};

/** The rules of the database; null or undefined for none. */
export function parseSavedRules(stored: unknown): AlertRule[] {
  const rules = (stored ?? []) as { event: string }[];
  return z.array(alertRule).parse(rules.map((rule) => ({ ...laterMembers[rule.event], ...rule })));
}
