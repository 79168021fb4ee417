import { z } from 'zod';
import { dayRange, id, instant, listOf, paging } from './common.ts';
import { operationsOf } from './operation.ts';

/** The actions that are logged, each in the transaction that performs it. */
export const auditActions = [
  'account.deleted',
  'account.restored',
  'alerts.changed',
  'app.added',
  'app.archived',
  'app.changed',
  'app.deleted',
  'app.restored',
  'competitor.added',
  'competitor.deleted',
  'email.confirmed',
  'export.requested',
  'import.done',
  'invite.accepted',
  'invite.created',
  'invite.revoked',
  'keyword_field.changed',
  'keywords.added',
  'keywords.changed',
  'keywords.deleted',
  'keywords.restored',
  'listing_draft.changed',
  'listing_draft.created',
  'listing_draft.deleted',
  'listing_draft.made_current',
  'listing_draft.renamed',
  'member.removed',
  'member.role_changed',
  'operator.granted',
  'operator.revoked',
  'password.changed',
  'password.reset',
  'plan.changed',
  'plan.ended',
  'plan.started',
  'popularity.credentials_removed',
  'popularity.credentials_saved',
  'popularity.week_accepted',
  'popularity.week_discarded',
  'reader.created',
  'reader.password_changed',
  'reader.revoked',
  'report.created',
  'report.deleted',
  'sessions.ended',
  'settings.changed',
  'token.created',
  'token.renamed',
  'token.revoked',
  'webhook.changed',
  'webhook.created',
  'webhook.deleted',
  'webhook.secret_changed',
  'workspace.deleted',
  'workspace.renamed',
  'workspace.restored',
  'workspace.suspended',
  'workspace.unsuspended',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The names of values in `detail`, besides settings. The dashboard has a text for each. */
export type AuditDetailName =
  | 'appId'
  | 'asPublicFacts'
  | 'before'
  | 'bytes'
  | 'clientId'
  | 'count'
  | 'country'
  | 'draft'
  | 'fields'
  | 'fileName'
  | 'format'
  | 'from'
  | 'host'
  | 'inviteId'
  | 'keyId'
  | 'locale'
  | 'locales'
  | 'name'
  | 'plan'
  | 'purgeAt'
  | 'readOnly'
  | 'reason'
  | 'role'
  | 'rows'
  | 'rules'
  | 'store'
  | 'storeAppId'
  | 'tables'
  | 'teamId'
  | 'to'
  | 'week'
  | 'written';

const entry = z
  .strictObject({
    id: z.int(),
    at: instant,
    actor: z.string().meta({
      description:
        'The actor’s e-mail address at that time; `payment` for a payment, `command` for the ' +
        'operator’s command line; `deleted account` for a deleted one.',
    }),
    credential: z.strictObject({
      kind: z.enum(['session', 'token', 'invite', 'link', 'recovery', 'payment', 'command']),
      tokenId: id.nullable(),
    }),
    action: z.enum(auditActions),
    subject: z.string().nullable().meta({
      description: 'The target: a kind and an id such as `app 12`, or an e-mail address.',
    }),
    detail: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .meta({ description: 'Never a secret.' }),
  })
  .meta({ id: 'AuditEntry' });

export const audit = operationsOf({
  'GET /workspace/audit': {
    summary: 'List the audit log',
    description:
      'Lists who changed what and when, the newest first. Without a range it lists the ' +
      'last 30 days.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      actor: z.string().trim().toLowerCase().min(1).max(254).optional(),
      action: z.enum(auditActions).optional(),
    }),
    responses: { 200: listOf(entry) },
  },
});
