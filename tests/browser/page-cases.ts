import type { DemoTestApp } from './demo-test-app.ts';

/** The page's name, its path, and a heading that it shows when loaded. */
export type PageCase = readonly [name: string, path: () => string, has: string | RegExp];

const settingsTabs = [
  'general',
  'display',
  'account',
  'tokens',
  'usage',
  'audit',
  'popularity',
  'tags',
  'workspace',
];

const tabsOf = (name: string, path: () => string, tabs: Record<string, string | RegExp>) =>
  Object.entries(tabs).map(([tab, has]): PageCase => [
    `${name}: ${tab}`,
    () => `${path()}?tab=${tab}`,
    has,
  ]);

/**
 * Every page and tab for members of a workspace, and those for visitors who are not signed in. The
 * app is read when a path is needed: lists of tests are made before it has started.
 */
export function listPageCases(appOf: () => Pick<DemoTestApp, 'apps' | 'keywordId'>): {
  signedIn: PageCase[];
  signedOut: PageCase[];
} {
  const ios = (rest = '') => `/apps/${appOf().apps.ios}${rest}`;
  return {
    signedIn: [
      ['overview', () => ios(), 'Visibility'],
      ['keywords', () => ios('/keywords'), 'Keywords'],
      ['distribution', () => ios('/distribution'), 'Rank distribution'],
      ...tabsOf('competitors', () => ios('/competitors'), {
        competitors: 'Competitors',
        matrix: 'Positions',
        gaps: 'Gaps',
        compare: 'Listings',
        market: 'Leaders',
      }),
      ['suggestions', () => `${ios('/suggestions')}?source=listing`, /Suggestions \(/],
      ['country-scores', () => ios('/country-scores'), 'Opportunities by country'],
      ['keyword-field', () => ios('/keyword-field'), 'Field'],
      ['listing-drafts', () => ios('/listing-drafts'), 'No drafts yet'],
      [
        'listing-drafts, storefronts',
        () => ios('/listing-drafts?tab=storefronts&country=us'),
        'Storefronts and their languages',
      ],
      [
        'popularity',
        () => `${ios('/popularity')}?genre=health_fitness`,
        /^United States, \w+ \d{4}$/,
      ],
      [
        'keyword-field of Android',
        () => `/apps/${appOf().apps.android}/keyword-field`,
        'Android has no keyword field',
      ],
      ['timeline', () => ios('/timeline'), 'Timeline'],
      ...tabsOf('reviews', () => ios('/reviews'), {
        reviews: /Reviews by stars/,
        ratings: 'Rating history',
        topics: 'Topics',
      }),
      ['charts', () => ios('/charts'), /Positions on/],
      ['keyword', () => `/keywords/${appOf().keywordId}`, 'Position history'],
      ['serp', () => `/keywords/${appOf().keywordId}/serp`, /\d{4}$/],
      ['briefing', () => '/briefing', 'Briefing'],
      ['actions', () => '/actions', 'Actions'],
      ...tabsOf('alerts', () => '/alerts', {
        events: 'Alerts',
        rules: 'Alerts',
        webhooks: 'Alerts',
      }),
      ['digest', () => '/digest', 'Weekly digest'],
      ['capacity', () => '/capacity', 'Capacity'],
      ...tabsOf('runs', () => '/runs', { days: 'Runs', jobs: 'Runs' }),
      ['members', () => '/members', 'Members'],
      ...tabsOf('imports-exports', () => '/imports-exports', {
        export: 'Import and export',
        import: 'Import and export',
        reports: 'Import and export',
      }),
      ['methodology', () => '/methodology', 'Traffic'],
      ...tabsOf(
        'settings',
        () => '/settings',
        Object.fromEntries(settingsTabs.map((tab) => [tab, 'Settings'])),
      ),
      ['welcome', () => '/welcome', 'Which app is yours?'],
      ['a page that is not there', () => '/no-such-page', 'Page not found'],
    ],
    signedOut: [
      ['sign-in', () => '/sign-in', 'Sign in'],
      ['sign-up', () => '/sign-up', 'Create your account'],
      ['forgot-password', () => '/forgot-password', 'Reset your password'],
      ['reset-password', () => '/reset-password', 'Set a new password'],
      ['invite', () => '/invite', 'Join the workspace'],
      ['report', () => '/report', 'This report is no longer here'],
      ['confirm-email', () => '/confirm-email', 'Confirm your email address'],
    ],
  };
}
