import {
  Inbox,
  MessageSquareWarning,
  Newspaper,
  PencilLine,
  TrendingDown,
  TrendingUp,
  UserPlus,
  type LucideIcon,
} from 'lucide-react';
import type { EventName } from '../../queries/alerts.ts';

export const eventIcons: Record<EventName, LucideIcon> = {
  'rank.dropped': TrendingDown,
  'rank.improved': TrendingUp,
  'serp.entrant': UserPlus,
  'metadata.changed': PencilLine,
  'review.negative': MessageSquareWarning,
  'action.opened': Inbox,
  'digest.weekly': Newspaper,
};
