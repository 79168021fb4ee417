import { i18next } from '../i18n.ts';
import { copyText } from './copy-text.ts';
import { showSuccess, showFailure } from './toasts/toasts.tsx';

export async function copyWithToast(text: string, done: string): Promise<void> {
  if (await copyText(text)) showSuccess(done);
  else showFailure(i18next.t('common.notCopied'));
}
