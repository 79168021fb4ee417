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
import { isApiError } from './describe-error.ts';
import { setDisplayZone } from './format.ts';
import { recallApp } from './frame/current-app.ts';
import { OneWorkspace } from './frame/one-workspace.tsx';
import { PageError } from './frame/page-error.tsx';
import { PagePending } from './frame/page-pending.tsx';
import { Root } from './frame/root.tsx';
import { withTexts } from './i18n.ts';
import { NotFoundPage } from './pages/not-found/not-found-page.tsx';
import { startOverview } from './pages/overview/start-overview.ts';
import { appsQuery } from './queries/apps.ts';
import { billingQuery } from './queries/billing.ts';
import {
  authStateQuery,
  hasSessionHint,
  rememberSignedIn,
  sessionQuery,
} from './queries/session.ts';
import { settingsQuery, workspaceQuery } from './queries/workspace.ts';
import { keepScope, readScope } from './scope.ts';
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

/** A page comes with its texts. */
const lazyPage = <Name extends string>(
  nouns: readonly Noun[],
  fetchCode: Fetch<Name>,
  name: Name,
) => lazyRouteComponent(withTexts(nouns, fetchCode), name);

/** Only a path of ours may be returned to. */
function readNext(search: Record<string, unknown>): { next?: string | undefined } {
  const next = search.next;
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {};
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: readNext,
  component: lazyPage(['account'], () => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: readNext,
  component: lazyPage(['account'], () => import('./pages/sign-up/sign-up-page.tsx'), 'SignUpPage'),
});

/** Links of mails: what they carry stands behind the #, so that it reaches no server. */
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

/** Everything below needs a session; without one the way leads to signing in, or up on a fresh install. */
async function requireSession(queryClient: QueryClient, href: string): Promise<void> {
  const next = href === '/' ? undefined : href;
  if (!hasSessionHint()) {
    const state = await queryClient.fetchQuery(authStateQuery);
    if (!state.signedIn)
      throw redirect({ to: state.needsFirstUser ? '/sign-up' : '/sign-in', search: { next } });
  }
  try {
    void queryClient.prefetchQuery(settingsQuery);
    await queryClient.ensureQueryData(sessionQuery);
    rememberSignedIn(true);
  } catch (error) {
    if (!isApiError(error, 'unauthenticated')) throw error;
    rememberSignedIn(false);
    const state = await queryClient.fetchQuery(authStateQuery);
    throw redirect({ to: state.needsFirstUser ? '/sign-up' : '/sign-in', search: { next } });
  }
}

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: ({ context, location }) => requireSession(context.queryClient, location.href),
  component: OneWorkspace,
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
 * What the frame is drawn with at once, so that nothing moves when it comes: times in the workspace's zone, the app whose
 * pages it lists, why the workspace is suspended. What cannot be read is done without.
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
  search: { middlewares: [keepScope] },
  loader: ({ context }) => readFrame(context.queryClient),
  component: lazyPage(['palette'], () => import('./frame/app-frame.tsx'), 'AppFrame'),
});

const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const apps = await context.queryClient.ensureQueryData(appsQuery);
    const last = apps.items.find((app) => app.id === recallApp()) ?? apps.items[0];
    if (!last) throw redirect({ to: '/welcome' });
    throw redirect({ to: '/apps/$appId/keywords', params: { appId: String(last.id) } });
  },
});

/** A page inside the frame. */
const page = <const Path extends string, Name extends string>(
  path: Path,
  nouns: readonly Noun[],
  fetchCode: Fetch<Name>,
  name: Name,
) =>
  createRoute({
    getParentRoute: () => frameRoute,
    path,
    component: lazyPage(nouns, fetchCode, name),
  });

/** It reads the most, part of it after another answer: all of that is asked for beside its code. */
const overviewRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/apps/$appId',
  loader({ context, params, location, preload }) {
    const appId = Number(params.appId) || 0;
    if (appId > 0 && !preload)
      startOverview(context.queryClient, appId, readScope(location.search));
  },
  component: lazyPage(
    ['overview', 'events', 'action-titles', 'action-reasons'],
    () => import('./pages/overview/overview-page.tsx'),
    'OverviewPage',
  ),
});

