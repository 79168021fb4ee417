import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
  rootRouteId,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { basePath } from './base-path.ts';
import { isApiError } from './describe-error.ts';
import { setDisplayZone } from './format.ts';
import { AppFrame } from './frame/app-frame.tsx';
import { WorkspaceBoundary } from './frame/workspace-boundary.tsx';
import { PageError } from './frame/page-error.tsx';
import { PagePending } from './frame/page-pending.tsx';
import { Root } from './frame/root.tsx';
import { withTexts } from './i18n.ts';
import { createScrollRestoration } from './keep-scroll.ts';
import { NotFoundPage } from './pages/not-found/not-found-page.tsx';
import { OverviewPage } from './pages/overview/overview-page.tsx';
import { prefetchOverview } from './pages/overview/prefetch-overview.ts';
import {
  prefetchAlerts,
  prefetchCompetitors,
  prefetchDistribution,
  prefetchKeywords,
  type Prefetch,
} from './pages/prefetch-data.ts';
import { appsQuery } from './queries/apps.ts';
import { billingQuery } from './queries/billing.ts';
import {
  authStateQuery,
  hasSessionHint,
  saveSignedInHint,
  sessionQuery,
} from './queries/session.ts';
import { settingsQuery, workspaceQuery } from './queries/workspace.ts';
import { retainScope, readScope } from './scope.ts';
import { shownWorkspace } from './shown-workspace.ts';
import type { Noun } from './texts.ts';

interface Context {
  queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<Context>()({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: PageError,
});

type Fetch<Name extends string> = () => Promise<Record<NoInfer<Name>, () => ReactNode>>;

/** A lazy page that loads its texts with its code. */
const lazyPage = <Name extends string>(
  nouns: readonly Noun[],
  fetchCode: Fetch<Name>,
  name: Name,
) => lazyRouteComponent(withTexts(nouns, fetchCode), name);

/** Allows redirects to paths of the dashboard only. */
function readNext(search: Record<string, unknown>): { next?: string | undefined } {
  const next = search.next;
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {};
}

/** `ended` says why the reader is here: the session ended. */
function readSignIn(search: Record<string, unknown>): {
  next?: string | undefined;
  ended?: true | undefined;
} {
  return { ...readNext(search), ...(search.ended === true && { ended: true as const }) };
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: readSignIn,
  component: lazyPage(['account'], () => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: readNext,
  component: lazyPage(['account'], () => import('./pages/sign-up/sign-up-page.tsx'), 'SignUpPage'),
});

/** Email links carry their secret after the #, so that it never reaches a server. */
const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite',
  component: lazyPage(['account'], () => import('./pages/invite/invite-page.tsx'), 'InvitePage'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyPage(
    ['account'],
    () => import('./pages/password/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyPage(
    ['account'],
    () => import('./pages/password/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
});

const confirmEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirm-email',
  component: lazyPage(
    ['account'],
    () => import('./pages/confirm-email/confirm-email-page.tsx'),
    'ConfirmEmailPage',
  ),
});

/** Its secret follows the #, too. */
const reportRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/report',
  component: lazyPage(
    ['reports', 'distribution'],
    () => import('./pages/report/report-page.tsx'),
    'ReportPage',
  ),
});

/** Requires a session. Otherwise it redirects to sign-in, or to sign-up on a new installation. */
async function requireSession(queryClient: QueryClient, href: string): Promise<void> {
  const next = href === '/' ? undefined : href;
  if (!hasSessionHint()) {
    const state = await queryClient.fetchQuery(authStateQuery);
    if (!state.signedIn)
      throw redirect({ to: state.needsFirstUser ? '/sign-up' : '/sign-in', search: { next } });
  }
  try {
    void queryClient.prefetchQuery(settingsQuery);
    const { workspace } = await queryClient.ensureQueryData(sessionQuery);
    shownWorkspace.id ??= workspace.id;
    saveSignedInHint(true);
  } catch (error) {
    if (!isApiError(error, 'unauthenticated')) throw error;
    const ended = hasSessionHint() || undefined;
    saveSignedInHint(false);
    const state = await queryClient.fetchQuery(authStateQuery);
    if (state.needsFirstUser) throw redirect({ to: '/sign-up', search: { next } });
    throw redirect({ to: '/sign-in', search: { next, ended } });
  }
}

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad({ context, location, cause }) {
    // Whoever has signed in since may be in another workspace.
    if (cause === 'enter') shownWorkspace.id = null;
    return requireSession(context.queryClient, location.href);
  },
  component: WorkspaceBoundary,
});

const welcomeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/welcome',
  component: lazyPage(
    ['welcome', 'keywords'],
    () => import('./pages/welcome/welcome-page.tsx'),
    'WelcomePage',
  ),
});

/**
 * Loads the data of the frame first, so that the layout does not shift: the time zone, the apps and
 * the reason of a suspension. Errors are ignored.
 */
async function readFrame(queryClient: QueryClient): Promise<void> {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  const [settings] = await Promise.allSettled([
    queryClient.ensureQueryData(settingsQuery),
    queryClient.ensureQueryData(appsQuery),
    session?.workspace.state === 'suspended' && queryClient.ensureQueryData(workspaceQuery),
  ]);
  if (settings.status === 'fulfilled') setDisplayZone(settings.value.timezoneForDisplay);
}

const frameRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'frame',
  validateSearch: (search: Record<string, unknown>) => readScope(search),
  search: { middlewares: [retainScope] },
  loader: ({ context }) => readFrame(context.queryClient),
  component: AppFrame,
});

const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const apps = await context.queryClient.ensureQueryData(appsQuery);
    throw redirect({ to: apps.items.length === 0 ? '/welcome' : '/briefing' });
  },
});

const page = <const Path extends string, Name extends string>(
  path: Path,
  nouns: readonly Noun[],
  fetchCode: Fetch<Name>,
  name: Name,
  prefetch?: Prefetch,
) =>
  createRoute({
    getParentRoute: () => frameRoute,
    path,
    staticData: { prefetch },
    loader({ context, params, location, cause }) {
      const appId = Number((params as { appId?: string }).appId) || 0;
      // A filter in the address changes it, and the data stays.
      if (prefetch && cause === 'enter')
        void prefetch(context.queryClient, { appId, search: location.search });
    },
    component: lazyPage(nouns, fetchCode, name),
  });

const overviewRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/apps/$appId',
  staticData: { prefetch: prefetchOverview },
  loader({ context, params, location, preload }) {
    const appId = Number(params.appId) || 0;
    if (!preload) prefetchOverview(context.queryClient, { appId, search: location.search });
  },
  component: OverviewPage,
});

/** Without billing, this page does not exist. */
const billingRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/billing',
  async loader({ context }) {
    try {
      await context.queryClient.ensureQueryData(billingQuery);
    } catch (error) {
      throw isApiError(error, 'not_found') ? notFound({ routeId: rootRouteId }) : error;
    }
  },
  component: lazyPage(['billing'], () => import('./pages/billing/billing-page.tsx'), 'BillingPage'),
});

/** For everyone except administrators, this page does not exist. */
const adminRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/admin',
  async beforeLoad({ context }) {
    const { operator } = await context.queryClient.ensureQueryData(sessionQuery);
    if (!operator) throw notFound({ routeId: rootRouteId });
  },
  component: lazyPage(['admin'], () => import('./pages/admin/admin-page.tsx'), 'AdminPage'),
});

