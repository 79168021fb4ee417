import type { Mail } from '../ports.ts';

/** Asks somebody into a workspace. */
export function inviteLetter(
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
      `${inviter} invites you to the workspace “${workspace}” on Toprung, which keeps track of app store rankings.`,
      `To accept, open this link within ${days} days:`,
      url,
      'If you do not know what this is about, do nothing: nothing happens without you.',
    ].join('\n\n'),
  };
}

/** Lets somebody set a new password. */
export function recoveryLetter(to: string, url: string): Mail {
  return {
    to,
    subject: 'Set a new password for Toprung',
    text: [
      'Somebody, hopefully you, asked to set a new password for Toprung. To do so, open this link within an hour:',
      url,
      'It works once, and ends all your sessions. If it was not you, do nothing: your password stays as it is.',
    ].join('\n\n'),
  };
}

/** Proves that a new account's address is its owner's. */
export function confirmationLetter(to: string, url: string): Mail {
  return {
    to,
    subject: 'Confirm your address for Toprung',
    text: [
      'Somebody, hopefully you, made an account at Toprung with this address. To confirm that it is yours, open this link within three days:',
      url,
      'If it was not you, do nothing: without it the account gets no further mail, and you can take it over by setting a new password.',
    ].join('\n\n'),
  };
}
