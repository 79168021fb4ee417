import type { AuditDetailName } from '#contract/audit.ts';
import { weekdays } from '#contract/choices.ts';
import { isStoreName, profileOf } from '#stores/profiles.ts';
import { formatInstant, formatList, formatWeekday } from '#web/format.ts';
import { i18next } from '#web/i18n.ts';
import type { AuditEntry } from '#web/queries/workspace.ts';
import type { Texts } from '#web/texts.ts';

/** The names of values in an audit entry. Unknown values are shown as the API sends them. */
const words: Record<AuditDetailName, keyof Texts> & Record<string, keyof Texts> = {
  appId: 'audit.word.appId',
  storeAppId: 'audit.word.storeAppId',
  store: 'audit.word.store',
  fields: 'audit.word.fields',
  format: 'audit.word.format',
  tables: 'audit.word.tables',
  asPublicFacts: 'audit.word.asPublicFacts',
  rows: 'audit.word.rows',
  rules: 'audit.word.rules',
  count: 'audit.word.count',
  inviteId: 'audit.word.inviteId',
  role: 'audit.word.role',
  from: 'audit.word.from',
  to: 'audit.word.to',
  name: 'audit.word.name',
  readOnly: 'audit.word.readOnly',
  host: 'audit.word.host',
  locale: 'audit.word.locale',
  purgeAt: 'audit.word.purgeAt',
  plan: 'audit.word.plan',
  before: 'audit.word.before',
  reason: 'audit.word.reason',
  displayName: 'audit.word.displayName',
  note: 'audit.word.note',
  tags: 'audit.word.tags',
  addTags: 'audit.word.addTags',
  removeTags: 'audit.word.removeTags',
  linkedAppId: 'audit.word.linkedAppId',
  favorite: 'audit.word.favorite',
  paused: 'audit.word.paused',
  depth: 'audit.word.depth',
  url: 'audit.word.url',
  events: 'audit.word.events',
  enabled: 'audit.word.enabled',
  description: 'audit.word.description',
  fileName: 'audit.word.fileName',
  bytes: 'audit.word.bytes',
  country: 'audit.word.country',
  week: 'audit.word.week',
  draft: 'audit.word.draft',
  locales: 'audit.word.locales',
  written: 'audit.word.written',
  clientId: 'audit.word.clientId',
  teamId: 'audit.word.teamId',
  keyId: 'audit.word.keyId',
  defaultDepth: 'settings.defaultDepth',
  digestDay: 'settings.digestDay',
  digestHour: 'settings.digestHour',
  reviewNegativeMaxRating: 'settings.negative',
  timezoneForDisplay: 'settings.zone',
  'thresholds.movePositions': 'settings.movePositions',
  'thresholds.highTraffic': 'settings.highTraffic',
  'thresholds.highDifficulty': 'settings.highDifficulty',
};
const actors: Record<string, keyof Texts> = {
  payment: 'audit.who.payment',
  command: 'audit.who.command',
  'deleted account': 'audit.who.deleted',
};
const kinds: Record<string, keyof Texts> = {
  app: 'audit.on.app',
  keyword: 'audit.on.keyword',
  competitor: 'audit.on.competitor',
  token: 'audit.on.token',
  reader: 'audit.on.reader',
  webhook: 'audit.on.webhook',
  export: 'audit.on.export',
  report: 'audit.on.report',
  workspace: 'audit.on.workspace',
  popularity: 'audit.on.popularity',
  session: 'audit.on.session',
};

const say = (known: Record<string, keyof Texts>, name: string): string =>
  Object.hasOwn(known, name) ? String(i18next.t(known[name]!)) : name;

/** An email address, or the source of a change without one. */
export const formatActor = (actor: string): string => say(actors, actor);

/** `app 12` in the language of the page; email addresses unchanged. */
export function formatSubject(subject: string): string {
  const [kind = '', ...id] = subject.split(' ');
  return [say(kinds, kind), ...id].join(' ');
}

export function formatAuditDetail(detail: AuditEntry['detail']): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${say(words, name)}: ${formatAuditValue(name, value)}`)
    .join(' · ');
}

function formatAuditValue(name: string, value: AuditEntry['detail'][string]): string {
  if (typeof value === 'boolean') return i18next.t(value ? 'audit.yes' : 'audit.no');
  const text = String(value);
  if (name === 'fields') return formatList(text.split(', ').map((field) => say(words, field)));
  if (name === 'purgeAt') return formatInstant(text);
  if (name === 'store' && isStoreName(text)) return profileOf(text).name;
  if (text === 'owner' || text === 'member') return i18next.t(`workspaces.role.${text}`);
  const weekday = name === 'digestDay' ? weekdays.findIndex((day) => day === text) : -1;
  return weekday < 0 ? text : formatWeekday(weekday);
}