const pages = [
  overviewRoute,
  billingRoute,
  adminRoute,
  page(
    '/apps/$appId/keywords',
    ['keywords'],
    () => import('./pages/keywords/keywords-page.tsx'),
    'KeywordsPage',
    prefetchKeywords,
  ),
  page(
    '/apps/$appId/distribution',
    ['distribution'],
    () => import('./pages/distribution/distribution-page.tsx'),
    'DistributionPage',
    prefetchDistribution,
  ),
  page(
    '/apps/$appId/competitors',
    ['competitors'],
    () => import('./pages/competitors/competitors-page.tsx'),
    'CompetitorsPage',
    prefetchCompetitors,
  ),
  page(
    '/apps/$appId/suggestions',
    ['suggestions', 'scores', 'published'],
    () => import('./pages/suggestions/suggestions-page.tsx'),
    'SuggestionsPage',
  ),
  page(
    '/apps/$appId/country-scores',
    ['country-scores', 'scores', 'published'],
    () => import('./pages/country-scores/country-scores-page.tsx'),
    'CountryScoresPage',
  ),
  page(
    '/apps/$appId/popularity',
    ['popularity', 'published'],
    () => import('./pages/popularity/popularity-page.tsx'),
    'PopularityPage',
  ),
  page(
    '/apps/$appId/keyword-field',
    ['keyword-field', 'keywords'],
    () => import('./pages/keyword-field/keyword-field-page.tsx'),
    'KeywordFieldPage',
  ),
  page(
    '/apps/$appId/listing-drafts',
    ['listing-drafts'],
    () => import('./pages/listing-drafts/listing-drafts-page.tsx'),
    'ListingDraftsPage',
  ),
  page(
    '/apps/$appId/timeline',
    ['timeline', 'annotations'],
    () => import('./pages/timeline/timeline-page.tsx'),
    'TimelinePage',
  ),
  page(
    '/apps/$appId/reviews',
    ['reviews'],
    () => import('./pages/reviews/reviews-page.tsx'),
    'ReviewsPage',
  ),
  page(
    '/apps/$appId/charts',
    ['charts', 'competitor-lines'],
    () => import('./pages/charts/charts-page.tsx'),
    'ChartsPage',
  ),
  page(
    '/keywords/$keywordId',
    ['keyword', 'keywords', 'annotations', 'scores', 'published', 'competitor-lines'],
    () => import('./pages/keyword/keyword-page.tsx'),
    'KeywordPage',
  ),
  page(
    '/keywords/$keywordId/serp',
    ['serp'],
    () => import('./pages/serp/serp-page.tsx'),
    'SerpPage',
  ),
  page(
    '/briefing',
    ['briefing'],
    () => import('./pages/briefing/briefing-page.tsx'),
    'BriefingPage',
  ),
  page('/actions', ['actions'], () => import('./pages/actions/actions-page.tsx'), 'ActionsPage'),
  page(
    '/alerts',
    ['alerts'],
    () => import('./pages/alerts/alerts-page.tsx'),
    'AlertsPage',
    prefetchAlerts,
  ),
  page('/digest', ['digest'], () => import('./pages/digest/digest-page.tsx'), 'DigestPage'),
  page(
    '/capacity',
    ['capacity'],
    () => import('./pages/capacity/capacity-page.tsx'),
    'CapacityPage',
  ),
  page('/runs', ['capacity'], () => import('./pages/runs/runs-page.tsx'), 'RunsPage'),
  page('/members', ['members'], () => import('./pages/members/members-page.tsx'), 'MembersPage'),
  page(
    '/imports-exports',
    ['imports-exports', 'reports'],
    () => import('./pages/imports-exports/imports-exports-page.tsx'),
    'ImportsExportsPage',
  ),
  page(
    '/methodology',
    ['methodology'],
    () => import('./pages/methodology/methodology-page.tsx'),
    'MethodologyPage',
  ),
  page(
    '/settings',
    ['settings', 'account', 'popularity', 'published'],
    () => import('./pages/settings/settings-page.tsx'),
    'SettingsPage',
  ),
] as const;

const routeTree = rootRoute.addChildren([
  signInRoute,
  signUpRoute,
  inviteRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  confirmEmailRoute,
  reportRoute,
  signedInRoute.addChildren([welcomeRoute, frameRoute.addChildren([homeRoute, ...pages])]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: basePath,
    context: { queryClient },
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFoundPage,
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    // Otherwise the router would show its placeholder for at least half a second, even if the page
    // is ready.
    defaultPendingMinMs: 0,
    // Another app or keyword begins without the choices and unsaved texts of the one before.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: createScrollRestoration(),
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