/** Where there are no plans it is a page that does not exist. */
const planRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings/plan',
  async loader({ context }) {
    try {
      await context.queryClient.ensureQueryData(billingQuery);
    } catch (error) {
      throw isApiError(error, 'not_found') ? notFound({ routeId: rootRouteId }) : error;
    }
  },
  component: lazyPage(['plan'], () => import('./pages/plan/plan-page.tsx'), 'PlanPage'),
});

/** To who does not run the instance it does not exist. */
const operatorRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/operator',
  async beforeLoad({ context }) {
    const { operator } = await context.queryClient.ensureQueryData(sessionQuery);
    if (!operator) throw notFound({ routeId: rootRouteId });
  },
  component: lazyPage(
    ['operator'],
    () => import('./pages/operator/operator-page.tsx'),
    'OperatorPage',
  ),
});

const pages = [
  overviewRoute,
  planRoute,
  operatorRoute,
  page(
    '/apps/$appId/keywords',
    ['keywords'],
    () => import('./pages/keywords/keywords-page.tsx'),
    'KeywordsPage',
  ),
  page(
    '/apps/$appId/distribution',
    ['distribution'],
    () => import('./pages/distribution/distribution-page.tsx'),
    'DistributionPage',
  ),
  page(
    '/apps/$appId/competitors',
    ['competitors'],
    () => import('./pages/competitors/competitors-page.tsx'),
    'CompetitorsPage',
  ),
  page(
    '/apps/$appId/discover',
    ['discover', 'scores'],
    () => import('./pages/discover/discover-page.tsx'),
    'DiscoverPage',
  ),
  page(
    '/apps/$appId/keyword-field',
    ['keyword-field', 'keywords'],
    () => import('./pages/keyword-field/keyword-field-page.tsx'),
    'KeywordFieldPage',
  ),
  page(
    '/apps/$appId/timeline',
    ['timeline', 'events', 'notes'],
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
    '/apps/$appId/category-ranks',
    ['category-ranks'],
    () => import('./pages/category-ranks/category-ranks-page.tsx'),
    'CategoryRanksPage',
  ),
  page(
    '/keywords/$keywordId',
    ['keyword', 'keywords', 'notes', 'scores'],
    () => import('./pages/keyword/keyword-page.tsx'),
    'KeywordPage',
  ),
  page(
    '/keywords/$keywordId/results',
    ['results'],
    () => import('./pages/results/results-page.tsx'),
    'ResultsPage',
  ),
  page(
    '/actions',
    ['actions', 'action-titles', 'action-reasons', 'events'],
    () => import('./pages/actions/actions-page.tsx'),
    'ActionsPage',
  ),
  page(
    '/alerts',
    ['alerts', 'events', 'action-titles'],
    () => import('./pages/alerts/alerts-page.tsx'),
    'AlertsPage',
  ),
  page(
    '/digest',
    ['digest', 'events'],
    () => import('./pages/digest/digest-page.tsx'),
    'DigestPage',
  ),
  page(
    '/capacity',
    ['capacity'],
    () => import('./pages/capacity/capacity-page.tsx'),
    'CapacityPage',
  ),
  page('/runs', ['capacity'], () => import('./pages/runs/runs-page.tsx'), 'RunsPage'),
  page('/members', ['members'], () => import('./pages/members/members-page.tsx'), 'MembersPage'),
  page('/data', ['data'], () => import('./pages/data/data-page.tsx'), 'DataPage'),
  page(
    '/methodology',
    ['methodology'],
    () => import('./pages/methodology/methodology-page.tsx'),
    'MethodologyPage',
  ),
  page(
    '/settings',
    ['settings', 'account', 'palette'],
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
  signedInRoute.addChildren([welcomeRoute, frameRoute.addChildren([homeRoute, ...pages])]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFoundPage,
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    // The router would keep its place holder for half a second once it is shown, though the page is there.
    defaultPendingMinMs: 0,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
