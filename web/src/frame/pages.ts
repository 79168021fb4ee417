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
  Settings,
  ShieldCheck,
  Sunrise,
  Swords,
  TextCursorInput,
  Trophy,
  UsersRound,
} from 'lucide-react';

/** Pages of one app in the order of the menu. `key` is the shortcut after `g`. */
export const appPages = [
  { id: 'overview', to: '/apps/$appId', label: 'nav.overview', icon: LayoutDashboard, key: 'o' },
  {
    id: 'keywords',
    to: '/apps/$appId/keywords',
    label: 'nav.keywords',
    icon: ListOrdered,
    key: 'k',
  },
  {
    id: 'distribution',
    to: '/apps/$appId/distribution',
    label: 'nav.distribution',
    icon: ChartNoAxesColumn,
    key: 'd',
  },
  {
    id: 'suggestions',
    to: '/apps/$appId/suggestions',
    label: 'nav.suggestions',
    icon: Lightbulb,
    key: 'i',
  },
  {
    id: 'keyword-field',
    to: '/apps/$appId/keyword-field',
    label: 'nav.keywordField',
    icon: TextCursorInput,
    key: 'f',
  },
  {
    id: 'competitors',
    to: '/apps/$appId/competitors',
    label: 'nav.competitors',
    icon: Swords,
    key: 'c',
  },
  { id: 'timeline', to: '/apps/$appId/timeline', label: 'nav.timeline', icon: History, key: 't' },
  {
    id: 'reviews',
    to: '/apps/$appId/reviews',
    label: 'nav.reviews',
    icon: MessageSquareText,
    key: 'r',
  },
  {
    id: 'charts',
    to: '/apps/$appId/charts',
    label: 'nav.charts',
    icon: Trophy,
    key: 'l',
  },
] as const;

export const workspacePages = [
  { id: 'briefing', to: '/briefing', label: 'nav.briefing', icon: Sunrise, key: 'b' },
  { id: 'actions', to: '/actions', label: 'nav.actions', icon: Inbox, key: 'a' },
  { id: 'alerts', to: '/alerts', label: 'nav.alerts', icon: BellRing, key: 'e' },
  { id: 'digest', to: '/digest', label: 'nav.digest', icon: Newspaper, key: 'w' },
  { id: 'capacity', to: '/capacity', label: 'nav.capacity', icon: Gauge, key: 'y' },
  { id: 'runs', to: '/runs', label: 'nav.runs', icon: CalendarClock, key: 'n' },
  { id: 'members', to: '/members', label: 'nav.members', icon: UsersRound, key: 'm' },
  {
    id: 'imports-exports',
    to: '/imports-exports',
    label: 'nav.importsExports',
    icon: ArrowUpDown,
    key: 'x',
  },
  { id: 'methodology', to: '/methodology', label: 'nav.methodology', icon: Ruler, key: 'h' },
  { id: 'settings', to: '/settings', label: 'nav.settings', icon: Settings, key: ',' },
] as const;

/** Listed only if billing is on. */
export const billingPage = {
  id: 'billing',
  to: '/settings/billing',
  label: 'nav.billing',
  icon: CreditCard,
  key: 'p',
} as const;
/** Listed only for administrators. */
export const adminPage = {
  id: 'admin',
  to: '/admin',
  label: 'nav.admin',
  icon: ShieldCheck,
  key: 'z',
} as const;

export type WorkspacePage = (typeof workspacePages)[number] | typeof billingPage | typeof adminPage;
