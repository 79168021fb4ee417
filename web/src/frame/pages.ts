import {
  ArrowUpDown,
  BellRing,
  CalendarClock,
  ChartNoAxesColumn,
  CreditCard,
  Gauge,
  History,
  Inbox,
  LayoutDashboard,
  Lightbulb,
  ListOrdered,
  MessageSquareText,
  Newspaper,
  Ruler,
  Search,
  Settings,
  ShieldCheck,
  Sunrise,
  Swords,
  TextCursorInput,
  Trophy,
  UsersRound,
} from 'lucide-react';

/** The groups of an app's pages in the menu. */
export const appGroups = ['track', 'research', 'market'] as const;

/** Pages of one app in the order of the menu. `key` is the shortcut after `g`. */
export const appPages = [
  {
    id: 'overview',
    group: 'track',
    to: '/apps/$appId',
    label: 'nav.overview',
    icon: LayoutDashboard,
    key: 'o',
  },
  {
    id: 'keywords',
    group: 'track',
    to: '/apps/$appId/keywords',
    label: 'nav.keywords',
    icon: ListOrdered,
    key: 'k',
  },
  {
    id: 'distribution',
    group: 'track',
    to: '/apps/$appId/distribution',
    label: 'nav.distribution',
    icon: ChartNoAxesColumn,
    key: 'd',
  },
  {
    id: 'timeline',
    group: 'track',
    to: '/apps/$appId/timeline',
    label: 'nav.timeline',
    icon: History,
    key: 't',
  },
  {
    id: 'suggestions',
    group: 'research',
    to: '/apps/$appId/suggestions',
    label: 'nav.suggestions',
    icon: Lightbulb,
    key: 'i',
  },
  {
    id: 'popularity',
    group: 'research',
    to: '/apps/$appId/popularity',
    label: 'nav.popularity',
    icon: Search,
    key: 's',
  },
  {
    id: 'keyword-field',
    group: 'research',
    to: '/apps/$appId/keyword-field',
    label: 'nav.keywordField',
    icon: TextCursorInput,
    key: 'f',
  },
  {
    id: 'competitors',
    group: 'market',
    to: '/apps/$appId/competitors',
    label: 'nav.competitors',
    icon: Swords,
    key: 'c',
  },
  {
    id: 'reviews',
    group: 'market',
    to: '/apps/$appId/reviews',
    label: 'nav.reviews',
    icon: MessageSquareText,
    key: 'r',
  },
  {
    id: 'charts',
    group: 'market',
    to: '/apps/$appId/charts',
    label: 'nav.charts',
    icon: Trophy,
    key: 'l',
  },
] as const;

/** Those of the group `settings` are linked from each other and from the settings. */
export const workspacePages = [
  {
    id: 'briefing',
    group: 'workspace',
    to: '/briefing',
    label: 'nav.briefing',
    icon: Sunrise,
    key: 'b',
  },
  {
    id: 'actions',
    group: 'workspace',
    to: '/actions',
    label: 'nav.actions',
    icon: Inbox,
    key: 'a',
  },
  {
    id: 'alerts',
    group: 'workspace',
    to: '/alerts',
    label: 'nav.alerts',
    icon: BellRing,
    key: 'e',
  },
  {
    id: 'digest',
    group: 'workspace',
    to: '/digest',
    label: 'nav.digest',
    icon: Newspaper,
    key: 'w',
  },
  {
    id: 'capacity',
    group: 'settings',
    to: '/capacity',
    label: 'nav.capacity',
    icon: Gauge,
    key: 'y',
  },
  { id: 'runs', group: 'settings', to: '/runs', label: 'nav.runs', icon: CalendarClock, key: 'n' },
  {
    id: 'members',
    group: 'settings',
    to: '/members',
    label: 'nav.members',
    icon: UsersRound,
    key: 'm',
  },
  {
    id: 'imports-exports',
    group: 'workspace',
    to: '/imports-exports',
    label: 'nav.importsExports',
    icon: ArrowUpDown,
    key: 'x',
  },
  {
    id: 'methodology',
    group: 'settings',
    to: '/methodology',
    label: 'nav.methodology',
    icon: Ruler,
    key: 'h',
  },
  {
    id: 'settings',
    group: 'workspace',
    to: '/settings',
    label: 'nav.settings',
    icon: Settings,
    key: ',',
  },
] as const;

/** Listed only if billing is on. */
export const billingPage = {
  id: 'billing',
  group: 'workspace',
  to: '/settings/billing',
  label: 'nav.billing',
  icon: CreditCard,
  key: 'p',
} as const;
/** Listed only for administrators. */
export const adminPage = {
  id: 'admin',
  group: 'workspace',
  to: '/admin',
  label: 'nav.admin',
  icon: ShieldCheck,
  key: 'z',
} as const;

export type WorkspacePage = (typeof workspacePages)[number] | typeof billingPage | typeof adminPage;
