import type { AuditEntry } from '../../queries/workspace.ts';

type Action = AuditEntry['action'];

/** Every kind of entry, once: a kind that the API adds is an error here until it has a name. */
const named: Record<Action, true> = {
  'account.deleted': true,
  'account.restored': true,
  'alerts.changed': true,
  'app.added': true,
  'app.archived': true,
  'app.changed': true,
  'app.deleted': true,
  'app.restored': true,
  'competitor.added': true,
  'competitor.deleted': true,
  'email.confirmed': true,
  'export.requested': true,
  'import.done': true,
  'invite.accepted': true,
  'invite.created': true,
  'invite.revoked': true,
  'keyword_field.changed': true,
  'keywords.added': true,
  'keywords.changed': true,
  'keywords.deleted': true,
  'member.removed': true,
  'member.role_changed': true,
  'password.changed': true,
  'password.reset': true,
  'plan.changed': true,
  'plan.ended': true,
  'plan.started': true,
  'settings.changed': true,
  'token.created': true,
  'token.renamed': true,
  'token.revoked': true,
  'webhook.changed': true,
  'webhook.created': true,
  'webhook.deleted': true,
  'webhook.secret_changed': true,
  'workspace.deleted': true,
  'workspace.renamed': true,
  'workspace.restored': true,
  'workspace.suspended': true,
  'workspace.unsuspended': true,
};

export const auditActions = Object.keys(named) as Action[];
