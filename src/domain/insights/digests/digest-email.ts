import { nameWithStore } from '#contract/events/event-shapes.ts';
import { formatRankMove } from '#contract/events/rank-move.ts';
import { formatPosition } from '#lib/format-position.ts';
import type { Mail } from '#domain/base/ports.ts';
import { drawTrend, escapeHtml } from './draw-trend.ts';
import type { Digest, LoadedDigest } from './get-digest.ts';

type App = Digest['apps'][number];
type Move = App['gained'][number];

const appsMax = 20;
const movesMax = 5;

/**
 * The digest as an email: the same content as text and as HTML, with a trend of four weeks per app.
 * Pure.
 */
export function digestEmail(
  to: string,
  { digest, trends }: LoadedDigest,
  about: { workspace: string; publicUrl: string | null },
): Mail & { html: string } {
  const subject = `${about.workspace}: the week of ${digest.from}`;
  const shown = digest.apps.slice(0, appsMax);
  // The page with the switch.
  const page = about.publicUrl === null ? null : `${about.publicUrl}/digest`;
  const end = [
    digest.apps.length === 0 ? 'No app is tracked yet.' : null,
    digest.apps.length + digest.moreApps > shown.length
      ? `And ${digest.apps.length + digest.moreApps - shown.length} more apps.`
      : null,
    `The alert rules decide who gets this email${page === null ? '' : `: ${page}`}.`,
  ].filter((line) => line !== null);
  return {
    to,
    subject: subject.replace(/\p{Cc}+/gu, ' '),
    text: [
      subject,
      ...shown.map((app) => [nameWithStore(app), ...linesOf(app)].join('\n')),
      ...end,
    ].join('\n\n'),
    html: writePage(
      subject,
      shown.map((app) => writeApp(app, trends.get(app.appId)?.values ?? [], about.publicUrl)),
      end,
    ),
    ...(page !== null && { headers: { 'List-Unsubscribe': `<${page}>` } }),
  };
}

function linesOf(app: App): string[] {
  const {
    keywords,
    ranked,
    notFound,
    notChecked,
    top3,
    top10,
    improved,
    dropped,
    visibility,
    coverage,
  } = app;
  const percent =
    coverage === null
      ? null
      : `${Math.round(coverage * 1000) / 10} % of the days of its keywords were checked.`;
  return [
    `${keywords} keywords: ${ranked} found, ${notFound} not found, ${notChecked} not ` +
      `checked; ${top3} in the top 3, ${top10} in the top 10.`,
    `${improved} rose, ${dropped} fell.`,
    formatVisibility(visibility),
    ...app.gained.slice(0, movesMax).map((move) => `▲ ${moveOf(move)}`),
    ...app.lost.slice(0, movesMax).map((move) => `▼ ${moveOf(move)}`),
    `${app.newReviews} new reviews, ${app.negativeReviews} of them low; ` +
      `${app.metadataChanges} changes of the listing; ${app.openActions} open actions.`,
    ...(percent === null ? [] : [percent]),
  ];
}

function formatVisibility({ from, to }: App['visibility']): string {
  if (to === null) return 'No visibility: nothing was checked.';
  return from === null
    ? `Visibility ${to}. Its change is unknown: the same keywords were almost fully checked on ` +
        'fewer than two days.'
    : `Visibility from ${from} to ${to}, over the keywords tracked on the first and the last day.`;
}

const moveOf = (move: Move): string => formatRankMove(move, formatPosition);

function writeApp(app: App, trend: readonly (number | null)[], publicUrl: string | null): string {
  const named = nameWithStore(app);
  const name = escapeHtml(named);
  const title =
    publicUrl === null
      ? name
      : `<a href="${escapeHtml(`${publicUrl}/apps/${app.appId}`)}" target="_blank" ` +
        `rel="noopener">${name}</a>`;
  const lines = linesOf(app).map((line) => `<div>${escapeHtml(line)}</div>`);
  const chart = trend.some((value) => value !== null)
    ? drawTrend(trend, `Visibility of ${named} over ${trend.length} days`)
    : '';
  return `<h2 style="font-size:16px;margin:24px 0 4px">${title}</h2>${chart}${lines.join('')}`;
}

function writePage(subject: string, apps: readonly string[], end: readonly string[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" ' +
      'content="light dark">',
    `<title>${escapeHtml(subject)}</title></head>`,
    '<body style="font:14px/1.5 system-ui,sans-serif;max-width:640px;margin:0 auto;padding:16px">',
    `<h1 style="font-size:20px">${escapeHtml(subject)}</h1>`,
    ...apps,
    ...end.map((line) => `<p style="opacity:0.7">${escapeHtml(line)}</p>`),
    '</body></html>',
  ].join('\n');
}
