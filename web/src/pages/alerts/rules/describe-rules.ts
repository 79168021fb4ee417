import type { TFunction } from 'i18next';
import type { App } from '#web/api.ts';
import type { AlertRule } from '#web/queries/alerts.ts';
import { numberFields, type NumberField } from './rule-draft.ts';

type Member = { label: string; text: string };

interface Context {
  apps: readonly App[];
  /** `apps` are all live ones of the workspace. */
  isComplete: boolean;
  t: TFunction;
}

/** The rules of an event in words, one line for each member in which they differ from `other`. */
export function describeRules(
  own: readonly AlertRule[],
  other: readonly AlertRule[],
  context: Context,
): string {
  const { t } = context;
  if (own.length === 0) return t('rules.default');
  const isPair = own.length === 1 && other.length === 1;
  const otherMembers = isPair ? listMembers(other[0]!, context) : [];
  return own
    .map((rule, index) => {
      const lines = listMembers(rule, context)
        .filter(({ label, text }) =>
          otherMembers.every((member) => member.label !== label || member.text !== text),
        )
        .map(({ label, text }) => `${label}: ${text}`);
      return own.length === 1
        ? lines.join('\n')
        : [t('rules.number', { number: index + 1 }), ...lines].join('\n');
    })
    .join('\n');
}

function listMembers(rule: AlertRule, context: Context): Member[] {
  const { t } = context;
  const { event: _event, enabled, ...members } = rule;
  const state = { label: t('rules.state'), text: enabled ? t('rules.on') : t('rules.off') };
  return [state, ...Object.entries(members).flatMap((member) => toMembers(member, context))];
}

function toMembers([name, value]: [string, unknown], context: Context): Member[] {
  const { t } = context;
  if (value === undefined || value === null) return [];
  if (name in numberFields)
    return [{ label: t(`rules.field.${name as NumberField}`), text: `${value as number}` }];
  if (name === 'depthEdge')
    return [{ label: t('rules.depthEdge'), text: value ? t('rules.on') : t('rules.off') }];
  if (name === 'everyReview')
    return [{ label: t('rules.everyReview'), text: value ? t('rules.on') : t('rules.off') }];
  if (name === 'thresholds')
    return [{ label: t('rules.thresholds'), text: (value as number[]).join(', ') }];
  if (name === 'subjects') {
    const subjects = value as ('app' | 'competitor')[];
    const texts = subjects.map((subject) => t(`rules.subject.${subject}`));
    return [{ label: t('rules.subjects'), text: texts.join(', ') }];
  }
  if (name === 'fields') {
    const fields = value as Parameters<typeof toFieldText>[0][];
    return [{ label: t('rules.fields'), text: fields.map((f) => toFieldText(f, t)).join(', ') }];
  }
  if (name === 'mailTo')
    return [
      {
        label: t('rules.mailTo'),
        text: t(`rules.mail.${value as 'owners' | 'everyone' | 'nobody'}`),
      },
    ];
  return name === 'scope' ? toScopeMembers(value, context) : [];
}

type ChangeRule = Extract<AlertRule, { event: 'metadata.changed' }>;
const toFieldText = (field: NonNullable<ChangeRule['fields']>[number], t: TFunction) =>
  t(`alerts.field.${field}`);

interface Scope {
  appIds?: number[] | undefined;
  tags?: string[] | undefined;
  minTraffic?: number | undefined;
}

function toScopeMembers({ appIds, tags, minTraffic }: Scope, { apps, isComplete, t }: Context) {
  const nameOf = (id: number) => {
    const app = apps.find((candidate) => candidate.id === id);
    if (app) return app.displayName ?? app.name;
    return isComplete ? t('rules.goneApp') : String(id);
  };
  return [
    ...(appIds ? [{ label: t('rules.scopeApps'), text: appIds.map(nameOf).join(', ') }] : []),
    ...(tags ? [{ label: t('rules.scopeTags'), text: tags.join(', ') }] : []),
    ...(minTraffic === undefined
      ? []
      : [{ label: t('rules.minTraffic'), text: String(minTraffic) }]),
  ];
}
