import type { Mail } from '../ports.ts';

/** Invites somebody to a workspace. */
export function inviteEmail(
  to: string,
  {
    workspace,
    inviter,
    url,
    days,
  }: { workspace: string; inviter: string; url: string; days: number },
): Mail {
  return {
    to,
    subject: `${inviter} invites you to ${workspace} on Toprung`,
    text: [
      `${inviter} invites you to the workspace “${workspace}” on Toprung, which tracks app ` +
        'store rankings.',
      `To accept, open this link within ${days} days:`,
      url,
      'If you did not expect this, ignore this email: nothing happens without you.',
    ].join('\n\n'),
  };
}

/** Allows a new password to be set. */
export function passwordResetEmail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Set a new password for Toprung',
    text: [
      'Somebody, hopefully you, requested a new password for Toprung. To set it, open this ' +
        'link within an hour:',
      url,
      'It works once and ends all your sessions. If it was not you, ignore this email: your ' +
        'password stays as it is.',
    ].join('\n\n'),
  };
}

/** Confirms that the address of a new account belongs to its owner. */
export function confirmationEmail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Confirm your address for Toprung',
    text: [
      'Somebody, hopefully you, created a Toprung account with this address. To confirm that ' +
        'it is yours, open this link within three days:',
      url,
      'If it was not you, ignore this email: without the confirmation the account gets no ' +
        'further mail, and you can take it over by setting a new password.',
    ].join('\n\n'),
  };
}
