import type { TFunction } from 'i18next';
import { webhookUrlFaults } from '#contract/choices.ts';
import type { Issue } from '#contract/errors.ts';

/** Why the API refuses the address or the secret of a webhook; null for anything else. */
export function describeIssue({ path, code, limit, actual }: Issue, t: TFunction): string | null {
  if (path === 'secret') return t('webhooks.secretForm');
  if (path !== 'url') return null;
  if (code === 'too_large') return t('webhooks.tooMany', { limit });
  const fault = webhookUrlFaults.find((name) => name === actual);
  return t(fault ? `webhooks.urlFault.${fault}` : 'webhooks.urlRule');
}
