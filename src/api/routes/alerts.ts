import { alerts } from '#contract/alerts.ts';
import { backtestRules } from '#domain/alerting/alerts/backtest.ts';
import { getRules } from '#domain/alerting/alerts/read-rules.ts';
import { saveRules } from '#domain/alerting/alerts/save-rules.ts';
import { routesOf } from '../route.ts';

export const alertsRoutes = routesOf(alerts, {
  'GET /alerts/rules': ({ ctx }) => getRules(ctx),
  'PUT /alerts/rules': ({ ctx, body }) => saveRules(ctx, body.rules),
  'POST /alerts/rules/backtest': ({ ctx, body }) => backtestRules(ctx, body),
});
