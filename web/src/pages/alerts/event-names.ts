import { Inbox, MessageSquareWarning, Newspaper, PencilLine, TrendingDown, TrendingUp, UserPlus, type LucideIcon } from 'lucide-react';
import type { AlertRule, EventName } from '../../queries/alerts.ts';

export const eventNames = [
  'rank.dropped',
  'rank.improved',
  'serp.entrant',
  'metadata.changed',
  'review.negative',
  'action.opened',
  'digest.weekly',
] as const satisfies readonly EventName[];

/** Those that rules decide about. */
export const ruledNames = [
  'rank.dropped',
  'rank.improved',
  'serp.entrant',
  'metadata.changed',
  'review.negative',
  'digest.weekly',
] as const satisfies readonly AlertRule['event'][];

/** Those that can be tried on the past. */
export const triedNames = ['rank.dropped', 'rank.improved', 'serp.entrant', 'metadata.changed', 'review.negative'] as const;

export const eventIcons: Record<EventName, LucideIcon> = {
  'rank.dropped': TrendingDown,
  'rank.improved': TrendingUp,
  'serp.entrant': UserPlus,
  'metadata.changed': PencilLine,
  'review.negative': MessageSquareWarning,
  'action.opened': Inbox,
  'digest.weekly': Newspaper,
};
